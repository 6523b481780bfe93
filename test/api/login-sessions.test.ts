import { createAvow } from '@avow/sdk';
import { loadContract } from '../../server/src/contract/operations';
import { LoginSessionRow } from '../../server/src/db/models';
import { itIs } from '../helpers/at-time';
import { checkedFetch } from '../helpers/contract';
import { clientOf, codeNow, personWithApp, refused } from '../helpers/second-factor';
import { PASSWORD, startServer, useServer } from '../helpers/server';

/** Servers of one database need the same. */
const variables = { JWT_SECRET: 'one secret of more than 32 characters' };
const server = useServer({ variables });
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

const logIn = (email: string, agent = FIREFOX) =>
  server.visitor.login({ body: { email, password: PASSWORD } }, { headers: { 'User-Agent': agent } });

test('the list names device, masked address, beginning and last use, and which one it is', async () => {
  const { email } = await server.person();
  const session = await logIn(email);
  const second = await logIn(email, 'curl/8.0');
  const { items } = await clientOf(server, session.token).listSessions();
  expect(items.map(({ device, current }) => [device, current])).toEqual([
    ['curl', false],
    ['Firefox on Windows', true],
  ]);
  const [, own] = items;
  expect(own).toMatchObject({ begun_by: 'password', second_factor: false, ip_masked: '127.0.***.***' });
  expect(own?.expires_at).toBe(session.expires_at);
  expect(own?.used_at).toMatch(/:00:00\.000Z$/);
  expect(JSON.stringify(items)).not.toContain('Gecko');
  expect(second.token).not.toBe(session.token);
});

test('one is ended at once, on another process too, and nobody ends another person’s', async () => {
  const { email } = await server.person();
  const [mine, other] = [await logIn(email), await logIn(email)];
  const client = clientOf(server, mine.token);
  const { items } = await client.listSessions();
  const there = items.find(({ current }) => !current)?.login_session_id as string;
  const second = await startServer({ databaseUrl: server.databaseUrl, variables });
  try {
    await clientOf(second, other.token).getMe();
    const stranger = await server.person();
    const refusal = await refused(stranger.client.endSession({ login_session_id: there }));
    expect(refusal.status).toBe(404);
    await client.endSession({ login_session_id: there });
    expect((await refused(clientOf(second, other.token).getMe())).status).toBe(401);
    await clientOf(second, mine.token).getMe();
    expect((await client.listSessions()).items).toHaveLength(1);
  } finally {
    await second.stop();
  }
});

test('all others end together, also those that an older version began, and this one goes on with a new token', async () => {
  const { email, userId, client: older } = await server.person();
  const [mine, other] = [await logIn(email), await logIn(email)];
  const renewed = await clientOf(server, mine.token).endOtherSessions();
  for (const token of [mine.token, other.token])
    expect((await refused(clientOf(server, token).getMe())).status).toBe(401);
  expect((await refused(older.getMe())).status).toBe(401);
  expect(renewed).toMatchObject({ expires_at: mine.expires_at, user: { id: userId } });
  const { items } = await clientOf(server, renewed.token).listSessions();
  expect(items.map(({ current }) => current)).toEqual([true]);
});

test('a session of an older version is listed once it is used, and a use is written once an hour', async () => {
  const { client, userId } = await server.person();
  await client.getMe();
  const rows = () => LoginSessionRow.query(server.service.context.db).where({ user_id: userId });
  const [row] = await rows();
  expect(row).toMatchObject({ begun_by: 'older', device: 'Avow SDK' });
  await LoginSessionRow.query(server.service.context.db)
    .patch({ used_at: new Date(0) })
    .where({ user_id: userId });
  await client.getMe();
  expect((await rows())[0]?.used_at).toEqual(new Date(0));
  const later = Date.now() + 3_600_000;
  itIs(later);
  await client.getMe();
  expect((await rows())[0]?.used_at.getTime()).toBe(Math.floor(later / 3_600_000) * 3_600_000);
});

test('a log-out, and a new password, leave no session in the list', async () => {
  const { email } = await server.person();
  const [mine, other] = [await logIn(email), await logIn(email)];
  await clientOf(server, other.token).logout();
  expect((await clientOf(server, mine.token).listSessions()).items).toHaveLength(1);
  const body = { current_password: PASSWORD, new_password: 'quite another horse' };
  const { token } = await clientOf(server, mine.token).changePassword({ body });
  expect((await clientOf(server, token).listSessions()).items.map(({ current }) => current)).toEqual([true]);
});

