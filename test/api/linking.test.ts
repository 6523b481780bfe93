import { randomUUID } from 'node:crypto';
import { clock } from '../../server/src/domain/clock';
import { createLink } from '../../server/src/services/accounts';
import { clientOf, refused } from '../helpers/second-factor';
import { PASSWORD, type TestServer } from '../helpers/server';
import { EVIL, type Linked, startLinked, WANTS_PROOF } from '../helpers/sign-on/linked';
import type { TestProvider } from '../helpers/sign-on/provider';
import { comeBack, linkTo, signOn } from '../helpers/sign-on/walk';
import { codeOf } from '../helpers/site/people';

jest.setTimeout(120_000);

let acme: TestProvider;
let server: TestServer;
let linkedPerson: Linked['linkedPerson'];
let withoutPassword: Linked['withoutPassword'];
let givePasskey: Linked['givePasskey'];
let stop: Linked['stop'] | undefined;

const context = () => server.service.context;
const as = (token: string) => clientOf(server, token);

beforeAll(async () => {
  ({ acme, server, linkedPerson, withoutPassword, givePasskey, stop } = await startLinked());
});
afterAll(() => stop?.());

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
