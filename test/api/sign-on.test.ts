import { randomBytes } from 'node:crypto';
import { createAvow } from '@avow/sdk';
import { clock } from '../../server/src/domain/clock';
import { createLink, createUser } from '../../server/src/services/accounts';
import { ACCOUNTS_PER_DAY } from '../../server/src/services/sponsors';
import { checkedFetch } from '../helpers/contract';
import { addApp, codeNow, refused as refusalOf } from '../helpers/second-factor';
import { PASSWORD, startServer, type TestServer } from '../helpers/server';
import { type Faults, type Person, startProvider, type TestProvider } from '../helpers/sign-on/provider';
import { comeBack, linkTo, newSecret, type Returned, signOn, Walker } from '../helpers/sign-on/walk';
import { codeOf } from '../helpers/site/people';
import { until } from '../helpers/until';

jest.setTimeout(120_000);

let acme: TestProvider;
let other: TestProvider;
let server: TestServer;
let shop: Awaited<ReturnType<TestServer['site']>>;
let count = 0;
/** The rules of both providers. */
let access: object[] = [];

const context = () => server.service.context;

beforeAll(async () => {
  [acme, other] = await Promise.all([startProvider(), startProvider()]);
  server = await startServer({
    variables: { OIDC_PROVIDERS: 'acme,other', ...acme.variables('acme'), ...other.variables('other') },
  });
  context().config.publicUrl = server.url;
  await Promise.all([acme.register('acme', server), other.register('other', server)]);
  shop = await server.site();
  // The token of a site is known only now; an operator knows it before.
  access = [
    { group: 'staff', grant: null },
    ...(['owner', 'operator', 'viewer'] as const).map((role) => ({
      group: `${role}s`,
      grant: { role, site: shop.token },
    })),
  ];
  for (const { provider } of context().providers.values()) Object.assign(provider, { access });
});
afterAll(async () => {
  await server?.stop();
  await Promise.all([acme?.stop(), other?.stop()]);
});
afterEach(() => acme.faults({}));

/** A new person of the provider, verified and in these groups. */
async function person(groups: string[], more: Person = {}, provider = acme) {
  count += 1;
  const login = `person${count}`;
  const email = `${login}@example.com`;
  await provider.people({ [login]: { email, email_verified: true, name: login, groups, ...more } });
  return { login, email };
}

const as = (token: string) => createAvow({ baseUrl: server.url, token, fetch: checkedFetch, retries: 0 });
const finish = (body: Returned) => server.visitor.finishSignOn({ body });
const refused = (status: number, message: RegExp) =>
  expect.objectContaining({ status, message: expect.stringMatching(message) });
const members = async () => (await shop.client.listMembers({ token: shop.token, limit: 100 })).items;
const memberOf = async (email: string) => (await members()).find((one) => one.email === email);
const siteEvents = async () => (await shop.client.listAuditEvents({ token: shop.token, limit: 100 })).items;

