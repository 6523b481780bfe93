import { randomUUID } from 'node:crypto';
import { clock } from '../../server/src/domain/clock';
import { authenticatorOf } from '../helpers/authenticator';
import { addApp, clientOf, codeNow, refused } from '../helpers/second-factor';
import { type Client, PASSWORD, type TestServer } from '../helpers/server';
import { EVIL, type Linked, startLinked, WANTS_PROOF } from '../helpers/sign-on/linked';
import { linkTo, signOn } from '../helpers/sign-on/walk';

jest.setTimeout(120_000);

let server: TestServer;
let linkedPerson: Linked['linkedPerson'];
let secondStepAt: Linked['secondStepAt'];
let withoutPassword: Linked['withoutPassword'];
let givePasskey: Linked['givePasskey'];
let stop: Linked['stop'] | undefined;

const context = () => server.service.context;
const as = (token: string) => clientOf(server, token);

beforeAll(async () => {
  ({ server, linkedPerson, secondStepAt, withoutPassword, givePasskey, stop } = await startLinked());
});
afterAll(() => stop?.());

test('a log-in at a provider neither adds nor removes what proves the account itself', async () => {
  const { session, client } = await withoutPassword();
  const { login, client: own } = await linkedPerson();
  const there = as((await signOn(server.visitor, login, EVIL)).token);
  await client.beginPasskey();
  const passkey_id = await givePasskey(session.user.id);
  await expect(client.beginPasskey()).rejects.toEqual(WANTS_PROOF);
  await expect(client.removePasskey({ passkey_id })).rejects.toEqual(WANTS_PROOF);
  expect((await client.getSecondFactors()).passkeys).toHaveLength(1);
  await expect(there.beginPasskey()).rejects.toEqual(WANTS_PROOF);
  const { challenge, nonce } = await own.beginPasskey();
  const body = { challenge, name: 'a laptop', ...authenticatorOf(server).make(nonce) };
  await expect(there.addPasskey({ body })).rejects.toEqual(WANTS_PROOF);
  await own.addPasskey({ body });
});

test('nor does it unlink another one, and unlinking it ends what began there', async () => {
  const { login, client: own } = await linkedPerson();
  await linkTo(own, randomUUID());
  // One that has ended already is none any more.
  await as((await signOn(server.visitor, login, EVIL)).token).logout();
  const elsewhere = as((await signOn(server.visitor, login, EVIL)).token);
  const ended = (await elsewhere.listSessions()).items.find(({ current }) => current);
  await own.endSession({ login_session_id: ended?.login_session_id ?? '' });
  const there = as((await signOn(server.visitor, login, EVIL)).token);
  const { identities } = await own.listIdentities();
  const linkOf = (id: string) => ({
    identity_id: identities.find(({ provider }) => provider === id)?.identity_id ?? '',
  });
  await expect(there.unlinkIdentity(linkOf('acme'))).rejects.toEqual(WANTS_PROOF);
  await own.unlinkIdentity(linkOf('evil'));
  await expect(there.listIdentities()).rejects.toMatchObject({ status: 401 });
  expect((await own.listIdentities()).identities).toHaveLength(1);
});

/** Adds a security key without a PIN. */
async function addKey(client: Client) {
  const device = authenticatorOf(server);
  const { challenge, nonce } = await client.beginPasskey();
  const body = { challenge, name: 'a security key', ...device.make(nonce, false) };
  const { session } = await client.addPasskey({ body });
  return { device, client: as(session.token) };
}

/** Proves by a key without a PIN who is there. */
async function touched({ device, client }: Awaited<ReturnType<typeof addKey>>) {
  const { challenge, nonce } = await client.beginReauthentication();
  const { token } = await client.reauthenticate({
    body: { challenge, passkey: device.answer(nonce, false) },
  });
  return as(token);
}

