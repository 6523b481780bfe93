import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { NO_SITE } from '../../server/src/db/audit-events';
import { connect } from '../../server/src/db/knex';
import type { AuditEventRow } from '../../server/src/db/models';
import { cloneDatabase, emptyDatabase } from '../helpers/database';
import { endChildren, runToEnd } from '../helpers/processes/child';
import { startServer, type TestServer } from '../helpers/server';

jest.setTimeout(120_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-tools-'));
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let server: TestServer;

beforeAll(async () => {
  database = await cloneDatabase();
  server = await startServer({ databaseUrl: database.url });
});
afterAll(async () => {
  await endChildren();
  await server.stop();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const run = (command: string, ...args: string[]) =>
  runToEnd('server/cli/main.js', [command, ...args], {
    ...{ DATABASE_URL: database.url, DATA_DIR: folder },
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
const db = () => server.service.context.db;
const siteId = async (token: string): Promise<string> =>
  (await db()('environments').where({ token }).first('id')).id;

/** What a command left in the trails. */
async function leftBy(command: string, ...args: string[]): Promise<AuditEventRow[]> {
  const ids = new Set((await db()('audit_events').select('audit_id')).map(({ audit_id }) => audit_id));
  const done = await run(command, ...args);
  expect(done).toMatchObject({ code: 0, errors: '' });
  return (await db()('audit_events')).filter(({ audit_id }: AuditEventRow) => !ids.has(audit_id));
}

/** Of the operator: nobody that has an account. */
const OPERATOR = {
  ...{ via: 'command', user_id: null, key_id: null, ip_masked: null, request_id: null },
  os_user: userInfo().username,
};

test('owner: each action is in the trail of its account', async () => {
  expect(await leftBy('owner', 'add', 'bob@example.com')).toHaveLength(1);
  const { id } = await db()('users').where({ email_key: 'bob@example.com' }).first('id');
  const about = { resource: 'account', resource_id: String(id) };
  for (const action of ['reset', 'disable', 'enable']) {
    const left = await leftBy('owner', action, 'bob@example.com');
    const where = { environment_id: NO_SITE, account_id: id };
    expect(left).toEqual([
      expect.objectContaining({ ...OPERATOR, ...where, ...about, operation: `owner ${action}` }),
    ]);
  }
  expect(JSON.stringify(await db()('audit_events'))).not.toContain('bob@');
});

test('owner: what is refused leaves none', async () => {
  const before = await db()('audit_events').count({ n: '*' });
  expect(await run('owner', 'add', 'bob@example.com')).toMatchObject({ code: 1 });
  expect(await run('owner', 'reset', 'nobody@example.com')).toMatchObject({ code: 1 });
  expect(await db()('audit_events').count({ n: '*' })).toEqual(before);
});

test.each([['owner', 'end-sessions'], ['reseal']])(
  '%s %s is in the trail of the server',
  async (...command) => {
    const left = await leftBy(...(command as [string]));
    const where = { environment_id: NO_SITE, account_id: 0 };
    expect(left).toEqual([
      expect.objectContaining({ ...OPERATOR, ...where, kind: 'change', operation: command.join(' ') }),
    ]);
  },
);

test('import-gvl is in the trail of its site, with the vendors', async () => {
  const { token, client } = await server.site();
  const file = join(folder, 'vendor-list.json');
  const vendor = {
    ...{ id: 52, name: 'Example Ads', purposes: [1], legIntPurposes: [], flexiblePurposes: [] },
    ...{
      specialPurposes: [],
      features: [],
      specialFeatures: [],
      dataDeclaration: [],
      cookieMaxAgeSeconds: null,
    },
    ...{ usesCookies: false, cookieRefresh: false, usesNonCookieAccess: false },
    urls: [{ langId: 'en', privacy: 'https://ads.example.com/privacy' }],
  };
  writeFileSync(
    file,
    JSON.stringify({
      ...{ gvlSpecificationVersion: 3, vendorListVersion: 121, tcfPolicyVersion: 5, stacks: {} },
      ...{ lastUpdated: '2026-11-19T16:00:20Z', purposes: {}, specialPurposes: {}, features: {} },
      ...{ specialFeatures: {}, dataCategories: {}, vendors: { 52: vendor } },
    }),
  );
  await leftBy('import-gvl', file, '--site', token);
  const { items } = await client.listAuditEvents({ token, limit: 1 });
  expect(items[0]).toMatchObject({
    ...{ operation: 'import-gvl', via: 'command', actor: null, resource: 'site', resource_id: token },
    changes: [{ field: 'vendors[52]', before: null }],
  });
});

test('seed is in the trail of its site', async () => {
  const { token } = await server.site();
  const left = await leftBy('seed', '--events', '10', '--days', '3', '--site', token);
  expect(left).toEqual([
    expect.objectContaining({ ...OPERATOR, operation: 'seed', environment_id: await siteId(token) }),
  ]);
});

test('migrate is in the trail of the server, with what it made', async () => {
  const empty = await emptyDatabase();
  const migrated = connect(empty.url, 1);
  try {
    const done = await runToEnd('server/cli/main.js', ['migrate'], { DATABASE_URL: empty.url });
    expect(done).toMatchObject({ code: 0, errors: '' });
    expect(await migrated('audit_events')).toEqual([
      expect.objectContaining({
        ...{ ...OPERATOR, operation: 'migrate', environment_id: NO_SITE, account_id: 0 },
        changes: [expect.objectContaining({ field: 'done', after: expect.stringContaining('migrations') })],
      }),
    ]);
    await runToEnd('server/cli/main.js', ['migrate'], { DATABASE_URL: empty.url });
    expect(await migrated('audit_events')).toHaveLength(1);
  } finally {
    await migrated.destroy();
    await empty.drop();
  }
});

test('a command called by sudo is that of who called it', async () => {
  const variables = { DATABASE_URL: database.url, SUDO_USER: 'ada', DATA_DIR: folder };
  await runToEnd('server/cli/main.js', ['owner', 'add', 'sudo@example.com'], variables);
  const last = await db()('audit_events').orderBy('occurred_at', 'desc').first('os_user');
  expect(last.os_user).toBe(`ada (as ${userInfo().username})`);
});

test('doctor changes nothing, and is in no trail', async () => {
  const before = await db()('audit_events').count({ n: '*' });
  await run('doctor');
  expect(await db()('audit_events').count({ n: '*' })).toEqual(before);
});

describe('npm run audit', () => {
  const events = async (...args: string[]) => {
    const { code, output, errors } = await run('audit', ...args);
    expect([code, errors]).toEqual([0, '']);
    return output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditEventRow);
  };

  test('writes every trail, oldest first, and itself', async () => {
    const all = await events();
    expect(all.map(({ audit_id }) => audit_id).sort()).toEqual(
      (await db()('audit_events')).map(({ audit_id }) => audit_id).sort(),
    );
    const times = all.map(({ occurred_at }) => String(occurred_at));
    expect(times).toEqual([...times].sort());
    expect(all.at(-1)).toMatchObject({ operation: 'audit', kind: 'export', account_id: 0 });
  });

  test('writes that of one site, also of one that is deleted and erased, and of one account', async () => {
    const { token, client, email, userId } = await server.site();
    const environment_id = await siteId(token);
    await client.updateEnvironment({ token, body: { status: 'archived' } });
    await client.deleteEnvironment({ token, name: 'Example shop' });
    await db()('settings_versions').where({ environment_id }).delete();
    await db()('environments').where({ id: environment_id }).delete();
    const ofSite = await events('--site', token);
    expect(ofSite.map(({ operation }) => operation)).toEqual([
      'createEnvironment',
      'updateEnvironment',
      'audit',
    ]);
    const ofAccount = await events('--account', email);
    expect(ofAccount.map(({ operation, account_id }) => [operation, account_id])).toEqual([
      ['deleteEnvironment', userId],
      ['audit', userId],
    ]);
  });

  test('says what is wrong with its arguments', async () => {
    expect(await run('audit', '--site', 'env_0000000000000000000000')).toMatchObject({ code: 1 });
    expect(await run('audit', '--site', 'shop')).toMatchObject({ code: 2 });
    expect(await run('audit', '--account', 'nobody@example.com')).toMatchObject({ code: 1 });
  });
});
