import { createAvow } from '@avow/sdk';
import { UserRow } from '../../server/src/db/models';
import { clock } from '../../server/src/domain/clock';
import { Tokens } from '../../server/src/security/tokens';
import { disableAccount } from '../../server/src/services/disable-account';
import { checkedFetch } from '../helpers/contract';
import { raw } from '../helpers/http/raw';
import { refusal } from '../helpers/http/refusal';
import { PASSWORD, startServer, useServer } from '../helpers/server';

const server = useServer();

const withToken = (token: string) =>
  createAvow({ baseUrl: server.url, token, fetch: checkedFetch, retries: 0 });
const getMe = (authorization: string | undefined) =>
  raw(server.url, {
    path: '/api/me',
    headers: authorization === undefined ? {} : { Authorization: authorization },
  });
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a token shows its owner', async () => {
  const { client, userId, email } = await server.person('Ada Owner');
  const me = await client.getMe();
  expect(me).toEqual({
    ...{ id: userId, email, name: 'Ada Owner', email_verified: true },
    created_at: me.created_at,
  });
});

test('a missing, empty, garbled or foreign credential is 401 and asks for a bearer token', async () => {
  const { userId } = await server.person();
  const { token } = await server.service.context.tokens.issue(userId);
  const [header, payload, signature] = token.split('.') as [string, string, string];
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const other = await new Tokens('another secret of more than 32 characters').issue(userId);
  const credentials = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Bearer garbage',
    `Basic ${Buffer.from('a:b').toString('base64')}`,
    `Token ${token}`,
    `Bearer ${other.token}`,
    `Bearer ${header}.${payload}.`,
    `Bearer ${header}.${payload}.${signature.slice(0, -4)}AAAA`,
    `Bearer ${header}.${part({ ...claims, sub: '1' })}x.${signature}`,
    `Bearer ${part({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    `Bearer ${part({ alg: 'none' })}.${payload}.${signature}`,
    `Bearer ${part({ alg: 'HS512' })}.${payload}.${signature}`,
    `Bearer ${token}, Bearer ${token}`,
    `Bearer ${'a'.repeat(8000)}`,
  ];
  for (const credential of credentials) {
    const answer = await getMe(credential);
    expect([credential, answer.status, answer.json.data.code]).toEqual([credential, 401, 'unauthorized']);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  }
  expect((await getMe(`bearer ${token}`)).status).toBe(200);
});

test('a token ends after 12 hours', async () => {
  const { userId } = await server.person();
  await server.service.context
    .db('users')
    .where({ id: userId })
    .update({ tokens_valid_from: new Date(0) });
  const issue = async (minutesAgo: number) => {
    const then = jest.spyOn(clock, 'now').mockReturnValue(Date.now() - minutesAgo * 60_000);
    const session = await server.service.context.tokens.issue(userId);
    then.mockRestore();
    return session;
  };
  const young = await issue(719);
  expect((await withToken(young.token).getMe()).id).toBe(userId);
  const old = await issue(721);
  expect((await refusal(withToken(old.token).getMe())).status).toBe(401);
});

test('a wrong clock that has ended tokens in the future refuses no new one, and new ones can be ended', async () => {
  const { userId, email } = await server.person();
  const { db } = server.service.context;
  await db('users')
    .where({ id: userId })
    .update({ tokens_valid_from: new Date(Date.now() + 7_200_000) });
  const { token } = await server.visitor.login({ body: { email, password: PASSWORD } });
  expect((await withToken(token).getMe()).id).toBe(userId);
  await withToken(token).revokeTokens();
  expect((await refusal(withToken(token).getMe())).status).toBe(401);
});

test('the token of a person who is gone is refused', async () => {
  const { token } = await server.service.context.tokens.issue(987_654);
  expect((await getMe(`Bearer ${token}`)).status).toBe(401);
});

test('revokeTokens ends every token of the caller, and nobody else’s', async () => {
  const [one, two] = [await server.person(), await server.person()];
  const second = withToken((await server.service.context.tokens.issue(one.userId)).token);
  const { revoked_before } = await second.revokeTokens();
  expect(Date.parse(revoked_before)).toBeGreaterThan(Date.now() - 60_000);
  for (const client of [one.client, second]) expect((await refusal(client.getMe())).status).toBe(401);
  expect((await two.client.getMe()).id).toBe(two.userId);
  const again = await server.visitor.login({ body: { email: one.email, password: PASSWORD } });
  expect((await withToken(again.token).getMe()).id).toBe(one.userId);
});

test('a log-out ends the session on the server, however the token is spelt, and no other session', async () => {
  const { email, userId } = await server.person();
  const log = () => server.visitor.login({ body: { email, password: PASSWORD } });
  const [one, two] = [await log(), await log()];
  const { logged_out_at } = await withToken(one.token).logout();
  expect(Date.parse(logged_out_at)).toBeGreaterThan(Date.now() - 60_000);
  // The last character of a signature has two bits that mean nothing: four spellings of one token.
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const at = alphabet.indexOf(one.token.at(-1) as string) & ~3;
  for (const last of alphabet.slice(at, at + 4))
    expect((await getMe(`Bearer ${one.token.slice(0, -1)}${last}`)).status).toBe(401);
  expect((await withToken(two.token).getMe()).id).toBe(userId);
  expect((await refusal(withToken(one.token).logout())).status).toBe(401);
  const stored = await server.service.context.db('ended_sessions').select();
  expect(JSON.stringify(stored)).not.toContain(one.token.split('.')[2]);
});

test('two sessions that begin in the same instant are two', async () => {
  const { userId } = await server.person();
  const now = jest.spyOn(clock, 'now').mockReturnValue(Date.now() + 10);
  const [one, two] = await Promise.all([0, 1].map(() => server.service.context.tokens.issue(userId)));
  now.mockRestore();
  expect(one?.token).not.toBe(two?.token);
  await withToken(one?.token as string).logout();
  expect((await withToken(two?.token as string).getMe()).id).toBe(userId);
});

test('a disabled account is told apart from a wrong password by nothing, and its tokens end until it is enabled', async () => {
  const { client, email, userId } = await server.person();
  const { db } = server.service.context;
  const log = (password: string) => server.visitor.login({ body: { email, password } });
  const { token } = await log(PASSWORD);
  await db.transaction(async (trx) => {
    await disableAccount(trx, await UserRow.query(trx).findById(userId).throwIfNotFound());
  });
  for (const one of [client, withToken(token)]) expect((await refusal(one.getMe())).status).toBe(401);
  const [right, wrong] = [await refusal(log(PASSWORD)), await refusal(log('wrong'))];
  const said = ({ status, message }: typeof right) => [status, message.split('): ')[1]];
  expect(said(right)).toEqual(said(wrong));
  await db('users').where({ id: userId }).update({ disabled_at: null });
  expect((await refusal(withToken(token).getMe())).status).toBe(401);
  expect((await log(PASSWORD)).user.id).toBe(userId);
});

test('the account of a person who is gone cannot log in either', async () => {
  const { client, email, userId } = await server.person();
  await server.service.context.db('users').where({ id: userId }).delete();
  expect((await refusal(client.getMe())).status).toBe(401);
  expect((await refusal(server.visitor.login({ body: { email, password: PASSWORD } }))).status).toBe(401);
});

test('a changed password ends the older tokens and the older password; the answer’s token works', async () => {
  const { client, email, userId } = await server.person();
  const session = await client.changePassword({
    body: { current_password: PASSWORD, new_password: 'staple horse correct' },
  });
  expect((await refusal(client.getMe())).status).toBe(401);
  expect((await withToken(session.token).getMe()).id).toBe(userId);
  expect((await refusal(server.visitor.login({ body: { email, password: PASSWORD } }))).status).toBe(401);
  const { user } = await server.visitor.login({ body: { email, password: 'staple horse correct' } });
  expect(user.id).toBe(userId);
});

test('a login with the old password while it is being changed gives no lasting token', async () => {
  const { client, email } = await server.person();
  const logins = Array.from({ length: 4 }, () =>
    server.visitor.login({ body: { email, password: PASSWORD } }).catch(() => undefined),
  );
  await client.changePassword({
    body: { current_password: PASSWORD, new_password: 'staple horse correct' },
  });
  for (const session of await Promise.all(logins)) {
    if (session !== undefined) expect((await refusal(withToken(session.token).getMe())).status).toBe(401);
  }
});

test('a wrong current password or a short new one changes nothing', async () => {
  const { client } = await server.person();
  const wrong = await refusal(
    client.changePassword({ body: { current_password: 'wrong', new_password: 'staple horse correct' } }),
  );
  expect([wrong.status, wrong.errors[0]?.path]).toEqual([400, 'body.current_password']);
  const short = await refusal(
    client.changePassword({ body: { current_password: PASSWORD, new_password: 'eleven char' } }),
  );
  expect([short.status, short.errors[0]?.path]).toEqual([400, 'body.new_password']);
  expect((await client.getMe()).name).toBe('Ada Owner');
});

test('guessing the current password is limited like a login, though each guess is undone', async () => {
  const { client } = await server.person();
  const guess = (current_password: string) =>
    refusal(client.changePassword({ body: { current_password, new_password: 'staple horse correct' } }));
  for (let i = 0; i < 10; i += 1) expect((await guess('wrong')).status).toBe(400);
  const limited = await guess(PASSWORD);
  expect([limited.status, limited.retryAfter === undefined]).toEqual([429, false]);
});

test('many changes of passwords at once do not exhaust the connections to the database', async () => {
  const narrow = await startServer({ variables: { DATABASE_POOL: '2' } });
  try {
    const people = await Promise.all(Array.from({ length: 6 }, () => narrow.person()));
    const body = { current_password: PASSWORD, new_password: 'staple horse correct' };
    const sessions = await Promise.all(people.map(({ client }) => client.changePassword({ body })));
    expect(sessions.map(({ user }) => user.id)).toEqual(people.map(({ userId }) => userId));
  } finally {
    await narrow.stop();
  }
});