describe('accounts', () => {
  test('whom a rule lets in gets an account without a password, and the roles of their groups', async () => {
    const { login, email } = await person(['staff', 'viewers', 'operators']);
    const session = await signOn(server.visitor, login);
    expect(session.user.email).toBe(email);
    expect(await memberOf(email)).toMatchObject({
      ...{ role: 'operator', status: 'active', given_by: 'acme', last_owner: false },
      signed_on: { provider: 'acme' },
    });
    expect(await as(session.token).listIdentities()).toMatchObject({
      has_password: false,
      identities: [{ provider: 'acme', email, works: true }],
    });
    const { items } = await as(session.token).listAccountEvents();
    expect(items[0]).toMatchObject({
      ...{ operation: 'finishSignOn', kind: 'change', via: 'login', resource: 'account' },
      changes: [{ field: 'logged_in_by', before: null, after: 'acme' }],
    });
    const again = await signOn(server.visitor, login);
    expect(again.user.id).toBe(session.user.id);
    const body = { title: 'Lost laptop', aware_at: '2026-11-20T09:00:00.000Z' };
    await as(again.token).createBreach({ token: shop.token, body });
    expect((await siteEvents())[0]).toMatchObject({ operation: 'createBreach', begun_by: 'oidc' });
  });

  test('a person is told apart by issuer and subject: an address that has changed there changes nothing here', async () => {
    const { login, email } = await person(['staff']);
    const first = await signOn(server.visitor, login);
    await acme.people({ [login]: { email: `new-${email}`, email_verified: false, groups: ['staff'] } });
    expect((await signOn(server.visitor, login)).user).toEqual(first.user);
  });

  test('who is in none of the groups is refused, and no account is made', async () => {
    const { login, email } = await person(['strangers']);
    await expect(signOn(server.visitor, login)).rejects.toEqual(refused(403, /none of your groups/));
    expect(await context().db('users').where({ email })).toEqual([]);
  });

  test('an address that is not verified gets nobody an account', async () => {
    const { login } = await person(['staff'], { email_verified: false });
    await expect(signOn(server.visitor, login)).rejects.toEqual(refused(403, /has not verified/));
    const nobody = await person(['staff'], { email: undefined as never });
    await expect(signOn(server.visitor, nobody.login)).rejects.toEqual(
      refused(403, /gave no e-mail address/),
    );
  });

  test('an account with the address is never taken over, verified or not: its owner links it', async () => {
    const owner = await server.person();
    for (const email_verified of [true, false]) {
      const { login } = await person(['owners'], { email: owner.email, email_verified });
      const status = email_verified ? 409 : 403;
      await expect(signOn(server.visitor, login)).rejects.toMatchObject({ status });
    }
    expect((await owner.client.listIdentities()).identities).toEqual([]);
    const { login } = await person([], { email: 'elsewhere@example.com', email_verified: false });
    expect(await linkTo(owner.client, login)).toMatchObject({ provider: 'acme' });
    // A way in that somebody else might have made.
    const told = await context().db('mails').where({ user_id: owner.userId, kind: 'log_in_changed' });
    expect(told).toHaveLength(1);
    expect((await signOn(server.visitor, login)).user.id).toBe(owner.userId);
  });

  test('an account with an address that nobody has proved gets no role by somebody who has another one', async () => {
    const boss = await server.person();
    await context().db('users').where({ id: boss.userId }).update({ email_verified_at: null });
    const { login } = await person(['owners']);
    await linkTo(boss.client, login);
    await expect(signOn(server.visitor, login)).rejects.toEqual(refused(403, /did not say that .* is yours/));
    expect(await memberOf(boss.email)).toBeUndefined();
    // What the provider says of the same address proves it.
    await acme.people({ [login]: { email: boss.email, email_verified: false, groups: ['owners'] } });
    await expect(signOn(server.visitor, login)).rejects.toMatchObject({ status: 403 });
    await acme.people({ [login]: { email: boss.email, email_verified: true, groups: ['owners'] } });
    expect((await signOn(server.visitor, login)).user.id).toBe(boss.userId);
    expect(await memberOf(boss.email)).toMatchObject({ role: 'owner', given_by: 'acme' });
    expect(await boss.client.getMe()).toMatchObject({ email_verified: true });
  });

  test('a link is for the account that began it, and an account of the provider is linked once', async () => {
    const [one, two] = [await server.person(), await server.person()];
    const { login } = await person([]);
    const body = await comeBack((input) => one.client.beginLink(input), login);
    await expect(two.client.proveLink({ body })).rejects.toMatchObject({ status: 401 });
    await expect(finish(body)).rejects.toMatchObject({ status: 401 });
    const { link } = await one.client.proveLink({ body });
    await expect(two.client.finishLink({ body: { link } })).rejects.toEqual(
      refused(409, /for another account/),
    );
    await one.client.finishLink({ body: { link } });
    await expect(one.client.finishLink({ body: { link } })).rejects.toEqual(refused(409, /was used/));
    await expect(linkTo(two.client, login)).rejects.toEqual(refused(409, /belongs to another/));
  });

  test('the operator makes an account that nobody has used: who proves its address gets it, and its link ends', async () => {
    const { login, email } = await person([]);
    const link = await context().db.transaction(async (trx) => {
      const { id } = await createUser(trx, { email, name: 'Prepared', passwordHash: null });
      return createLink(context(), trx, id);
    });
    expect((await signOn(server.visitor, login)).user.name).toBe('Prepared');
    await expect(server.visitor.lookAtInvitation({ body: { code: codeOf(link) } })).rejects.toMatchObject({
      status: 404,
    });
  });

  test('whoever is invited gets in by the provider, and accepts with that account; nobody sets it a password', async () => {
    const { login, email } = await person([]);
    const body = { email, role: 'viewer' as const };
    const { invitation_url } = await shop.client.addMember({ token: shop.token, body });
    const session = await signOn(server.visitor, login);
    const code = codeOf(invitation_url);
    await expect(
      server.visitor.acceptInvitation({ body: { code, password: 'a password of a thief' } }),
    ).rejects.toMatchObject({ status: 409 });
    expect(await as(session.token).joinEnvironment({ body: { code } })).toMatchObject({ role: 'viewer' });
    expect(await memberOf(email)).toMatchObject({ given_by: null });
  });

  test('a link of the operator ends what was linked by hand: a squatter does not come back by a provider', async () => {
    const squatter = await server.person();
    const { login } = await person([]);
    await linkTo(squatter.client, login);
    const code = codeOf(await createLink(context(), context().db, squatter.userId));
    await server.visitor.acceptInvitation({ body: { code, password: 'of the true holder' } });
    await expect(signOn(server.visitor, login)).rejects.toMatchObject({ status: 403 });
  });

  test('a provider speaks only for the domains that the operator lets it speak for', async () => {
    const provider = context().providers.get('acme')?.provider as object;
    const trusted = { emailDomains: ['*'] };
    Object.assign(provider, { emailDomains: ['example.com', 'other.example'] });
    const mine = refused(403, /may not log in people with an e-mail address of this domain/);
    try {
      // An account that the operator prepared, one by a rule, an invitation.
      const email = 'carol@a.example';
      const { id: userId } = await createUser(context().db, { email, name: 'Carol', passwordHash: null });
      await createLink(context(), context().db, userId);
      const { login } = await person(['staff'], { email });
      await expect(signOn(server.visitor, login)).rejects.toEqual(mine);
      const byRule = await person(['owners'], { email: 'dan@sub.example.com' });
      await expect(signOn(server.visitor, byRule.login)).rejects.toEqual(mine);
      const guest = 'eve@a.example';
      await shop.client.addMember({ token: shop.token, body: { email: guest, role: 'viewer' } });
      const invited = await person([], { email: guest });
      await expect(signOn(server.visitor, invited.login)).rejects.toEqual(mine);
      // One that it made before the operator named its domains.
      Object.assign(provider, trusted);
      const { user } = await signOn(server.visitor, byRule.login);
      const holder = await server.person();
      const linked = await person([], { email: 'fay@a.example' });
      await linkTo(holder.client, linked.login);
      Object.assign(provider, { emailDomains: ['other.example'] });
      await expect(signOn(server.visitor, byRule.login)).rejects.toEqual(mine);
      expect(user.email).toBe('dan@sub.example.com');
      // What its holder has linked was proven by a log-in here, unless that was the provider's own.
      expect((await signOn(server.visitor, linked.login)).user.id).toBe(holder.userId);
      await context().db('users').where({ id: holder.userId }).update({ password_hash: null });
      await expect(signOn(server.visitor, linked.login)).rejects.toEqual(mine);
    } finally {
      Object.assign(provider, trusted);
    }
  });

  test('a disabled account gets no session, and the attempt is in its trail', async () => {
    const { login } = await person(['staff']);
    const { user } = await signOn(server.visitor, login);
    await context().db('users').where({ id: user.id }).update({ disabled_at: new Date() });
    await expect(signOn(server.visitor, login)).rejects.toEqual(refused(403, /disabled/));
    await until('it is noted', async () => {
      const rows = await context().db('audit_events').where({ account_id: user.id, kind: 'refused' });
      return rows.length === 1;
    });
  });

  test('the only way in is not unlinked; roles of its groups end with it', async () => {
    const { login } = await person(['viewers']);
    const { token } = await signOn(server.visitor, login);
    const [only] = (await as(token).listIdentities()).identities;
    const identity_id = only?.identity_id ?? '';
    await expect(as(token).unlinkIdentity({ identity_id })).rejects.toEqual(
      refused(409, /only way to log in/),
    );
    const elsewhere = await person([], {}, other);
    await linkTo(as(token), elsewhere.login, { provider: 'other' });
    await as(token).unlinkIdentity({ identity_id });
    expect(await memberOf(`${login}@example.com`)).toBeUndefined();
    const stranger = await server.person();
    await expect(stranger.client.unlinkIdentity({ identity_id })).rejects.toMatchObject({ status: 404 });
  });
});

