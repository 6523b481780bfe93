import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AvowApiError, createAvow } from '@avow/sdk';
import { emptyDatabase } from '../helpers/database';
import { endChildren, runToEnd, ServerProcess } from '../helpers/processes/child';
import { codeNow } from '../helpers/second-factor';
import { PASSWORD, startServer, type TestServer } from '../helpers/server';

jest.setTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-tools-'));
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let variables: Record<string, string>;

beforeAll(async () => {
  database = await emptyDatabase();
  variables = { DATABASE_URL: database.url, DATA_DIR: folder, PUBLIC_URL: 'https://consent.example.com' };
});
afterAll(async () => {
  await endChildren();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const owner = (args: string[], more: Record<string, string> = {}) =>
  runToEnd('server/cli/main.js', ['owner', ...args], { ...variables, ...more });

/** The code in the link that a command printed, on a line of its own. */
function codeIn(output: string): string {
  const [, code] = /^https:\/\/consent\.example\.com\/console\/setup#([\w-]{43})$/m.exec(output) ?? [];
  return code ?? `no link in: ${output}`;
}

describe('npm run owner', () => {
  let server: TestServer;
  let first: string;
  const accept = (code: string, password = PASSWORD) =>
    server.visitor.acceptInvitation({ body: { code, password } });

  beforeAll(async () => {
    // Before any server has ever run: it migrates an empty database itself.
    const made = await owner(['add', 'Ada@Example.com', '--name', 'Ada']);
    expect(made).toMatchObject({ code: 0, errors: '' });
    first = codeIn(made.output);
    server = await startServer({ databaseUrl: database.url, variables: { DEMO: 'on' } });
  });
  afterAll(() => server.stop());

  test('add: the link lets its owner choose a password, once', async () => {
    const { user } = await accept(first);
    expect(user).toMatchObject({ email: 'Ada@Example.com', name: 'Ada' });
    await expect(accept(first)).rejects.toBeInstanceOf(AvowApiError);
  });

  test('add: who comes while nobody has the demo site gets it, the next does not', async () => {
    const second = await owner(['add', 'bob@example.com']);
    expect(second.output).toMatch(/owns the demo site env_\w{22}/);
    const { token } = await accept(codeIn(second.output));
    const { items } = await createAvow({ baseUrl: server.url, token }).listEnvironments();
    expect(items.map(({ name, role }) => ({ name, role }))).toEqual([{ name: 'Demo site', role: 'owner' }]);
    expect((await owner(['add', 'cy@example.com'])).output).not.toContain('demo site');
  });

  test('add: a demo site that its owner deleted is nobody’s', async () => {
    const { db } = server.service.context;
    const demo = { id: (await db('environments').where({ demo: true }).first('id')).id };
    const [present] = await db('members').where({ environment_id: demo.id }).delete().returning('*');
    await db('environments').where(demo).update({ deleted_at: new Date() });
    expect((await owner(['add', 'dee@example.com'])).output).not.toContain('demo site');
    await db('environments').where(demo).update({ deleted_at: null });
    await db('members').insert(present);
  });

  test('reset-second-factor: the password alone lets in again, and the sessions have ended', async () => {
    const { token } = await accept(codeIn((await owner(['add', 'una@example.com'])).output));
    const client = createAvow({ baseUrl: server.url, token, retries: 0 });
    const none = await owner(['reset-second-factor', 'una@example.com']);
    expect(none).toMatchObject({ code: 1, output: '' });
    const { secret } = await client.beginTotp();
    const { session } = await client.confirmTotp({ body: { code: codeNow(secret) } });
    const login = () => server.visitor.login({ body: { email: 'una@example.com', password: PASSWORD } });
    await expect(login()).rejects.toMatchObject({ code: 'second_factor_required' });
    const toldOf = async () =>
      (await owner(['reset', 'una@example.com'])).output.includes('second factors stay');
    expect(await toldOf()).toBe(true);
    const done = await owner(['reset-second-factor', 'una@example.com']);
    expect(done).toMatchObject({ code: 0, errors: '' });
    const later = createAvow({ baseUrl: server.url, token: session.token, retries: 0 });
    await expect(later.getMe()).rejects.toMatchObject({ status: 401 });
    expect(await toldOf()).toBe(false);
    await login();
  });

  test('add: an existing account, whatever its capitals, is refused with what to do', async () => {
    const again = await owner(['add', 'ada@example.com']);
    expect(again).toMatchObject({ code: 1, output: '' });
    expect(again.errors).toContain('npm run owner -- reset ada@example.com');
  });

  test('an account is found by its address in whatever spelling', async () => {
    const composed = 'ren\u00e9@m\u00fcnchen.example';
    expect(await owner(['add', composed])).toMatchObject({ code: 0 });
    const spellings = [composed.toUpperCase().normalize('NFD'), 'ren\u00e9@xn--mnchen-3ya.example'];
    for (const email of spellings) {
      expect((await owner(['add', email])).errors).toContain('has an account already');
      expect(await owner(['reset', email])).toMatchObject({ code: 0 });
      const trail = await runToEnd('server/cli/main.js', ['audit', '--account', email], variables);
      expect([trail.code, trail.output]).toEqual([0, expect.stringContaining('owner add')]);
    }
  });

  test('add: an account that an invitation made becomes independent, and keeps its password', async () => {
    const { token } = await accept(codeIn((await owner(['add', 'guy@example.com'])).output));
    const client = createAvow({ baseUrl: server.url, token, retries: 0 });
    const site = await client.createEnvironment({ body: { name: 'His', domain: 'his.example.com' } });
    const invited = { email: 'Hal@example.com', role: 'viewer' as const };
    const { invitation_url } = await client.addMember({ token: site.token, body: invited });
    await accept(invitation_url?.split('#')[1] as string);
    const sponsors = () =>
      server.service.context.db('users').where({ email_key: 'hal@example.com' }).pluck('sponsor_id');
    expect(await sponsors()).toEqual([expect.any(Number)]);
    // Whoever invited the address may have chosen the password.
    const unproved = await owner(['add', 'hal@example.com']);
    expect([unproved.code, unproved.errors]).toEqual([1, expect.stringContaining('owner -- reset Hal@')]);
    await accept(codeIn((await owner(['reset', 'hal@example.com'])).output));
    const freed = await owner(['add', 'hal@example.com']);
    expect(freed).toMatchObject({ code: 0, errors: '' });
    expect(freed.output).toContain('Hal@example.com has an account already');
    expect(freed.output).toContain('independent now');
    expect(freed.output).not.toContain('/console/setup#');
    expect(await sponsors()).toEqual([null]);
    await server.visitor.login({ body: { email: 'hal@example.com', password: PASSWORD } });
    expect((await owner(['add', 'hal@example.com'])).code).toBe(1);
  });

  test('add: an account that is nobody’s yet, whoever invited it, becomes independent', async () => {
    const { userId, email } = await server.person();
    const users = () => server.service.context.db('users').where({ id: userId });
    await users().update({ was_claimed: true });
    const freed = await owner(['add', email]);
    expect([freed.code, freed.errors, freed.output]).toEqual([
      ...[0, '', expect.stringContaining('independent now')],
    ]);
    expect(await users().first('sponsor_id', 'was_claimed')).toEqual({
      sponsor_id: null,
      was_claimed: false,
    });
  });

  test('reset: the new link changes the password, and the older link ends', async () => {
    const [one, two] = [await owner(['reset', 'ada@example.com']), await owner(['reset', 'ada@example.com'])];
    await expect(accept(codeIn(one.output))).rejects.toMatchObject({ status: 404 });
    await accept(codeIn(two.output), 'staple horse correct');
    const login = (password: string) =>
      server.visitor.login({ body: { email: 'ada@example.com', password } });
    await expect(login(PASSWORD)).rejects.toMatchObject({ status: 401 });
    expect((await login('staple horse correct')).user.name).toBe('Ada');
  });

  test('reset: an unknown account is refused with what to do', async () => {
    const unknown = await owner(['reset', 'nobody@example.com']);
    expect(unknown).toMatchObject({ code: 1, output: '' });
    expect(unknown.errors).toContain('npm run owner -- add nobody@example.com');
  });

  test('disable: no login, no token, no link; enable: as before', async () => {
    const made = await owner(['add', 'eve@example.com']);
    const { token } = await accept(codeIn(made.output));
    const client = createAvow({ baseUrl: server.url, token, retries: 0 });
    const site = await client.createEnvironment({ body: { name: 'Hers', domain: 'hers.example.com' } });
    const guest = { email: 'guest@example.com', role: 'viewer' as const };
    const { invitation_url } = await client.addMember({ token: site.token, body: guest });
    const reset = codeIn((await owner(['reset', 'eve@example.com'])).output);
    const disabled = await owner(['disable', 'EVE@example.com']);
    expect(disabled).toMatchObject({ code: 0, errors: '' });
    expect(disabled.output).toContain('1 site has no owner now who can log in');
    await expect(client.getMe()).rejects.toMatchObject({ status: 401 });
    const login = () => server.visitor.login({ body: { email: 'eve@example.com', password: PASSWORD } });
    await expect(login()).rejects.toMatchObject({ status: 401 });
    for (const code of [reset, invitation_url?.split('#')[1] as string])
      await expect(accept(code)).rejects.toMatchObject({ status: 404 });
    expect((await owner(['reset', 'eve@example.com'])).errors).toContain('enable eve@example.com');
    expect((await owner(['enable', 'eve@example.com'])).output).toContain(
      'eve@example.com can log in again with its password;',
    );
    expect((await login()).user.email).toBe('eve@example.com');
    await expect(client.getMe()).rejects.toMatchObject({ status: 401 });
  });

  test('reset and enable say of no account that it has a password which it has not', async () => {
    const db = server.service.context.db;
    await owner(['add', 'zoe@example.com']);
    const by = {
      ...{ PASSWORD_LOGIN: 'off', OIDC_PROVIDERS: 'acme', OIDC_ACME_ISSUER: 'https://id.example.com' },
      ...{ OIDC_ACME_CLIENT_ID: 'avow', OIDC_ACME_CLIENT_SECRET: 'secret', OIDC_ACME_EMAIL_DOMAINS: '*' },
    };
    const reset = await owner(['reset', 'zoe@example.com'], by);
    expect(reset.output).toContain('zoe@example.com has no password; the link lets it choose one.');
    expect(reset.output).toContain('Log-ins by a password are refused here (PASSWORD_LOGIN=off)');
    expect(reset.output).not.toContain('present password');
    const enable = async (more = {}): Promise<string> => {
      await owner(['disable', 'zoe@example.com']);
      return (await owner(['enable', 'zoe@example.com'], more)).output;
    };
    expect(await enable()).toContain(
      'zoe@example.com is enabled, and has no way to log in: npm run owner -- reset',
    );
    const now = new Date();
    const { id: user_id } = await db('users').where({ email: 'zoe@example.com' }).first('id');
    await db('identities').insert({
      ...{ identity_id: randomUUID(), user_id, provider: 'acme', issuer: 'https://id.example.com' },
      ...{ subject: randomUUID(), email: null, made_by: 'login', linked_at: now, last_used_at: now },
    });
    expect(await enable()).toContain('zoe@example.com can log in again with its provider account;');
    await db('users').where({ id: user_id }).update({ password_hash: 'x' });
    expect(await enable(by)).toContain('can log in again with its provider account;');
    expect(await enable()).toContain('can log in again with its password or its provider account;');
  });

  test('end-sessions: no token and no link from before works, passwords and invitations stay', async () => {
    const { token } = await accept(codeIn((await owner(['add', 'fay@example.com'])).output));
    const client = createAvow({ baseUrl: server.url, token, retries: 0 });
    const site = await client.createEnvironment({ body: { name: 'Fays', domain: 'fay.example.com' } });
    const guest = { email: 'gil@example.com', role: 'viewer' as const };
    const { invitation_url } = await client.addMember({ token: site.token, body: guest });
    const reset = codeIn((await owner(['reset', 'fay@example.com'])).output);
    const ended = await owner(['end-sessions']);
    expect(ended).toMatchObject({ code: 0, errors: '' });
    expect(ended.output).toMatch(/^Accounts that must log in again: [1-9]\d*\. Links .*: [2-9]\d*;/);
    await expect(client.getMe()).rejects.toMatchObject({ status: 401 });
    for (const code of [reset, invitation_url?.split('#')[1] as string])
      await expect(accept(code)).rejects.toMatchObject({ status: 404 });
    const again = await server.visitor.login({ body: { email: 'fay@example.com', password: PASSWORD } });
    const renewed = createAvow({ baseUrl: server.url, token: again.token, retries: 0 });
    const { items } = await renewed.listMembers({ token: site.token });
    const { user_id } = items.find(({ email }) => email === guest.email) ?? { user_id: 0 };
    const { invitation_url: link } = await renewed.renewInvitation({ token: site.token, user_id });
    expect((await accept(link.split('#')[1] as string)).user.email).toBe(guest.email);
  });

  test('end-sessions ends API keys, too, unless they are kept', async () => {
    const { token } = await accept(codeIn((await owner(['add', 'ivy@example.com'])).output));
    const client = createAvow({ baseUrl: server.url, token, retries: 0 });
    await client.createEnvironment({ body: { name: 'Ivys', domain: 'ivy.example.com' } });
    const body = { name: 'Nightly', scopes: ['environments:read' as const] };
    const { key: apiKey } = await client.createKey({ body });
    const program = createAvow({ baseUrl: server.url, apiKey, retries: 0 });
    expect((await owner(['end-sessions', '--keep-keys'])).output).toContain('because you keep them');
    expect((await program.listEnvironments({})).items).toHaveLength(1);
    expect((await owner(['end-sessions'])).output).toMatch(/API keys that work no more: [1-9]/);
    await expect(program.listEnvironments({})).rejects.toMatchObject({ status: 401 });
  });

  test.each([
    [['reset', 'a@b.co', '--keep-keys']],
    [[]],
    [['end-sessions', 'ada@example.com']],
    [['end-sessions', '--name', 'x']],
    [['add']],
    [['add', 'ada']],
    [['remove', 'ada@example.com']],
    [['add', 'a@b.co', 'c']],
    [['add', 'a@b.co', '--role', 'x']],
    [['reset', 'a@b.co', '--name', 'x']],
  ])('a wrong call %j shows how to call it, exit code 2', async (args) => {
    const wrong = await owner(args);
    expect(wrong).toMatchObject({ code: 2, output: '' });
    expect(wrong.errors).toContain('npm run owner -- add EMAIL [--name NAME]');
  });

  test('without PUBLIC_URL the link leads to localhost and the port', async () => {
    const { output } = await owner(['add', 'dan@example.com'], { PUBLIC_URL: '', PORT: '8123' });
    expect(output).toMatch(/^http:\/\/localhost:8123\/console\/setup#[\w-]{43}$/m);
  });
});

test('with the embedded database: beside a running server, and without one', async () => {
  const embedded = { DATA_DIR: join(folder, 'data') };
  const alone = await runToEnd('server/cli/main.js', ['owner', 'add', 'ada@example.com'], embedded);
  expect(alone).toMatchObject({ code: 0, errors: '' });
  const server = await ServerProcess.start(embedded);
  // It has an owner already, so no set-up link.
  expect(server.output).not.toContain('/console/setup#');
  const beside = await runToEnd('server/cli/main.js', ['owner', 'reset', 'ada@example.com'], embedded);
  expect(beside).toMatchObject({ code: 0, errors: '' });
  const [, code = ''] = /#([\w-]{43})$/m.exec(beside.output) ?? [];
  const { user } = await createAvow({ baseUrl: server.url }).acceptInvitation({
    body: { code, password: PASSWORD },
  });
  expect(user.email).toBe('ada@example.com');
  expect(await server.kill()).toEqual({ code: 0, signal: null });
  const after = await runToEnd('server/cli/main.js', ['owner', 'reset', 'ada@example.com'], embedded);
  expect(after).toMatchObject({ code: 0, errors: '' });
});
