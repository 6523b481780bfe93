import { createAvow } from '@avow/sdk';
import { LoginLimit } from '../../server/src/security/login-limit';
import { Vault } from '../../server/src/security/vault';
import { reseal } from '../../server/src/services/reseal';
import { itIs } from '../helpers/at-time';
import { checkedFetch } from '../helpers/contract';
import { clientOf, codeNow, personWithApp, refused } from '../helpers/second-factor';
import { PASSWORD, useServer } from '../helpers/server';
import { member } from '../helpers/site/people';

const server = useServer();
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const firstStep = async (email: string) => {
  const error = await refused(server.visitor.login({ body: { email, password: PASSWORD } }));
  expect([error.status, error.code]).toEqual([403, 'second_factor_required']);
  return error.secondStep as NonNullable<typeof error.secondStep>;
};

test('an account without a second factor logs in as the specification says', async () => {
  const { email, userId } = await server.person();
  const session = await server.visitor.login({ body: { email, password: PASSWORD } });
  expect(session.user).toMatchObject({ id: userId, name: 'Ada Owner' });
  expect(await clientOf(server, session.token).getSecondFactors()).toEqual({
    ...{ since: null, totp_since: null, passkeys: [], recovery_codes_left: 0 },
    ...{ passkeys_possible: true, required_by: [] },
  });
});

test('a confirmed app is needed from then on, and its code logs in once', async () => {
  const { email, secret, userId } = await personWithApp(server);
  const step = await firstStep(email);
  expect(step.methods).toEqual(['totp', 'recovery_code']);
  const code = codeNow(secret);
  const body = { challenge: step.challenge, code };
  const session = await server.visitor.completeLogin({ body });
  expect(session.user.id).toBe(userId);
  expect((await clientOf(server, session.token).listSessions()).items[0]).toMatchObject({
    ...{ begun_by: 'password', second_factor: true, current: true },
  });
  // The same step again, by another log-in; and the same challenge with another code.
  const { challenge } = await firstStep(email);
  expect((await refused(server.visitor.completeLogin({ body: { challenge, code } }))).status).toBe(401);
  const again = { challenge: step.challenge, code: codeNow(secret, 1) };
  expect((await refused(server.visitor.completeLogin({ body: again }))).status).toBe(401);
  // An earlier step than the last is as used as that one.
  const earlier = { challenge, code: codeNow(secret, -1) };
  expect((await refused(server.visitor.completeLogin({ body: earlier }))).status).toBe(401);
});

test('a secret that nobody has confirmed is replaced without another entry in the trail', async () => {
  const { client } = await server.person();
  const before = await client.beginTotp();
  const { secret } = await client.beginTotp();
  expect(secret).not.toBe(before.secret);
  const old = await refused(client.confirmTotp({ body: { code: codeNow(before.secret) } }));
  expect(old.status).toBe(400);
  const { session } = await client.confirmTotp({ body: { code: codeNow(secret) } });
  const own = clientOf(server, session.token);
  expect((await refused(own.beginTotp())).status).toBe(409);
  const { items } = await own.listAccountEvents({});
  const begun = items.filter(({ operation }) => operation.endsWith('Totp'));
  expect(begun.map(({ operation }) => operation)).toEqual(['confirmTotp', 'beginTotp']);
});