describe('roles', () => {
  test('each log-in sets them anew: raised, lowered, taken away, with an event in the trail of the site', async () => {
    const { login, email } = await person(['viewers']);
    await signOn(server.visitor, login);
    const roles: (string | undefined)[] = [];
    for (const groups of [['owners', 'viewers'], ['operators'], ['staff']]) {
      await acme.people({ [login]: { email, email_verified: true, groups } });
      await signOn(server.visitor, login);
      roles.push((await memberOf(email))?.role);
    }
    expect(roles).toEqual(['owner', 'operator', undefined]);
    const changes = (await siteEvents())
      .filter(({ operation, actor }) => operation === 'finishSignOn' && actor?.email === email)
      .map(({ changes: all }) =>
        all.filter(({ field }) => field === 'role').map(({ before, after }) => [before, after]),
      );
    expect(changes).toEqual([
      [['operator', null]],
      [['owner', 'operator']],
      [['viewer', 'owner']],
      [[null, 'viewer']],
    ]);
  });

  test('whoever may work on requests no more has none', async () => {
    const { login, email } = await person(['operators']);
    await signOn(server.visitor, login);
    const { token, client } = shop;
    const { request_id } = await server.visitor.submitDsar({
      token,
      body: { request_type: 'access', email },
    });
    const assignee = (await memberOf(email))?.user_id as number;
    await client.assignDsar({ token, request_id, body: { assignee } });
    await acme.people({ [login]: { email, email_verified: true, groups: ['viewers'] } });
    await signOn(server.visitor, login);
    const { assignee: nobody, history } = await client.getDsar({ token, request_id });
    expect([nobody, history.at(-1)]).toEqual([
      null,
      expect.objectContaining({ action: 'unassigned', note: 'The groups of acme ended their role.' }),
    ]);
  });

  test('whom only an invitation lets in makes no sites before they accept one, and counts in its group then', async () => {
    const { login, email } = await person(['strangers']);
    // Of two invitations, the newest does not place them.
    const other = await server.site();
    const { invitation_url } = await shop.client.addMember({
      token: shop.token,
      body: { email, role: 'viewer' },
    });
    await other.client.addMember({ token: other.token, body: { email, role: 'viewer' } });
    const { user, token } = await signOn(server.visitor, login);
    const rowOf = () => context().db('users').where({ id: user.id }).first('sponsor_id', 'was_claimed');
    // It counts for one of those who invited, and is of no group of theirs.
    expect(await rowOf()).toEqual({ sponsor_id: shop.userId, was_claimed: true });
    const body = { name: 'Own', domain: 'own.example.com' };
    await expect(as(token).createEnvironment({ body })).rejects.toEqual(refused(403, /accept an invitation/));
    await as(token).joinEnvironment({ body: { code: codeOf(invitation_url) } });
    expect(await rowOf()).toEqual({ sponsor_id: shop.userId, was_claimed: false });
    const own = await signOn(server.visitor, (await person(['staff'])).login);
    expect(
      (await context().db('users').where({ id: own.user.id }).first('sponsor_id')).sponsor_id,
    ).toBeNull();
  });

  test('whom only invitations let in counts for who still has room, and comes in tomorrow if nobody has', async () => {
    const { login, email } = await person(['strangers']);
    const [full, free] = [await server.site(), await server.site()];
    const now = new Date();
    const made = (of: number, n: number) => {
      const address = `made-${of}-${n}@example.com`;
      return {
        ...{ id: of * 10_000 + n, email: address, email_key: address, name: address, sponsor_id: of },
        ...{ tokens_valid_from: now, created_at: now },
      };
    };
    const fill = ({ userId }: { userId: number }) =>
      context()
        .db('users')
        .insert(Array.from({ length: ACCOUNTS_PER_DAY }, (_, n) => made(userId, n)));
    await fill(full);
    await full.client.addMember({ token: full.token, body: { email, role: 'viewer' } });
    await expect(signOn(server.visitor, login)).rejects.toEqual(refused(429, /within 24 hours/));
    const { invitation_url } = await free.client.addMember({
      token: free.token,
      body: { email, role: 'viewer' },
    });
    const { user, token } = await signOn(server.visitor, login);
    const rowOf = () => context().db('users').where({ id: user.id }).first('sponsor_id', 'was_claimed');
    expect(await rowOf()).toEqual({ sponsor_id: free.userId, was_claimed: true });
    // It is counted already.
    await fill(free);
    await as(token).joinEnvironment({ body: { code: codeOf(invitation_url) } });
    expect(await rowOf()).toEqual({ sponsor_id: free.userId, was_claimed: false });
  });

  test('who has lost every group is refused, and the sessions of before end', async () => {
    const { login, email } = await person(['viewers']);
    const { token } = await signOn(server.visitor, login);
    await acme.people({ [login]: { email, email_verified: true, groups: [] } });
    await expect(signOn(server.visitor, login)).rejects.toEqual(refused(403, /none of your groups/));
    expect(await memberOf(email)).toBeUndefined();
    await expect(as(token).getMe()).rejects.toMatchObject({ status: 401 });
  });

  test('the last owner who can log in stays one, and the trail says so', async () => {
    const owner = await server.site();
    const { login, email } = await person(['admins']);
    access.push({ group: 'admins', grant: { role: 'owner', site: owner.token } });
    const session = await signOn(server.visitor, login);
    await as(session.token).removeMember({ token: owner.token, user_id: owner.userId });
    await acme.people({ [login]: { email, email_verified: true, groups: [] } });
    const again = await signOn(server.visitor, login);
    const { items } = await as(again.token).listMembers({ token: owner.token });
    expect(items).toMatchObject([{ email, role: 'owner', last_owner: true }]);
    const trail = await as(again.token).listAuditEvents({ token: owner.token });
    expect(trail.items[0]?.changes).toMatchObject([{ field: 'kept_as_last_owner' }]);
  });

  test('a role that people gave is theirs: groups neither raise nor end it, and the other way round', async () => {
    const { login, email } = await person(['owners']);
    const { user } = await signOn(server.visitor, login);
    await expect(
      shop.client.updateMember({ token: shop.token, user_id: user.id, body: { role: 'viewer' } }),
    ).rejects.toEqual(refused(409, /groups of acme give this role/));
    await shop.client.removeMember({ token: shop.token, user_id: user.id });
    const { token } = await signOn(server.visitor, login).then((session) => session);
    await shop.client.removeMember({ token: shop.token, user_id: user.id });
    const body = { email, role: 'viewer' as const };
    const { invitation_url } = await shop.client.addMember({ token: shop.token, body });
    await as(token).joinEnvironment({ body: { code: codeOf(invitation_url) } });
    await signOn(server.visitor, login);
    expect(await memberOf(email)).toMatchObject({ role: 'viewer', given_by: null });
  });

  test('who was removed gets the role of their groups back by the next log-in, which no invitation changes', async () => {
    const { login, email } = await person(['owners']);
    const { user } = await signOn(server.visitor, login);
    const key = { token: shop.token, user_id: user.id };
    await shop.client.removeMember(key);
    const body = { email, role: 'viewer' as const };
    const { invitation_url } = await shop.client.addMember({ token: shop.token, body });
    const { token } = await signOn(server.visitor, login);
    // Beside the invitation, which nobody has used.
    const joined = async () => (await members()).filter(({ user_id }) => user_id === user.id);
    expect(await joined()).toMatchObject([{ email, role: 'owner', given_by: 'acme' }]);
    const join = { body: { code: codeOf(invitation_url) } };
    await expect(as(token).joinEnvironment(join)).rejects.toEqual(
      refused(409, /member of this site already/),
    );
    expect(await joined()).toMatchObject([{ role: 'owner', given_by: 'acme' }]);
  });

  test.each([['strangers'], ['staff']])(
    'what the refusal of another role advises holds: out of the group (now %s), removed, and invited',
    async (group) => {
      const { login, email } = await person(['owners']);
      const { user } = await signOn(server.visitor, login);
      const key = { token: shop.token, user_id: user.id };
      await expect(shop.client.updateMember({ ...key, body: { role: 'viewer' } })).rejects.toEqual(
        refused(409, /take the person out of the group there, remove them here, and invite them/),
      );
      await acme.people({ [login]: { email, email_verified: true, groups: [group] } });
      await shop.client.removeMember(key);
      const body = { email, role: 'viewer' as const };
      const { invitation_url } = await shop.client.addMember({ token: shop.token, body });
      const { token } = await signOn(server.visitor, login);
      await as(token).joinEnvironment({ body: { code: codeOf(invitation_url) } });
      await signOn(server.visitor, login);
      expect(await memberOf(email)).toMatchObject({ role: 'viewer', given_by: null });
    },
  );

  test.each([
    [
      'an owner removes them',
      ({ user_id }: { user_id: number }) => shop.client.removeMember({ token: shop.token, user_id }),
    ],
    [
      'their groups end the role',
      async ({ login, email }: { login: string; email: string }) => {
        await acme.people({ [login]: { email, email_verified: true, groups: ['staff'] } });
        await signOn(server.visitor, login);
      },
    ],
  ] as const)('an invitation that was never used ends with the membership: %s', async (_, leave) => {
    const { login, email } = await person(['viewers']);
    const foreign = await server.site();
    const invited = { email: email.toUpperCase(), role: 'owner' as const };
    const { invitation_url } = await shop.client.addMember({ token: shop.token, body: invited });
    const elsewhere = await foreign.client.addMember({ token: foreign.token, body: invited });
    const { token, user } = await signOn(server.visitor, login);
    await leave({ login, email, user_id: user.id });
    const join = (url: string | undefined) => as(token).joinEnvironment({ body: { code: codeOf(url) } });
    await expect(join(invitation_url)).rejects.toMatchObject({ status: 404 });
    expect((await members()).filter((one) => one.email.toLowerCase() === email)).toEqual([]);
    // Of another site, whose owner has removed nobody.
    expect(await join(elsewhere.invitation_url)).toMatchObject({ role: 'owner' });
  });

  test('an owner sees the providers and the rules of the own site, and no other', async () => {
    const { providers, password } = await shop.client.getSignOn({ token: shop.token });
    expect(password).toBe(true);
    expect(providers.map(({ provider }) => provider)).toEqual(['acme', 'other']);
    expect(providers[0]).toMatchObject({
      issuer: acme.issuer,
      redirect_uri: `${server.url}/console/sign-on/acme`,
      rules: expect.arrayContaining([{ group: 'owners', role: 'owner' }]),
    });
    const foreign = await server.site();
    expect((await foreign.client.getSignOn({ token: foreign.token })).providers[0]?.rules).toEqual([]);
  });
});