test('a key without a PIN proves an account without a password, beside the log-in at a linked provider', async () => {
  const { client: first } = await withoutPassword();
  const { device, client } = await addKey(first);
  await expect(client.beginPasskey()).rejects.toEqual(WANTS_PROOF);
  expect(await client.beginReauthentication()).toMatchObject({ user_verification: 'preferred' });
  // Another key in the hand is none.
  const other = { device: authenticatorOf(server), client };
  await expect(touched(other)).rejects.toMatchObject({ status: 400 });
  const own = await touched({ device, client });
  const two = await addKey(own);
  expect(await linkTo(two.client, randomUUID())).toMatchObject({ provider: 'acme' });
  // What took the place of the provider's session is of the provider still.
  const again = await touched({ device, client: two.client });
  const [passkey] = (await again.getSecondFactors()).passkeys;
  const { session } = await again.removePasskey({ passkey_id: passkey?.passkey_id ?? '' });
  const rest = { device: two.device, client: as(session.token) };
  // Alone it lets nobody in, nor beside somebody who is linked no more.
  const { challenge, nonce } = await server.visitor.beginPasskeyLogin();
  const alone = { challenge, passkey: rest.device.answer(nonce, false) };
  await expect(server.visitor.loginWithPasskey({ body: alone })).rejects.toMatchObject({ status: 401 });
  const { identities } = await rest.client.listIdentities();
  const evils = identities.find(({ provider }) => provider === 'evil');
  await rest.client.unlinkIdentity({ identity_id: evils?.identity_id ?? '' });
  expect(await rest.client.beginReauthentication()).toMatchObject({ user_verification: 'required' });
  await expect(touched(rest)).rejects.toMatchObject({ status: 400 });
});

test('but not one with a password, also in the session of a provider', async () => {
  const { login, client: own } = await linkedPerson();
  const { device } = await addKey(own);
  const there = await secondStepAt(login, ({ nonce }) => ({ passkey: device.answer(nonce, false) }));
  expect(await there.beginReauthentication()).toMatchObject({ user_verification: 'required' });
  await expect(touched({ device, client: there })).rejects.toMatchObject({ status: 400 });
});

test('a code alone proves an account without a password whose passkey is lost, beside the log-in at a linked provider', async () => {
  const { login, client } = await withoutPassword();
  const lost = authenticatorOf(server);
  const { challenge, nonce } = await client.beginPasskey();
  const body = { challenge, name: 'a lost key', ...lost.make(nonce, false) };
  const [first = '', second = '', third = ''] = (await client.addPasskey({ body })).recovery_codes ?? [];
  const there = await secondStepAt(login, () => ({ code: first }));
  await expect(there.renewRecoveryCodes()).rejects.toEqual(WANTS_PROOF);
  // A used one is none.
  await expect(there.reauthenticate({ body: { code: first } })).rejects.toMatchObject({ status: 400 });
  const { token } = await there.reauthenticate({ body: { code: second } });
  const proved = as(token);
  expect((await proved.listSessions()).items).toContainEqual(
    expect.objectContaining({ current: true, begun_by: 'oidc', second_factor: true }),
  );
  // Also what takes its place, and where no passkey could be used any more.
  const { client: own, secret } = await addApp(server, proved);
  const { publicUrl } = context();
  context().publicUrl = () => server.url;
  try {
    const again = as((await own.reauthenticate({ body: { code: codeNow(secret) } })).token);
    const [passkey] = (await again.getSecondFactors()).passkeys;
    const { session } = await again.removePasskey({ passkey_id: passkey?.passkey_id ?? '' });
    expect((await as(session.token).renewRecoveryCodes()).codes).toHaveLength(10);
    await expect(as(session.token).reauthenticate({ body: { code: third } })).rejects.toMatchObject({
      status: 400,
    });
  } finally {
    context().publicUrl = publicUrl;
  }
});

const NOT_ALONE = {
  status: 400,
  errors: [expect.objectContaining({ path: 'body.code', code: 'not_enough' })],
};

test('but not where there is a password, nor beside somebody who is linked no more, and costs no try there', async () => {
  const { login, client } = await linkedPerson();
  const { secret, codes } = await addApp(server, client);
  const there = await secondStepAt(login, () => ({ code: codeNow(secret) }));
  for (let tries = 0; tries < 12; tries += 1)
    await expect(there.reauthenticate({ body: { code: codes[0] ?? '' } })).rejects.toMatchObject(NOT_ALONE);
  const { client: other } = await withoutPassword();
  const { client: left, codes: rest } = await addApp(server, other);
  await linkTo(left, randomUUID());
  const { identities } = await left.listIdentities();
  const evils = identities.find(({ provider }) => provider === 'evil');
  await left.unlinkIdentity({ identity_id: evils?.identity_id ?? '' });
  await expect(left.reauthenticate({ body: { code: rest[0] ?? '' } })).rejects.toMatchObject(NOT_ALONE);
});