describe('a dangerous step', () => {
  const LATER = 15 * 60_000 + 1_000;

  test('needs a log-in of the last 15 minutes; reauthenticate gives it with a new token', async () => {
    const { client, token, email } = await server.site();
    itIs(Date.now() + LATER);
    const refusal = await refused(
      client.addMember({ token, body: { email: 'a@example.com', role: 'viewer' } }),
    );
    expect([refusal.status, refusal.code]).toEqual([403, 'reauthentication_required']);
    // What is not dangerous goes on.
    await client.listConsents({ token });
    const wrong = await refused(client.reauthenticate({ body: { password: 'not the password' } }));
    expect([wrong.status, wrong.errors[0]?.path]).toEqual([400, 'body.password']);
    const session = await client.reauthenticate({ body: { password: PASSWORD } });
    expect(session.user.email).toBe(email);
    expect((await refused(client.getMe())).status).toBe(401);
    const body = { email: 'a@example.com', role: 'viewer' as const };
    await clientOf(server, session.token).addMember({ token, body });
  });

  test('needs the second factor of whoever has one, too', async () => {
    const { client, secret } = await personWithApp(server);
    itIs(Date.now() + LATER);
    const half = await refused(client.reauthenticate({ body: { password: PASSWORD } }));
    expect([half.status, half.errors[0]?.path]).toEqual([400, 'body.code']);
    const passwords = { current_password: PASSWORD, new_password: 'quite another horse' };
    const refusal = await refused(client.changePassword({ body: passwords }));
    expect(refusal.code).toBe('reauthentication_required');
    const body = { password: PASSWORD, code: codeNow(secret) };
    const { token } = await client.reauthenticate({ body });
    await clientOf(server, token).renewRecoveryCodes();
  });

  test('is not made possible by a password alone where there is a second factor', async () => {
    const { client } = await personWithApp(server);
    const passwords = { current_password: PASSWORD, new_password: 'quite another horse' };
    itIs(Date.now() + LATER - 60_000);
    const { token, expires_at } = await client.changePassword({ body: passwords });
    const next = clientOf(server, token);
    await next.renewRecoveryCodes();
    itIs(Date.now() + 120_000);
    expect((await refused(next.renewRecoveryCodes())).code).toBe('reauthentication_required');
    const again = { current_password: passwords.new_password, new_password: PASSWORD };
    expect((await refused(next.changePassword({ body: again }))).code).toBe('reauthentication_required');
    const [own] = (await next.listSessions()).items;
    expect(own).toMatchObject({ current: true, second_factor: true, expires_at });
  });

  test('is not made possible by a token that only goes on', async () => {
    const { client } = await server.site();
    const { token } = await client.endOtherSessions();
    itIs(Date.now() + LATER);
    const refusal = await refused(clientOf(server, token).createKey({ body: { name: 'a', set: 'export' } }));
    expect(refusal.code).toBe('reauthentication_required');
  });

  test('is not asked of API keys, and the SDK with a password logs in anew by itself', async () => {
    const { client, token, email, userId } = await server.site();
    const { key } = await client.createKey({
      body: { name: 'erases', scopes: ['erasures:write', 'members:write'] },
    });
    const own = { baseUrl: server.url, fetch: checkedFetch, retries: 0 };
    const program = createAvow({ ...own, apiKey: key });
    const script = createAvow({ ...own, credentials: { email, password: PASSWORD } });
    await script.getMe();
    itIs(Date.now() + LATER);
    const last = await refused(program.removeMember({ token, user_id: userId }));
    expect(last.status).toBe(409);
    await script.createKey({ body: { name: 'another', set: 'export' } });
  });

  test('is every one that the contract calls so', () => {
    const { operations } = loadContract();
    const recent = operations.filter(({ recentLogin }) => recentLogin).map(({ id }) => id);
    expect(recent).toEqual(
      expect.arrayContaining([
        ...['eraseSession', 'eraseSubject', 'allowRetention', 'deleteEnvironment', 'rotateWebhookSecret'],
        ...['addMember', 'updateMember', 'removeMember', 'renewInvitation', 'createKey', 'rotateKey'],
        ...[
          'beginTotp',
          'removeTotp',
          'addPasskey',
          'removePasskey',
          'renewRecoveryCodes',
          'setSecondFactorRule',
        ],
      ]),
    );
    // Nobody forgot to say it where it may matter.
    const mustSay = operations.filter(
      ({ bearer, method, role, declared }) =>
        bearer &&
        method !== 'GET' &&
        (method === 'DELETE' || role === 'owner' || declared['x-login-only'] === true),
    );
    expect(mustSay.length).toBeGreaterThan(40);
    const silent = mustSay.filter(
      ({ declared }) => (declared['x-recent-login'] === true) === (declared['x-any-login'] === true),
    );
    expect(silent.map(({ id }) => id)).toEqual([]);
    // Nothing that takes no login can ask for a recent one.
    expect(operations.filter(({ recentLogin, bearer }) => recentLogin && !bearer)).toEqual([]);
  });
});