describe('a log-in', () => {
  test('is finished once, though two come back at once and though the code is another', async () => {
    const { login } = await person(['staff']);
    const walker = new Walker();
    const { secret, challenge } = newSecret();
    const body = { provider: 'acme', challenge };
    const { authorization_url } = await server.visitor.beginSignOn({ body });
    const back = `${server.url}/console/sign-on/acme`;
    const returned = async (): Promise<Returned> => {
      const { searchParams } = await walker.authorise(authorization_url, login, back);
      const [state, code] = ['state', 'code'].map((name) => searchParams.get(name) ?? '');
      return { provider: 'acme', state: state as string, code: code as string, iss: acme.issuer, secret };
    };
    // One flow, two codes: the person went back and logged in again.
    const answers = await Promise.allSettled([finish(await returned()), finish(await returned())]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await acme.asked();
    await expect(finish(await returned())).rejects.toEqual(refused(401, /finished already/));
    expect((await acme.asked())['/token']).toBeUndefined();
  });

  test('with a code that was used is refused', async () => {
    const { login } = await person(['staff']);
    const first = await comeBack(server.visitor.beginSignOn, login);
    await finish(first);
    const second = await comeBack(server.visitor.beginSignOn, login);
    await expect(finish({ ...second, code: first.code })).rejects.toEqual(
      refused(401, /does not take this code/),
    );
  });

  test('is finished by the browser alone that began it, at the provider that it began at', async () => {
    const { login } = await person(['staff']);
    const body = await comeBack(server.visitor.beginSignOn, login);
    const wrong: Partial<Returned>[] = [
      { secret: newSecret().secret },
      { provider: 'other' },
      { state: 'AAAA' },
      { state: `${body.state.slice(0, -8)}AAAAAAAA` },
    ];
    for (const part of wrong)
      await expect(finish({ ...body, ...part })).rejects.toEqual(
        refused(401, /did not begin in this browser/),
      );
    await expect(finish({ ...body, provider: 'unknown' })).rejects.toMatchObject({ status: 404 });
    // None of them has used it up.
    await finish(body);
  });

  test('that names another issuer is a mix-up (RFC 9207), and so is one that names none', async () => {
    const { login } = await person(['staff']);
    const body = await comeBack(server.visitor.beginSignOn, login);
    expect(body.iss).toBe(acme.issuer);
    const untrusted = refused(401, /is not for this log-in/);
    await acme.asked();
    await expect(finish({ ...body, iss: other.issuer })).rejects.toEqual(untrusted);
    const { iss: _, ...without } = body;
    await expect(finish(without)).rejects.toEqual(untrusted);
    expect((await acme.asked())['/token']).toBeUndefined();
  });

  test('ends after ten minutes', async () => {
    const { login } = await person(['staff']);
    const body = await comeBack(server.visitor.beginSignOn, login);
    const later = clock.now() + 10 * 60_000 + 1;
    const now = jest.spyOn(clock, 'now').mockReturnValue(later);
    try {
      await expect(finish(body)).rejects.toEqual(refused(401, /more than ten minutes/));
    } finally {
      now.mockRestore();
    }
  });

  const seconds = (from: number): number => Math.floor(Date.now() / 1000) + from;
  test.each<[string, () => Faults, RegExp]>([
    ['is for another client', () => ({ claims: { aud: 'somebody-else' } }), /not for this log-in/],
    ['is of another issuer', () => ({ claims: { iss: 'https://evil.example' } }), /not for this log-in/],
    ['has another nonce', () => ({ claims: { nonce: 'of another log-in' } }), /not for this log-in/],
    ['has no nonce', () => ({ claims: { nonce: null } }), /not for this log-in/],
    ['is signed with another key', () => ({ otherKey: true }), /not for this log-in/],
    [
      'comes from a clock that is behind',
      () => ({ claims: { exp: seconds(-120), iat: seconds(-3720) } }),
      /clocks/,
    ],
    ['comes from a clock that is ahead', () => ({ claims: { nbf: seconds(120) } }), /clocks/],
  ])('whose ID token %s is refused', async (_, faults, message) => {
    const { login, email } = await person(['staff']);
    const body = await comeBack(server.visitor.beginSignOn, login);
    await acme.faults(faults());
    await expect(finish(body)).rejects.toEqual(refused(401, message));
    expect(await context().db('users').where({ email })).toEqual([]);
  });

  test('whose ID token comes from a clock that differs by half a minute is taken', async () => {
    const { login } = await person(['staff']);
    const body = await comeBack(server.visitor.beginSignOn, login);
    await acme.faults({ claims: { exp: seconds(-30), nbf: seconds(30) } });
    await expect(finish(body)).resolves.toMatchObject({ user: { name: login } });
  });

  test('goes on at once when the provider has changed its key', async () => {
    const { login } = await person(['staff']);
    await signOn(server.visitor, login);
    await acme.rotate();
    await expect(signOn(server.visitor, login)).resolves.toMatchObject({ user: { name: login } });
  });

  test.each<[string, Faults]>([
    ['is silent', { silent: true }],
    ['fails', { failing: true }],
    ['answers without end', { huge: true }],
  ])('at a provider that %s is a 503 that says so, and the next one works', async (_, faults) => {
    const { login } = await person(['staff']);
    const body = await comeBack(server.visitor.beginSignOn, login);
    await acme.faults(faults);
    const away = refused(503, /Acme does not answer/);
    await expect(finish(body)).rejects.toEqual(away);
    await acme.faults({});
    await finish(body).catch(() => undefined);
    await signOn(server.visitor, login);
  });
});

describe('the end of a session', () => {
  test('a log-out here names where it goes on at the provider', async () => {
    const { login } = await person(['staff']);
    const { token } = await signOn(server.visitor, login);
    const { provider_logout_url } = await as(token).logout();
    const url = new URL(provider_logout_url ?? '');
    expect(url.origin + url.pathname).toBe(`${acme.issuer}/session/end`);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${server.url}/console/login`);
    expect(url.searchParams.get('id_token_hint')).toMatch(/^eyJ/);
    await expect(as(token).getMe()).rejects.toMatchObject({ status: 401 });
    // Nothing of it is readable in the database, and nothing is left.
    expect(await context().db('provider_sessions').where({ subject: login })).toEqual([]);
    const withPassword = await server.person();
    expect(await withPassword.client.logout()).not.toHaveProperty('provider_logout_url');
  });

  test('the provider ends the sessions of a person who logs out there, and only those', async () => {
    const { login } = await person(['staff']);
    const [one, two] = [await signOn(server.visitor, login), await signOn(server.visitor, login)];
    const bystander = await signOn(server.visitor, (await person(['staff'])).login);
    const body = new URLSearchParams({ logout_token: await acme.logoutToken({ sub: login }) });
    // As a provider sends it: a form.
    const answer = await fetch(`${server.url}/api/auth/sign-on/acme/logout`, { method: 'POST', body });
    expect(answer.status).toBe(200);
    for (const { token } of [one, two])
      await expect(as(token).getMe()).rejects.toMatchObject({ status: 401 });
    expect(await as(bystander.token).getMe()).toMatchObject({ id: bystander.user.id });
    const again = await signOn(server.visitor, login);
    const { items } = await as(again.token).listAccountEvents();
    expect(items.filter(({ operation }) => operation === 'logoutByProvider')).toHaveLength(1);
  });

  test('the provider ends all of them, however many somebody has prepared', async () => {
    const { login } = await person(['staff']);
    const { token, user } = await signOn(server.visitor, login);
    const like = await context().db('provider_sessions').where({ user_id: user.id }).first();
    const rows = Array.from({ length: 2_100 }, () => ({ ...like, token_hash: randomBytes(32) }));
    await context().db.batchInsert('provider_sessions', rows, 500);
    const logout_token = await acme.logoutToken({ sub: login });
    await server.visitor.logoutByProvider({ provider: 'acme', body: { logout_token } });
    expect(await context().db('provider_sessions').where({ user_id: user.id })).toEqual([]);
    await expect(as(token).getMe()).rejects.toMatchObject({ status: 401 });
  });

  test.each<[string, Record<string, unknown>]>([
    ['for another client', { aud: 'somebody-else' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['that is an ID token', { nonce: 'abc' }],
    ['without the event', { events: {} }],
    ['about nobody', {}],
    ['that is old', { sub: 'ada', iat: 1_700_000_000, exp: 1_700_000_120 }],
  ])('a logout token %s ends nothing', async (_, claims) => {
    const { login } = await person(['staff']);
    const { token } = await signOn(server.visitor, login);
    const about =
      'events' in claims || 'aud' in claims || 'iss' in claims || 'nonce' in claims ? { sub: login } : {};
    const logout_token = await acme.logoutToken({ ...about, ...claims });
    await expect(
      server.visitor.logoutByProvider({ provider: 'acme', body: { logout_token } }),
    ).rejects.toMatchObject({ status: 401 });
    expect(await as(token).getMe()).toMatchObject({ name: login });
  });
});

describe('a server that takes no passwords', () => {
  beforeAll(() => {
    context().config.passwordLogin = false;
  });
  afterAll(() => {
    context().config.passwordLogin = true;
  });

  test('refuses them all alike, right or wrong, and says by whom to log in', async () => {
    const { email } = await server.person();
    for (const body of [
      { email, password: PASSWORD },
      { email: 'nobody@example.com', password: 'wrong' },
    ])
      await expect(server.visitor.login({ body })).rejects.toEqual(refused(403, /log in with Acme or Other/));
    expect((await server.visitor.getLoginMethods()).password).toBe(false);
  });

  test('refuses passkeys and forgotten passwords too, and lets a running session prove who is there', async () => {
    const { client, email } = await server.person();
    const passkey = {
      credential_id: 'bm9ib2R5',
      client_data_json: 'e30',
      authenticator_data: 'AAAA',
      signature: 'AAAA',
    };
    const password = 'quite another horse';
    const { visitor } = server;
    for (const call of [
      () => visitor.beginPasskeyLogin(),
      () => visitor.loginWithPasskey({ body: { challenge: 'made.up.text', passkey } }),
      () => visitor.requestPasswordReset({ body: { email } }),
      () =>
        visitor.resetPassword({ body: { code: 'q0Y2m1pJ3l5wq8uK2s4d6f8g0h1j3k5l7z9x1c3v5b7', password } }),
    ])
      await expect(call()).rejects.toEqual(refused(403, /no passkeys: log in with Acme or Other/));
    // It lasts no longer than the log-in: then the provider is asked again.
    const [{ expires_at }] = (await client.listSessions()).items as unknown as [{ expires_at: string }];
    const proved = await client.reauthenticate({ body: { password: PASSWORD } });
    expect(proved).toMatchObject({ user: { email }, expires_at });
    const passwords = { current_password: PASSWORD, new_password: password };
    expect(await as(proved.token).changePassword({ body: passwords })).toMatchObject({ expires_at });
  });

  test('keeps tokens and API keys that there are', async () => {
    const { key } = await shop.client.createKey({
      body: { name: 'nightly', set: 'export', site: shop.token },
    });
    const program = createAvow({ baseUrl: server.url, apiKey: key, fetch: checkedFetch, retries: 0 });
    expect((await program.listConsents({ token: shop.token })).items).toEqual([]);
    expect(await shop.client.getMe()).toMatchObject({ id: shop.userId });
  });

  test('takes the one-time link of the operator, and no password by the link of an owner', async () => {
    const person = await server.person();
    const link = await createLink(context(), context().db, person.userId);
    const password = 'a way in for emergencies';
    const session = await server.visitor.acceptInvitation({ body: { code: codeOf(link), password } });
    expect(await as(session.token).getMe()).toMatchObject({ id: person.userId });
    const body = { email: 'invited@example.com', role: 'viewer' as const };
    const { invitation_url } = await shop.client.addMember({ token: shop.token, body });
    await expect(
      server.visitor.acceptInvitation({ body: { code: codeOf(invitation_url), password } }),
    ).rejects.toEqual(refused(403, /takes no passwords/));
  });
});

test('an account with a second factor needs it, unless the provider says that it asked for one', async () => {
  const { login, email } = await person(['operators']);
  const { user } = await signOn(server.visitor, login);
  await context().db('users').where({ id: user.id }).update({ second_factor_since: new Date() });
  await acme.people({ [login]: { email, email_verified: true, groups: ['viewers'] } });
  await expect(signOn(server.visitor, login)).rejects.toMatchObject({ status: 403 });
  // Its roles are set all the same.
  expect(await memberOf(email)).toMatchObject({ role: 'viewer' });
  await acme.faults({ claims: { amr: ['pwd', 'mfa'] } });
  const { token } = await signOn(server.visitor, login);
  expect(await as(token).getMe()).toMatchObject({ email });
});

describe('a second step after the provider', () => {
  /** Somebody of the provider with an authenticator app. */
  async function withApp() {
    const { login } = await person(['staff']);
    const { client, secret } = await addApp(server, as((await signOn(server.visitor, login)).token));
    const error = await refusalOf(signOn(server.visitor, login));
    expect([error.status, error.code]).toEqual([403, 'second_factor_required']);
    const challenge = error.secondStep?.challenge as string;
    return { login, client, body: { challenge, code: codeNow(secret) } };
  }
  const loggedOutThere = async (login: string) => {
    const logout_token = await acme.logoutToken({ sub: login });
    return server.visitor.logoutByProvider({ provider: 'acme', body: { logout_token } });
  };

  test('begins a session that the provider ends, and whose log-out goes on there', async () => {
    const { login, body } = await withApp();
    const { token } = await server.visitor.completeLogin({ body });
    const { items } = await as(token).listSessions();
    expect(items[0]).toMatchObject({ begun_by: 'oidc', second_factor: true, current: true });
    expect((await as(token).logout()).provider_logout_url).toMatch(/id_token_hint=eyJ/);
    const other = await withApp();
    const session = await server.visitor.completeLogin({ body: other.body });
    await loggedOutThere(login);
    expect(await as(session.token).getMe()).toMatchObject({ id: session.user.id });
    await loggedOutThere(other.login);
    await expect(as(session.token).getMe()).rejects.toMatchObject({ status: 401 });
  });

  test('does not follow when the person has logged out there meanwhile', async () => {
    const { login, body } = await withApp();
    await loggedOutThere(login);
    await expect(server.visitor.completeLogin({ body })).rejects.toMatchObject({ status: 401 });
  });

  test('a session that takes the place of another is the provider’s too', async () => {
    const { login, client } = await withApp();
    const { token } = await client.endOtherSessions();
    expect(await as(token).getMe()).toMatchObject({ name: login });
    await loggedOutThere(login);
    await expect(as(token).getMe()).rejects.toMatchObject({ status: 401 });
  });
});

describe('who proves again who they are by the provider', () => {
  const again = ({ body }: { body: { provider: string; challenge: string } }) =>
    server.visitor.beginSignOn({ body: { ...body, reauthenticate: true } });

  test('is asked there though they are logged in, and the session is a fresh one', async () => {
    const { login } = await person(['staff']);
    const walker = new Walker();
    const { token } = await signOn(server.visitor, login, { walker });
    const later = clock.now() + 16 * 60_000;
    const now = jest.spyOn(clock, 'now').mockReturnValue(later);
    await expect(as(token).beginTotp()).rejects.toMatchObject({ code: 'reauthentication_required' });
    now.mockRestore();
    const { authorization_url } = await again({
      body: { provider: 'acme', challenge: newSecret().challenge },
    });
    const { searchParams } = new URL(authorization_url);
    expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '0']);
    const asked = jest.spyOn(walker, 'fetch');
    const fresh = await finish(await comeBack(again, login, { walker }));
    expect(asked.mock.calls.map(([, init]) => String(init?.body ?? '')).join()).toMatch(
      /prompt=login&login=/,
    );
    expect(await as(fresh.token).beginTotp()).toHaveProperty('secret');
  });

  test('needs it also right after a log-in for which the provider asked nobody', async () => {
    const { login } = await person(['staff']);
    await acme.faults({ claims: { auth_time: Math.floor(Date.now() / 1000) - 16 * 60 } });
    const { token } = await signOn(server.visitor, login);
    await expect(as(token).beginTotp()).rejects.toMatchObject({ code: 'reauthentication_required' });
    // A time that is no safe number, or in the future, is none.
    await acme.faults({ claims: { auth_time: 1e300 } });
    expect(await as((await signOn(server.visitor, login)).token).beginTotp()).toHaveProperty('secret');
  });

  test.each<[string, () => Faults, RegExp]>([
    ['says nothing of it', () => ({ claims: { auth_time: null } }), /does not say when it asked/],
    [
      'asked before',
      () => ({ claims: { auth_time: Math.floor(Date.now() / 1000) - 120 } }),
      /did not ask who you are now/,
    ],
    [
      'says no time',
      () => ({ claims: { auth_time: 'now' } }),
      /not for this log-in|does not say when it asked/,
    ],
  ])('is refused when the provider %s', async (_, faults, message) => {
    const { login } = await person(['staff']);
    const body = await comeBack(again, login);
    await acme.faults(faults());
    await expect(finish(body)).rejects.toEqual(refused(401, message));
  });
});

test('a log-in that one process begins is finished by another', async () => {
  const second = await startServer({
    databaseUrl: server.databaseUrl,
    variables: { OIDC_PROVIDERS: 'acme', ...acme.variables('acme') },
  });
  try {
    second.service.context.config.publicUrl = server.url;
    const { login } = await person(['staff']);
    const body = await comeBack(second.visitor.beginSignOn, login);
    expect(await finish(body)).toMatchObject({ user: { name: login } });
    await expect(second.visitor.finishSignOn({ body })).rejects.toEqual(refused(401, /finished already/));
  } finally {
    await second.stop();
  }
});

test('what strangers begin stores nothing, and asks the provider once', async () => {
  const fresh = await startServer({
    databaseUrl: server.databaseUrl,
    variables: { OIDC_PROVIDERS: 'acme', ...acme.variables('acme') },
  });
  try {
    await acme.asked();
    const tables = ['used_states', 'identities', 'provider_sessions', 'users'];
    const sizes = () => Promise.all(tables.map(async (name) => (await context().db(name)).length));
    const before = await sizes();
    const body = { provider: 'acme', challenge: newSecret().challenge };
    await Promise.all(Array.from({ length: 50 }, () => fresh.visitor.beginSignOn({ body })));
    expect(await acme.asked()).toEqual({ '/.well-known/openid-configuration': 1 });
    expect(await sizes()).toEqual(before);
  } finally {
    await fresh.stop();
  }
});

test('a provider that is away makes nobody wait twice, and is found again', async () => {
  const away = await startProvider();
  const fresh = await startServer({
    databaseUrl: server.databaseUrl,
    variables: { OIDC_PROVIDERS: 'acme', ...away.variables('acme') },
  });
  try {
    await away.faults({ failing: true });
    const body = { provider: 'acme', challenge: newSecret().challenge };
    for (let tries = 0; tries < 3; tries += 1)
      await expect(fresh.visitor.beginSignOn({ body })).rejects.toEqual(refused(503, /Acme does not answer/));
    expect(await away.asked()).toEqual({ '/.well-known/openid-configuration': 1 });
    await away.faults({});
    await until('it is asked again', async () =>
      fresh.visitor.beginSignOn({ body }).then(
        () => true,
        () => false,
      ),
    );
  } finally {
    await Promise.all([fresh.stop(), away.stop()]);
  }
});
