import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Knex } from 'knex';
import pg from 'pg';
import { backfill } from '../../server/src/db/backfill';
import { connect } from '../../server/src/db/knex';
import { migrate } from '../../server/src/db/migrate';
import { defaultSettings } from '../../server/src/domain/settings';
import { cloneDatabase } from '../helpers/database';
import { fill } from '../helpers/migrations/fill';
import { Child, endChildren, runToEnd } from '../helpers/processes/child';
import { query } from '../helpers/processes/evidence';
import { startServer } from '../helpers/server';
import { until } from '../helpers/until';

jest.setTimeout(120_000);

const VERSION_OF = `--require=${join(__dirname, '..', 'helpers', 'migrations', 'version.cjs')}`;
const BUILDING =
  "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONCURRENTLY%' AND state = 'active'";
const folder = mkdtempSync(join(tmpdir(), 'avow-upgrade-'));
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let db: Knex;
let holder: pg.Client | undefined;

beforeEach(async () => {
  database = await cloneDatabase();
  db = connect(database.url, 4);
  await db('environments').insert({
    ...{ id: '01930000-0000-7000-8000-000000000000', token: 'env_0000000000000000000000', name: 'Shop' },
    ...{ domain: 'shop.example', domains: '{}', url: 'http://shop.example', status: 'active', demo: false },
    ...{ settings: defaultSettings(), settings_version: 1, created_at: new Date(0), updated_at: new Date(0) },
  });
});
afterEach(async () => {
  await holder?.end().catch(() => undefined);
  holder = undefined;
  await endChildren();
  await db.destroy();
  await database.drop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const next = (): Record<string, string> => ({
  ...{ DATABASE_URL: database.url, DATA_DIR: folder, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') },
  ...{ NODE_OPTIONS: VERSION_OF, SCHEMA_OF: 'next' },
});
const migrating = (): Child => new Child('server/cli/main.js', ['migrate'], next());
const doctor = async (): Promise<string> =>
  (await runToEnd('server/cli/main.js', ['doctor'], next())).output
    .split('\n')
    .filter((line) => /^. (Migrations|Background|Back-fill|Contract|Indexes|Processes)/.test(line))
    .join('\n');

/** A transaction that an index build waits for: it writes to the first partition. */
async function hold(): Promise<void> {
  holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  const { rows } = await holder.query(
    "SELECT min(inhrelid::regclass::text) AS first FROM pg_inherits WHERE inhparent = 'consents'::regclass",
  );
  await holder.query(`BEGIN; LOCK TABLE ${rows[0].first} IN ROW EXCLUSIVE MODE`);
}

test('two processes that migrate at once: each step is done once', async () => {
  const ends = await Promise.all(
    [migrating(), migrating()].map(async (child) => ({ child, ...(await child.ended) })),
  );
  expect(ends.map(({ code, child }) => [code, child.errors])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  const told = ends.flatMap(({ child }) => child.output.match(/^\S+ is done\.$/gm) ?? []);
  expect(told).toHaveLength(4);
  expect(new Set(told).size).toBe(4);
  for (const { child } of ends)
    expect(child.output).toMatch(
      /Contract steps wait: 99991231000500_channel_is_set, 99991231000600_drop_note\.\n/,
    );
  expect(await doctor()).toBe(
    [
      '✓ Migrations: up to date, the last is 99991231000300_consents_bundle, this is Avow 99.0.0',
      '! Contract steps: 2 wait (99991231000500_channel_is_set, 99991231000600_drop_note): no older process runs: npm run migrate -- --contract, when you will not go back to the older version',
      '✓ Processes: none runs',
    ].join('\n'),
  );
  // A process of the version before keeps them from being run.
  const older = await startServer({ databaseUrl: database.url });
  expect(await doctor()).toMatch(
    /^! Contract .* older processes run \(Avow \S+ on \S+, pid \d+\), upgrade them/m,
  );
  const refused = await runToEnd('server/cli/main.js', ['migrate', '--contract'], next());
  expect([refused.code, refused.errors]).toEqual([
    1,
    expect.stringMatching(
      /^The migration failed: The contract step \S+ would take away .*Upgrade or stop them/,
    ),
  ]);
  await older.stop();
  const done = await runToEnd('server/cli/main.js', ['migrate', '--contract'], next());
  expect([done.code, done.errors]).toEqual([0, '']);
  expect(done.output).toContain('99991231000600_drop_note is done.');
  expect(await doctor()).toMatch(/^✓ Migrations: up to date[^\n]*\n✓ Processes: none runs$/);
});

test('a back-fill that was killed goes on where it was; doctor says that it was interrupted', async () => {
  await fill(db, 40_000);
  const first = migrating();
  const done = await until('some rows are done', async () => {
    const [row] = await query<{ rows: number }>(database.url, 'SELECT rows FROM backfills').catch(() => []);
    return row !== undefined && Number(row.rows) > 0 && Number(row.rows);
  });
  await first.kill('SIGKILL');
  const mark =
    'SELECT count(*)::int AS n, min(xmin::text::bigint)::text AS low FROM idempotency_keys WHERE lives_until IS NOT NULL';
  const [before] = await query<{ n: number; low: string }>(database.url, mark);
  expect(before?.n).toBeGreaterThanOrEqual(done);
  expect(before?.n).toBeLessThan(40_000);
  await until('the lock of the killed one has gone', async () => /interrupted/.test(await doctor()));
  expect(await doctor()).toMatch(
    /^! Back-fill: interrupted, "idempotency_keys: lives_until = [^"]*" after \d+ rows, last at \S+: .* npm run migrate$/m,
  );
  expect(await migrating().ended).toMatchObject({ code: 0 });
  const [after] = await query<{ n: number; low: string }>(database.url, mark);
  expect(after).toEqual({ n: 40_000, low: before?.low });
  expect(await query(database.url, 'SELECT FROM backfills')).toEqual([]);
});

test('what a killed build left of an index is dropped and made again; doctor names it', async () => {
  await hold();
  const first = migrating();
  const [{ pid } = { pid: 0 }] = await until('the index is being built', async () => {
    const rows = await query<{ pid: number }>(database.url, BUILDING);
    return rows.length > 0 && rows;
  });
  await first.kill('SIGKILL');
  await query(database.url, 'SELECT pg_terminate_backend($1::integer)', [pid]);
  await until('the lock of the killed one has gone', async () => /broken off/.test(await doctor()));
  expect(await doctor()).toMatch(
    /^! Indexes: consents_bundle, consents_bundle_\d+_\d+ not valid: its building was broken off; the next start, or npm run migrate, drops it and makes it again$/m,
  );
  await holder?.query('ROLLBACK');
  expect(await migrating().ended).toMatchObject({ code: 0 });
  const all = await query<{ valid: boolean }>(
    database.url,
    "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid::regclass::text ~ '^consents_bundle'",
  );
  expect(all.length).toBeGreaterThan(3);
  expect(all.filter(({ valid }) => !valid)).toEqual([]);
});

test('a build that outlives its program is waited for, and kept', async () => {
  await hold();
  const first = migrating();
  await until('the index is being built', async () => (await query(database.url, BUILDING)).length > 0);
  await first.kill('SIGKILL');
  const index = "SELECT oid::text FROM pg_class WHERE relname ~ '^consents_bundle_' ORDER BY oid LIMIT 1";
  const before = await query(database.url, index);
  const second = migrating();
  await until(
    'the next run waits for it',
    async () =>
      (
        await query(
          database.url,
          "SELECT FROM pg_stat_activity WHERE query LIKE 'SELECT FROM pg_stat_progress_create_index%' AND datname = current_database()",
        )
      ).length > 0,
  );
  await holder?.query('ROLLBACK');
  expect(await second.ended).toMatchObject({ code: 0 });
  expect(await query(database.url, index)).toEqual(before);
});

test('a back-fill waits for no row that somebody holds, and comes back for it', async () => {
  await fill(db, 5_000);
  await db.raw('ALTER TABLE idempotency_keys ADD COLUMN lives_until timestamptz');
  holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  await holder.query("BEGIN; UPDATE idempotency_keys SET scope = scope WHERE key = md5('77')");
  const [table, key] = ['idempotency_keys', ['environment_id', 'scope', 'key']];
  const filling = backfill(db, {
    table,
    key,
    set: { lives_until: 'expires_at' },
    where: 'lives_until IS NULL',
  });
  const missing = async (): Promise<number> =>
    Number((await db('idempotency_keys').whereNull('lives_until').count('* AS n'))[0]?.n);
  await until('all others are done', async () => (await missing()) === 1);
  await holder.query('COMMIT');
  await filling;
  expect(await missing()).toBe(0);
});

test('background steps are done by a process that runs already, and a stop breaks them off', async () => {
  await hold();
  await fill(db, 5_000);
  const name = '99991231000300_consents_bundle';
  const done = async (): Promise<boolean> => (await db('avow_migrations').where({ name })).length > 0;
  const start = (): Child =>
    new Child('server/src/main.js', [], {
      ...next(),
      ...{ PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'info', DRAIN_SECONDS: '0' },
    });
  const server = start();
  await until('it is ready', () => server.output.includes('Avow is ready'));
  await until('the index is being built', async () => (await query(database.url, BUILDING)).length > 0);
  expect(await server.kill()).toEqual({ code: 0, signal: null });
  expect(await query(database.url, BUILDING)).toEqual([]);
  expect(await done()).toBe(false);
  await holder?.query('ROLLBACK');
  const again = start();
  await until('it is done', done, 90_000);
  expect(await again.kill()).toEqual({ code: 0, signal: null });
});

test('a process that stood still while a contract step was run does nothing more, and says why', async () => {
  const server = await startServer({ databaseUrl: database.url });
  await migrate(db, { contract: true, version: '99.0.0' });
  await db('contract_steps').insert({
    ...{ name: '99991231000900_gone', unused_since: '99.0.0', version: '99.1.0', started_at: new Date(0) },
  });
  const reason = await until('it says that it is not ready', async () => {
    const response = await fetch(`${server.url}/readyz`);
    const { reason } = (await response.json()) as { reason?: string };
    return response.status === 503 && reason;
  });
  expect(reason).toMatch(/cannot work on this database any more: .* Start Avow 99\.0\.0 or newer/);
  await server.stop();
});

test('a version that released programs did without is no bar to them', async () => {
  await db('contract_steps').insert([
    { name: '1_fine', unused_since: '0.0.1', version: '99.1.0', started_at: new Date(0) },
    { name: '2_fine', unused_since: '1.2.3', version: '99.1.0', started_at: new Date(0) },
  ]);
  await expect(migrate(db, { version: '1.2.2' })).rejects.toThrow('Start Avow 1.2.3 or newer');
  await expect(migrate(db, { version: '1.2.3' })).resolves.toBe(true);
  await expect(migrate(db, { version: '1.10.0' })).resolves.toBe(true);
});