test('guesses of a code alone must wait, as those at a log-in', async () => {
  const { client } = await withoutPassword();
  const { client: own, secret } = await addApp(server, client);
  const guess = (code: string) => refused(own.reauthenticate({ body: { code } }));
  for (let tries = 0; tries < 10; tries += 1) expect((await guess('000000')).status).toBe(400);
  expect((await guess(codeNow(secret))).status).toBe(429);
});

test('what proves only beside a log-in at a provider lets the session last no longer', async () => {
  const { client } = await withoutPassword();
  const { client: withApp, codes } = await addApp(server, client);
  const { device, client: before } = await addKey(
    as((await withApp.reauthenticate({ body: { code: codes[0] ?? '' } })).token),
  );
  const endOf = async (one: Client) =>
    (await one.listSessions()).items.find(({ current }) => current)?.expires_at;
  const end = await endOf(before);
  const later = clock.now() + 5 * 60_000;
  const now = jest.spyOn(clock, 'now').mockReturnValue(later);
  try {
    const key = await touched({ device, client: before });
    expect(await endOf(key)).toBe(end);
    const code = as((await key.reauthenticate({ body: { code: codes[1] ?? '' } })).token);
    expect(await endOf(code)).toBe(end);
    // A passkey that has checked its person lets in by itself.
    const { challenge, nonce } = await code.beginReauthentication();
    const body = { challenge, passkey: device.answer(nonce) };
    const { expires_at } = await code.reauthenticate({ body });
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.parse(end ?? ''));
  } finally {
    now.mockRestore();
  }
});

test('the password together with a key without a PIN is a proof, and renews used-up recovery codes', async () => {
  const { login, userId, client } = await linkedPerson();
  const { device } = await addKey(client);
  await context().db('recovery_codes').where({ user_id: userId }).delete();
  context().config.passwordLogin = false;
  try {
    const there = await secondStepAt(login, ({ nonce }) => ({ passkey: device.answer(nonce, false) }));
    const prove = async (parts: object, by = device) => {
      const { challenge, nonce } = await there.beginReauthentication();
      return there.reauthenticate({ body: { challenge, passkey: by.answer(nonce, false), ...parts } });
    };
    const wrong = (part: string) => ({
      status: 400,
      errors: [expect.objectContaining({ path: `body.${part}` })],
    });
    await expect(prove({})).rejects.toMatchObject(wrong('passkey'));
    await expect(prove({ password: 'not the password' })).rejects.toMatchObject(wrong('password'));
    await expect(prove({ password: PASSWORD }, authenticatorOf(server))).rejects.toMatchObject(
      wrong('passkey'),
    );
    await expect(prove({ password: PASSWORD, code: '000000' })).rejects.toMatchObject(wrong('code'));
    const { token } = await prove({ password: PASSWORD });
    expect((await as(token).renewRecoveryCodes()).codes).toHaveLength(10);
  } finally {
    context().config.passwordLogin = true;
  }
});

test('a log-in at a provider changes no authenticator app and no recovery codes of an account with a proof of its own', async () => {
  const { login, client } = await linkedPerson();
  const there = as((await signOn(server.visitor, login, EVIL)).token);
  const error = await refused(there.beginTotp());
  expect(error).toEqual(WANTS_PROOF);
  expect(error.message).toMatch(/a new one by mail.* one-time link .*owner -- reset/);
  const { secret } = await client.beginTotp();
  const body = { code: codeNow(secret, -1) };
  await expect(there.confirmTotp({ body })).rejects.toEqual(WANTS_PROOF);
  const own = as((await client.confirmTotp({ body })).session.token);
  const later = await secondStepAt(login, () => ({ code: codeNow(secret) }));
  await expect(later.renewRecoveryCodes()).rejects.toEqual(WANTS_PROOF);
  await expect(later.removeTotp()).rejects.toEqual(WANTS_PROOF);
  expect((await own.renewRecoveryCodes()).codes).toHaveLength(10);
  await own.removeTotp();
});

test('and of one without any, it does', async () => {
  const { client } = await withoutPassword();
  const { client: own } = await addApp(server, client);
  await own.renewRecoveryCodes();
  const { session } = await own.removeTotp();
  await givePasskey(session.user.id);
  await expect(as(session.token).beginTotp()).rejects.toEqual(WANTS_PROOF);
});
