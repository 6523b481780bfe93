import { randomUUID } from 'node:crypto';
import { createUser } from '../../server/src/services/accounts';
import { itIs } from '../helpers/at-time';
import { useMailServer } from '../helpers/mail/use-mail-server';
import { clientOf, codeNow, refused } from '../helpers/second-factor';
import { PASSWORD, useServer } from '../helpers/server';
import { codeOf } from '../helpers/site/people';

jest.setTimeout(60_000);

const { mails: mailServer, options } = useMailServer();
const server = useServer(options);
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const NEW = 'quite another horse';

/** The code of the link in the newest of so many mails to an address. */
async function mailedCode(count: number, to: string, path: string): Promise<string> {
  const mails = await mailServer.until(count, to);
  const text = mails.at(-1)?.parsed.text ?? '';
  return new RegExp(`/console/${path}#([\\w-]{43})`).exec(text)?.[1] as string;
}

const ask = (email: string) => server.visitor.requestPasswordReset({ body: { email } });

test('a forgotten password is chosen anew by a mailed link, once; all sessions end', async () => {
  const { client, email } = await server.person();
  expect(await ask(email)).toEqual({ valid_minutes: 60 });
  const code = await mailedCode(1, email, 'reset-password');
  // One that everybody tries first is none, and the link is still there for a better one.
  const common = await refused(server.visitor.resetPassword({ body: { code, password: 'qwertyuiop123' } }));
  expect([common.status, common.errors[0]?.code]).toEqual([400, 'common_password']);
  expect(await server.visitor.resetPassword({ body: { code, password: NEW } })).toEqual({ email });
  expect((await refused(client.getMe())).status).toBe(401);
  expect((await refused(server.visitor.login({ body: { email, password: PASSWORD } }))).status).toBe(401);
  const { token } = await server.visitor.login({ body: { email, password: NEW } });
  // Whoever has opened the mail has the address.
  expect(await clientOf(server, token).getMe()).toMatchObject({ email_verified: true });
  const again = await refused(server.visitor.resetPassword({ body: { code, password: NEW } }));
  expect(again.status).toBe(404);
  const told = await mailServer.until(2, email);
  expect(told.map(({ parsed }) => parsed.subject)).toContain('Your password was chosen anew');
});

test('whoever chose a password by a mailed link logs in at once, however often others have guessed', async () => {
  const { email } = await server.person();
  const { vault, db } = server.service.context;
  const failures = { failures: 1_000, wait_until: new Date(Date.now() + 900_000) };
  for (const who of [
    vault.fingerprint('login', email, '127.0.0.1'),
    vault.fingerprint('login account', email),
  ])
    await db('login_failures').insert({ who, ...failures, window_end: new Date(Date.now() + 900_000) });
  const locked = await refused(server.visitor.login({ body: { email, password: PASSWORD } }));
  expect(locked.status).toBe(429);
  await ask(email);
  const code = await mailedCode(1, email, 'reset-password');
  await server.visitor.resetPassword({ body: { code, password: NEW } });
  expect((await server.visitor.login({ body: { email, password: NEW } })).token).toEqual(expect.any(String));
});

test('whoever asks for the links of another all day leaves them one that works, at any hour', async () => {
  const { email, userId } = await server.person();
  const mails = () => server.service.context.db('mails').where({ user_id: userId, kind: 'password_reset' });
  const sent = async () => (await mails().whereNot({ state: 'withheld' })).length;
  const links = () => server.service.context.db('mailed_links').where({ user_id: userId });
  const begin = Date.now();
  const counts: number[] = [];
  for (let hour = 0; hour < 9; hour += 1) {
    itIs(begin + hour * 3_601_000);
    await Promise.all([ask(email), ask(email), ask(email)]);
    counts.push(await sent());
  }
  // Three an hour, 20 in all; and beyond that one an hour, so that their mailbox is not filled.
  expect(counts).toEqual([3, 6, 9, 12, 15, 18, 20, 21, 22]);
  // A link that nobody was mailed is none.
  expect(await links()).toHaveLength(22);
}, 60_000);

test('an address without an account, or with a disabled one, gets the same answer, and no mail', async () => {
  const nobody = `${randomUUID()}@example.com`;
  const { email, userId } = await server.person();
  await server.service.context.db('users').where({ id: userId }).update({ disabled_at: new Date() });
  expect([await ask(nobody), await ask(email)]).toEqual([{ valid_minutes: 60 }, { valid_minutes: 60 }]);
  const kept = await server.service.context.db('mailed_links').where({ user_id: userId });
  expect(kept).toEqual([]);
  expect(mailServer.mails.flatMap(({ to }) => to)).not.toEqual(expect.arrayContaining([nobody]));
});

test('answers leave at the same beat, whether or not there was something to write', async () => {
  const { email } = await server.person();
  const waits: number[] = [];
  const set = globalThis.setTimeout;
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((
    work: () => void,
    wait = 0,
    ...more: unknown[]
  ) => {
    waits.push(Number(wait));
    return set(work, wait, ...more);
  }) as never);
  // Both are held by the same timer until a full second after they came: what each waits is what is left of it.
  for (const to of [email, `${randomUUID()}@example.com`]) {
    waits.length = 0;
    const came = performance.now();
    await ask(to);
    const held = waits.filter((wait) => wait > 0 && wait <= 1_000 && !Number.isInteger(wait));
    expect(held.length).toBeGreaterThan(0);
    expect(performance.now() - came).toBeGreaterThanOrEqual(Math.max(...held));
  }
});