test('a code that two send at once lets one in', async () => {
  const { email, secret } = await personWithApp(server);
  const steps = [await firstStep(email), await firstStep(email)];
  const code = codeNow(secret);
  const sent = steps.map(({ challenge }) => server.visitor.completeLogin({ body: { challenge, code } }));
  const results = await Promise.allSettled(sent);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('adding and removing a factor ends every other session, and a token without one is refused', async () => {
  const { email, client, userId } = await server.person();
  const other = clientOf(server, (await server.visitor.login({ body: { email, password: PASSWORD } })).token);
  const { secret } = await client.beginTotp();
  await other.getMe();
  const { session } = await client.confirmTotp({ body: { code: codeNow(secret) } });
  for (const old of [client, other]) expect((await refused(old.getMe())).status).toBe(401);
  // As a process of the version before would issue it.
  const { token } = await server.service.context.tokens.issue(userId, new Date(Date.now() + 60_000));
  expect((await refused(clientOf(server, token).getMe())).message).toMatch(/second factor/);
  const { session: last, recovery_codes } = await clientOf(server, session.token).removeTotp();
  expect(recovery_codes).toBeUndefined();
  expect(await clientOf(server, last.token).getSecondFactors()).toMatchObject({
    ...{ since: null, recovery_codes_left: 0 },
  });
  await server.visitor.login({ body: { email, password: PASSWORD } });
});

test('a recovery code works once, written as people write it, and is stored as a keyed hash', async () => {
  const { client, email, codes, userId } = await personWithApp(server);
  expect(codes).toHaveLength(10);
  expect(new Set(codes).size).toBe(10);
  const code = (codes[3] as string).toUpperCase().replaceAll('-', ' ');
  const { challenge } = await firstStep(email);
  await server.visitor.completeLogin({ body: { challenge, code } });
  const next = await firstStep(email);
  const again = { challenge: next.challenge, code };
  expect((await refused(server.visitor.completeLogin({ body: again }))).status).toBe(401);
  expect((await client.getSecondFactors()).recovery_codes_left).toBe(9);
  const { codes: fresh } = await client.renewRecoveryCodes();
  const old = { challenge: next.challenge, code: codes[4] as string };
  expect((await refused(server.visitor.completeLogin({ body: old }))).status).toBe(401);
  const body = { challenge: next.challenge, code: fresh[0] as string };
  await server.visitor.completeLogin({ body });
  const rows = await server.service.context.db('recovery_codes').where({ user_id: userId });
  for (const { hash } of rows) expect(hash).toHaveLength(32);
  expect(JSON.stringify(rows)).not.toContain(fresh[1]);
});

test('the secret of an app is sealed, and is sealed anew with the next key', async () => {
  const { secret, userId } = await personWithApp(server);
  const { db } = server.service.context;
  const { sealed } = await db('totp_secrets').where({ user_id: userId }).first();
  expect(sealed.toString('latin1')).not.toContain(secret);
  const old = Buffer.alloc(32, 7).toString('base64');
  const vault = new Vault(Buffer.alloc(32, 8).toString('base64'), [old]);
  const count = async (by: Vault) => (await reseal(db, by)).find(({ table }) => table === 'totp_secrets');
  expect((await count(vault))?.changed).toBeGreaterThan(0);
  const row = await db('totp_secrets').where({ user_id: userId }).first();
  const [drawer, own] = [vault.of('authenticator app'), String(userId)];
  expect(drawer.isCurrent(row.sealed, own) && drawer.open(row.sealed, own)).toBe(secret);
  await reseal(db, new Vault(old, [Buffer.alloc(32, 8).toString('base64')]));
});

test('wrong codes must wait longer and longer, also right ones then, and passwords are counted apart', async () => {
  const { email, secret } = await personWithApp(server);
  const { challenge } = await firstStep(email);
  const send = (code: string) => refused(server.visitor.completeLogin({ body: { challenge, code } }));
  for (let i = 0; i < 10; i += 1) expect((await send('000000')).status).toBe(401);
  const refusal = await send(codeNow(secret));
  expect([refusal.status, (refusal.retryAfter ?? 0) > 0]).toEqual([429, true]);
  // The first step is not the second: the password's own count is untouched.
  expect((await firstStep(email)).methods).toContain('totp');
});

test('a second step that began with a password ends where passwords are refused meanwhile', async () => {
  const { email, secret } = await personWithApp(server);
  const { challenge } = await firstStep(email);
  const { config } = server.service.context;
  config.passwordLogin = false;
  const body = { challenge, code: codeNow(secret) };
  try {
    expect((await refused(server.visitor.completeLogin({ body }))).status).toBe(403);
  } finally {
    config.passwordLogin = true;
  }
  await server.visitor.completeLogin({ body });
});

test('who has the password guesses few codes in a day, from however many networks', async () => {
  const { email } = await server.person();
  const begun = Date.now();
  let guesses = 0;
  // As long after each burst as failures of passwords count.
  for (let at = 0; at < 86_400_000 && guesses < 100; at += 16 * 60_000) {
    itIs(begun + at);
    const guess = () => {
      const address = `10.0.${guesses >> 8}.${guesses & 255}`;
      return new LoginLimit(server.service.context, email, address, 'second factor').take();
    };
    while (
      guesses < 100 &&
      (await guess().then(
        () => true,
        () => false,
      ))
    )
      guesses += 1;
  }
  expect(guesses).toBeGreaterThanOrEqual(10);
  expect(guesses).toBeLessThan(60);
});

test('right passwords do not use up the limit of a network', async () => {
  const { email } = await personWithApp(server);
  const rows = () => server.service.context.db('login_failures').where('failures', '>', 0).pluck('who');
  const before = await rows();
  for (let i = 0; i < 3; i += 1) await firstStep(email);
  expect(await rows()).toEqual(before);
});

test('a challenge is none of another step, ends with the password, and after five minutes', async () => {
  const { email, client, codes } = await personWithApp(server);
  const { challenge } = await firstStep(email);
  const code = codes[0] as string;
  // It is no bearer token, and a bearer token is no challenge.
  expect((await refused(clientOf(server, challenge).getMe())).status).toBe(401);
  const { session } = await personWithApp(server);
  const foreign = { challenge: session.token, code };
  expect((await refused(server.visitor.completeLogin({ body: foreign }))).status).toBe(401);
  const passwords = { current_password: PASSWORD, new_password: 'quite another horse' };
  await client.changePassword({ body: passwords });
  expect((await refused(server.visitor.completeLogin({ body: { challenge, code } }))).status).toBe(401);
  const late = await refused(server.visitor.login({ body: { email, password: passwords.new_password } }));
  itIs(Date.now() + 5 * 60_000 + 1_000);
  const body = { challenge: late.secondStep?.challenge as string, code };
  expect((await refused(server.visitor.completeLogin({ body }))).status).toBe(401);
});

test('a site that requires a second factor refuses members without one, who may add it', async () => {
  const site = await server.site();
  expect(
    (await refused(site.client.setSecondFactorRule({ token: site.token, body: { required: true } }))).status,
  ).toBe(409);
  const viewer = await member(server, site, 'viewer');
  const { secret } = await site.client.beginTotp();
  const { session } = await site.client.confirmTotp({ body: { code: codeNow(secret) } });
  const owner = clientOf(server, session.token);
  const { key } = await owner.createKey({ body: { name: 'reads', set: 'export', site: site.token } });
  expect(await owner.setSecondFactorRule({ token: site.token, body: { required: true } })).toEqual({
    required: true,
  });
  expect(await owner.getEnvironment({ token: site.token })).toMatchObject({ second_factor_required: true });
  for (const call of [
    viewer.client.getEnvironment({ token: site.token }),
    viewer.client.listConsents({ token: site.token }),
  ]) {
    const error = await refused(call);
    expect([error.status, error.code]).toEqual([403, 'second_factor_required']);
    expect(error.message).toMatch(/add one to your account/);
  }
  expect((await viewer.client.listEnvironments()).items).toEqual([]);
  expect((await viewer.client.getSecondFactors()).required_by).toEqual(['Example shop']);
  const added = await viewer.client.beginTotp();
  const { session: now } = await viewer.client.confirmTotp({ body: { code: codeNow(added.secret) } });
  await clientOf(server, now.token).listConsents({ token: site.token });
  // The key of an owner who has one works, and no more when it is gone.
  const program = createAvow({ baseUrl: server.url, apiKey: key, fetch: checkedFetch, retries: 0 });
  await program.listConsents({ token: site.token });
  await owner.removeTotp();
  const error = await refused(program.listConsents({ token: site.token }));
  expect([error.status, error.code]).toEqual([403, 'second_factor_required']);
});

test('an owner without the second factor that a site requires does nothing there that counts', async () => {
  const { client: first, token } = await server.site();
  const added = await first.beginTotp();
  const { session } = await first.confirmTotp({ body: { code: codeNow(added.secret) } });
  const owner = clientOf(server, session.token);
  const { client } = await member(server, { client: owner, token }, 'owner');
  const { key_id } = await client.createKey({
    body: { name: 'Before the rule', set: 'banner', site: token },
  });
  await owner.setSecondFactorRule({ token, body: { required: true } });
  await owner.updateEnvironment({ token, body: { settings: { publish_evidence_log: false } } });
  const scan = () => client.startCookieScan({ body: { url: 'http://shop.example.com/', token } });
  await scan();
  expect((await owner.listScans({ token })).items).toEqual([]);
  const seenBy = (who: { getEvidenceLog: typeof client.getEvidenceLog }) => who.getEvidenceLog({ token });
  expect(await seenBy(client)).toEqual(await seenBy(server.visitor));
  const keys = [
    client.createKey({ body: { name: 'After it', set: 'banner', site: token } }),
    client.rotateKey({ key_id, body: {} }),
  ];
  for (const error of await Promise.all(keys.map(refused)))
    expect([error.status, error.code]).toEqual([403, 'second_factor_required']);
  // With it they do.
  const own = await client.beginTotp();
  const { session: now } = await client.confirmTotp({ body: { code: codeNow(own.secret) } });
  const able = clientOf(server, now.token);
  await able.startCookieScan({ body: { url: 'http://shop.example.com/', token } });
  expect((await owner.listScans({ token })).items).toHaveLength(1);
  expect((await able.rotateKey({ key_id, body: {} })).key_id).not.toBe(key_id);
});

test('the SDK logs in with a code, which is asked for each time', async () => {
  const { email, codes } = await personWithApp(server);
  const left = [...codes];
  const avow = createAvow({
    ...{ baseUrl: server.url, fetch: checkedFetch, retries: 0 },
    credentials: { email, password: PASSWORD, code: () => left.pop() as string },
  });
  expect((await avow.getMe()).email).toBe(email);
  expect(left).toHaveLength(9);
  const without = createAvow({ baseUrl: server.url, credentials: { email, password: PASSWORD }, retries: 0 });
  expect((await refused(without.getMe())).code).toBe('second_factor_required');
});

test('what a stranger makes up gets the same answer in every way', async () => {
  const options = await server.visitor.beginPasskeyLogin();
  expect(options).toMatchObject({ rp_id: 'localhost', allowed: [], user_verification: 'required' });
  const passkey = {
    ...{ credential_id: 'bm9ib2R5', client_data_json: 'e30', authenticator_data: 'AAAA', signature: 'AAAA' },
  };
  const body = { challenge: options.challenge, passkey };
  const unknown = await refused(server.visitor.loginWithPasskey({ body }));
  expect(unknown.status).toBe(401);
  const { challenge } = await firstStep((await personWithApp(server)).email);
  expect((await refused(server.visitor.loginWithPasskey({ body: { challenge, passkey } }))).status).toBe(401);
  expect((await refused(server.visitor.completeLogin({ body: { challenge } }))).status).toBe(400);
});
