import { randomUUID } from 'node:crypto';
import { PasskeyRow } from '../../server/src/db/models';
import { clock } from '../../server/src/domain/clock';
import { createLink } from '../../server/src/services/accounts';
import { authenticatorOf } from '../helpers/authenticator';
import { addApp, clientOf, codeNow, refused } from '../helpers/second-factor';
import { type Client, PASSWORD, startServer, type TestServer } from '../helpers/server';
import { startProvider, type TestProvider } from '../helpers/sign-on/provider';
import { comeBack, linkTo, signOn } from '../helpers/sign-on/walk';
import { codeOf } from '../helpers/site/people';

jest.setTimeout(120_000);

let acme: TestProvider;
let evil: TestProvider;
let server: TestServer;

const context = () => server.service.context;
const EVIL = { provider: 'evil' };

beforeAll(async () => {
  [acme, evil] = await Promise.all([startProvider(), startProvider()]);
  const access = { OIDC_ACME_ACCESS: 'account staff', OIDC_EVIL_ACCESS: 'account staff' };
  server = await startServer({
    variables: {
      ...{ OIDC_PROVIDERS: 'acme,evil', ...access },
      ...acme.variables('acme'),
      ...evil.variables('evil'),
    },
  });
  // Passkeys are for names, not for addresses.
  const url = server.url.replace('127.0.0.1', 'localhost');
  context().config.publicUrl = url;
  await Promise.all([acme.register('acme', { url }), evil.register('evil', { url })]);
});
afterAll(async () => {
  await server?.stop();
  await Promise.all([acme?.stop(), evil?.stop()]);
});

const as = (token: string) => clientOf(server, token);
const WANTS_PROOF = expect.objectContaining({ status: 403, code: 'reauthentication_required' });

/** Somebody with a password, to whose account somebody of `evil` is linked. */
async function linkedPerson() {
  const person = await server.person();
  const login = randomUUID();
  await linkTo(person.client, login, EVIL);
  return { ...person, login };
}

/** Logs in at `evil`, and then with a second factor. */
async function secondStepAt(login: string, proof: (asked: { nonce: string }) => object) {
  const { secondStep } = await refused(signOn(server.visitor, login, EVIL));
  const { challenge = '', passkey } = secondStep ?? {};
  const body = { challenge, ...proof({ nonce: passkey?.nonce ?? '' }) };
  return as((await server.visitor.completeLogin({ body })).token);
}

/** Somebody of `evil` whom nobody knows by another way. */
async function withoutPassword() {
  const login = randomUUID();
  const session = await signOn(server.visitor, login, EVIL);
  return { login, session, client: as(session.token) };
}

test('nothing is linked before both accounts were named and agreed to', async () => {
  const { client, userId, email } = await server.person();
  const login = randomUUID();
  await acme.people({ [login]: { email: 'olga@acme.example', email_verified: true, groups: ['staff'] } });
  const proved = await client.proveLink({ body: await comeBack(client.beginLink, login) });
  expect(proved).toMatchObject({
    ...{ provider: 'acme', email: 'olga@acme.example' },
    user: { id: userId, email },
  });
  expect((await client.listIdentities()).identities).toEqual([]);
  await client.finishLink({ body: { link: proved.link } });
  expect((await client.listIdentities()).identities).toMatchObject([{ email: 'olga@acme.example' }]);
});

test('a log-in at another provider, however recent, does not link to an account with a password', async () => {
  const { login } = await linkedPerson();
  const session = await signOn(server.visitor, login, EVIL);
  const there = as(session.token);
  await expect(comeBack(there.beginLink, randomUUID())).rejects.toEqual(WANTS_PROOF);
  // Nor when it was begun with a proof.
  const proof = await there.reauthenticate({ body: { password: PASSWORD } });
  const own = as(proof.token);
  const victim = randomUUID();
  const { link } = await own.proveLink({ body: await comeBack(own.beginLink, victim) });
  const again = as((await signOn(server.visitor, login, EVIL)).token);
  await expect(again.finishLink({ body: { link } })).rejects.toEqual(WANTS_PROOF);
  expect((await own.listIdentities()).identities).toHaveLength(1);
  expect(await own.finishLink({ body: { link } })).toMatchObject({ provider: 'acme' });
});