test('a link works for an hour, three are mailed in one, and none beyond', async () => {
  const { email, userId } = await server.person();
  for (let i = 0; i < 5; i += 1) await ask(email);
  const links = await server.service.context.db('mailed_links').where({ user_id: userId });
  expect(links).toHaveLength(3);
  const code = await mailedCode(3, email, 'reset-password');
  expect(JSON.stringify(links)).not.toContain(code);
  itIs(Date.now() + 3_600_000 + 1_000);
  const late = await refused(server.visitor.resetPassword({ body: { code, password: NEW } }));
  expect(late.status).toBe(404);
});

test('a mailed link passes by no second factor', async () => {
  const { client, email } = await server.person();
  const { secret } = await client.beginTotp();
  await client.confirmTotp({ body: { code: codeNow(secret) } });
  const told = await mailServer.until(1, email);
  expect(told[0]?.parsed.subject).toBe('A second factor was added to your account');
  await ask(email);
  const code = await mailedCode(2, email, 'reset-password');
  const answer = await server.visitor.resetPassword({ body: { code, password: NEW } });
  expect(answer).toEqual({ email });
  const refusal = await refused(server.visitor.login({ body: { email, password: NEW } }));
  expect(refusal.code).toBe('second_factor_required');
});

test('an account owns nothing before its address is verified; viewers enter at once', async () => {
  const owner = await server.person();
  await server.service.context
    .db('users')
    .where({ id: owner.userId })
    .update({ email_verified_at: new Date() });
  const body = { name: 'Example shop', domain: 'shop.example.com' };
  const { token } = await owner.client.createEnvironment({ body });
  const invite = async (role: 'owner' | 'viewer') => {
    const email = `${randomUUID()}@example.com`;
    const { invitation_url } = await owner.client.addMember({ token, body: { email, role } });
    const code = codeOf(invitation_url);
    const session = await server.visitor.acceptInvitation({ body: { code, password: PASSWORD } });
    return { email, code, client: clientOf(server, session.token) };
  };
  const viewer = await invite('viewer');
  await viewer.client.getEnvironment({ token });
  const refusal = await refused(viewer.client.createEnvironment({ body }));
  expect([refusal.status, refusal.message]).toEqual([
    403,
    expect.stringMatching(/Verify your e-mail address/),
  ]);
  const { user_id } = (await owner.client.listMembers({ token })).items.find(
    ({ email }) => email === viewer.email,
  ) as { user_id: number };
  const raise = { token, user_id, body: { role: 'owner' as const } };
  expect((await refused(owner.client.updateMember(raise))).status).toBe(409);

  const entered = async () =>
    (await owner.client.listAuditEvents({ token })).items.flatMap(({ operation, changes }) =>
      /acceptInvitation|joinEnvironment/.test(operation) ? changes : [],
    );
  const ofViewer = { field: 'role', before: null, after: 'viewer', truncated: false };
  expect(await entered()).toEqual([ofViewer]);
  const next = await invite('owner');
  expect(await entered()).toEqual([ofViewer]);
  expect((await refused(next.client.getEnvironment({ token }))).status).toBe(404);
  expect((await refused(next.client.joinEnvironment({ body: { code: next.code } }))).status).toBe(403);
  const mailed = await mailedCode(1, next.email, 'verify-email');
  const verified = await next.client.verifyEmail({ body: { code: mailed } });
  expect(verified.email).toBe(next.email);
  expect((await next.client.joinEnvironment({ body: { code: next.code } })).role).toBe('owner');
  expect(await entered()).toEqual([{ ...ofViewer, after: 'owner' }, ofViewer]);
  await next.client.createEnvironment({ body });
  expect((await refused(next.client.requestEmailVerification())).status).toBe(409);
});

test('accounts that the operator makes need no mail to own a site', async () => {
  const email = `${randomUUID()}@example.com`;
  const made = { email, name: 'Ada Owner', passwordHash: null, isVerified: true };
  const { id } = await createUser(server.service.context.db, made);
  const { token } = await server.service.context.tokens.issue(id);
  await clientOf(server, token).createEnvironment({ body: { name: 'Shop', domain: 'shop.example.com' } });
});

test('a log-in from a device that was not used before is told by mail, others are not', async () => {
  const { email } = await server.person();
  const logIn = (agent: string) =>
    server.visitor.login({ body: { email, password: PASSWORD } }, { headers: { 'User-Agent': agent } });
  await logIn('Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0');
  await logIn('Mozilla/5.0 (X11; Linux x86_64) Firefox/141.0');
  await logIn('Mozilla/5.0 (Windows NT 10.0) Firefox/140.0');
  const [mail, ...more] = await mailServer.until(1, email);
  expect(more).toEqual([]);
  expect(mail?.parsed.subject).toBe('A log-in from a new device');
  expect(mail?.parsed.text).toContain('Firefox on Windows');
  expect(mail?.parsed.text).toContain('127.0.***.***');
  expect(mail?.parsed.text).toContain('choose a new password');
});