/** As a browser would have added it. */
async function givePasskey(user_id: number): Promise<string> {
  const passkey_id = randomUUID();
  await PasskeyRow.query(context().db).insert({
    ...{ passkey_id, user_id, credential_id: randomUUID() },
    ...{ public_key: Buffer.from('key'), user_handle: 'aGFuZGxl', counter: '0', transports: [] },
    ...{ synced: false, name: 'Phone', created_at: new Date(), used_on: null },
  });
  return passkey_id;
}

test('nor to one without a password that has a passkey', async () => {
  const { session, client } = await withoutPassword();
  await givePasskey(session.user.id);
  await expect(comeBack(client.beginLink, randomUUID())).rejects.toEqual(WANTS_PROOF);
});

test('an account without either is proved by a provider account that is linked to it still', async () => {
  const { session, client } = await withoutPassword();
  expect(await linkTo(client, randomUUID())).toMatchObject({ provider: 'acme' });
  const { identities } = await client.listIdentities();
  const first = identities.find(({ provider }) => provider === 'evil');
  await client.unlinkIdentity({ identity_id: first?.identity_id ?? '' });
  expect(await client.getMe()).toMatchObject({ id: session.user.id });
  await expect(comeBack(client.beginLink, randomUUID())).rejects.toEqual(WANTS_PROOF);
});

test('what was proved is linked by its own account alone, once, within ten minutes, and is no state', async () => {
  const [one, two] = [await server.person(), await server.person()];
  const body = await comeBack(one.client.beginLink, randomUUID());
  const gone = expect.objectContaining({
    status: 409,
    message: expect.stringMatching(/begin to link again/),
  });
  await expect(one.client.finishLink({ body: { link: body.state } })).rejects.toEqual(gone);
  const { link } = await one.client.proveLink({ body });
  await expect(two.client.finishLink({ body: { link } })).rejects.toEqual(gone);
  const bytes = Buffer.from(link, 'base64url');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  const changed = bytes.toString('base64url');
  await expect(one.client.finishLink({ body: { link: changed } })).rejects.toEqual(gone);
  const state = await refused(one.client.proveLink({ body: { ...body, state: link } }));
  expect(state.status).toBe(401);
  const now = jest.spyOn(clock, 'now').mockReturnValue(clock.now() + 11 * 60_000);
  await expect(one.client.finishLink({ body: { link } })).rejects.toEqual(gone);
  now.mockRestore();
  await one.client.finishLink({ body: { link } });
  await expect(one.client.finishLink({ body: { link } })).rejects.toEqual(gone);
});

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

test('a session of which nobody knows how it began proves nothing, also when another takes its place', async () => {
  const { userId } = await server.person();
  // As a process of an earlier version would issue it.
  const { token } = await context().tokens.issue(userId, new Date());
  const older = as(token);
  await expect(comeBack(older.beginLink, randomUUID())).rejects.toEqual(WANTS_PROOF);
  const next = as((await older.endOtherSessions()).token);
  expect((await next.listSessions()).items).toMatchObject([{ begun_by: 'older', current: true }]);
  await expect(comeBack(next.beginLink, randomUUID())).rejects.toEqual(WANTS_PROOF);
});

test('where no passwords are taken, whoever has forgotten an old one links after the link of the operator', async () => {
  const { login, userId } = await linkedPerson();
  const { config, db } = context();
  config.passwordLogin = false;
  try {
    const there = as((await signOn(server.visitor, login, EVIL)).token);
    await expect(comeBack(there.beginLink, randomUUID())).rejects.toEqual(
      expect.objectContaining({
        status: 403,
        message: expect.stringMatching(/one-time link .*owner -- reset/),
      }),
    );
    const code = codeOf(await createLink(context(), db, userId));
    const password = 'a way in for emergencies';
    const { token } = await server.visitor.acceptInvitation({ body: { code, password } });
    expect(await linkTo(as(token), randomUUID())).toMatchObject({ provider: 'acme' });
  } finally {
    config.passwordLogin = true;
  }
});
