import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { backfill } from '../../server/src/db/backfill';
import { buildIndex } from '../../server/src/db/build-index';
import { connect } from '../../server/src/db/knex';
import { migrate } from '../../server/src/db/migrate';
import { type Migration, migrations } from '../../server/src/db/migrations';
import { setNotNull } from '../../server/src/db/set-not-null';
import { defaultSettings } from '../../server/src/domain/settings';
import { notOnCluster } from '../helpers/cluster/skip';
import { emptyDatabase, onCluster } from '../helpers/database';
import { fill } from '../helpers/migrations/fill';
import { FIRST, knowing, later } from '../helpers/migrations/released';
import makeSamples from '../helpers/migrations/samples.cjs';
import { inspected, LockWatch, Writers } from '../helpers/migrations/watch';
import { endChildren, freePort, runToEnd, ServerProcess } from '../helpers/processes/child';
import { endAll, Load } from '../helpers/processes/load';
import { until } from '../helpers/until';

jest.setTimeout(onCluster() ? 600_000 : 240_000);

const VERSION_OF = `--require=${join(__dirname, '..', 'helpers', 'migrations', 'version.cjs')}`;
/** A built checkout of the release before, which then is the older version; otherwise it is this build. */
const { OLDER } = process.env;
/** How long writes are measured without a migration, in milliseconds. */
const CALM = 2_000;

const samples = Object.entries(
  makeSamples({ backfill, buildIndex, setNotNull }) as Record<string, Migration>,
);
const folder = mkdtempSync(join(tmpdir(), 'avow-upgrade-'));
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let db: Knex;
const watching: { stop(): Promise<void> }[] = [];

beforeEach(async () => {
  database = await emptyDatabase();
  db = connect(database.url, 4);
});
afterEach(async () => {
  await Promise.all(watching.splice(0).map((one) => one.stop()));
  await endAll();
  await endChildren();
  await db.destroy();
  await database.drop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The variables of a process that is the first released version, this tree, or a version to come. */
const variables = (
  schema: 'first' | 'tree' | 'next',
  more: Record<string, string> = {},
): Record<string, string> => ({
  ...{ DATABASE_URL: database.url, DATA_DIR: folder, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') },
  ...{ DEMO: 'on', LOG_LEVEL: 'info', NODE_OPTIONS: VERSION_OF, SCHEMA_OF: schema },
  ...more,
});
const run = (schema: 'first' | 'next', ...args: string[]) =>
  runToEnd('server/cli/main.js', args, variables(schema, { DEMO: 'off' }));
const messages = (server: ServerProcess): unknown[] => server.log().map(({ msg }) => msg);

/** Runs work while the given migrations are known after those of the tree. */
async function withMigrations<Result>(
  more: readonly [string, Migration][],
  work: () => Promise<Result>,
): Promise<Result> {
  return knowing(
    () => true,
    async () => {
      Object.assign(migrations, Object.fromEntries(more));
      return work();
    },
  );
}

/** Everything that makes the schema, without the order of columns. */
async function schemaOf(knex: Knex): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { line: string }[] }>(
    `SELECT format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) AS line
     FROM information_schema.columns WHERE table_schema = 'public'
     UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
     UNION ALL SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
       WHERE connamespace = 'public'::regnamespace
     ORDER BY line`,
  );
  // Parts of an index are named by who made them: the partition, or the build of the index; those of a cluster by numbers.
  return rows.map(({ line }) => line).filter((line) => !/_\d{4}_\d{2}|_\d{6}\b/.test(line));
}

test('every migration from the first released schema on, beside a version that knows none of them', async () => {
  await knowing(
    (name) => FIRST.includes(name),
    () => migrate(db),
  );
  const real = later();
  // The code of this tree works on the first released schema as long as nothing came after it.
  const early = OLDER !== undefined || real.length === 0;
  const start = () =>
    OLDER === undefined
      ? ServerProcess.start(variables(early ? 'first' : 'tree'))
      : ServerProcess.start({ ...variables('first'), NODE_OPTIONS: '' }, undefined, OLDER);
  let old = early ? await start() : undefined;
  if (old === undefined) await db('environments').insert(demoSite());
  await fill(db);

  const faults: string[] = [];
  const table: string[] = [];
  const writers = new Writers(database.url);
  const watch = new LockWatch(database.url);
  watching.push(writers, watch);
  await delay(CALM);
  const calm = writers.take().slowest;
  watch.take();
  const step = async (name: string, migration: Migration, contract = false): Promise<void> => {
    const told = inspected(migration, (fault) => faults.push(`${name}: ${fault}`));
    const known = Object.keys(migrations).filter((other) => other < name);
    await knowing(
      (other) => known.includes(other),
      async () => {
        migrations[name] = told;
        await migrate(db, { background: true, contract, version: '99.0.0' });
      },
    );
    const { writes, slowest } = writers.take();
    const [waited, ratio] = [Math.round(watch.take()), (slowest / calm).toFixed(1)];
    table.push(
      `${name}: ${writes} writes, the longest ${Math.round(slowest)} ms (${ratio} × before), behind a lock ${waited} ms`,
    );
  };

  const all = [...real, ...samples];
  let load: Load | undefined;
  await withMigrations(samples, async () => {
    for (const [name, migration] of all.filter(([, { step }]) => step !== 'contract')) {
      if (old === undefined && name === samples[0]?.[0]) old = await start();
      if (old !== undefined && load === undefined) load = loadOf(old, await old.demoToken());
      await step(name, migration);
    }
    // While the old version runs, nothing that it uses is taken away.
    const isNew = ([, { step }]: [string, Migration]): boolean => step === 'contract';
    const [contract] = (OLDER === undefined ? samples : all).find(isNew) ?? [];
    await expect(migrate(db, { contract: true, version: '99.0.0' })).rejects.toThrow(
      new RegExp(
        `contract step ${contract} would take away .* Avow \\d+\\.\\d+\\.\\d+ on .* \\(pid ${old?.pid}, seen \\d+ s ago\\)\\. Upgrade or stop them`,
      ),
    );
    const first = old as ServerProcess;
    const token = await first.demoToken();
    // A start of the old version finds more than it knows, and works.
    const again = await start();
    const told =
      'a newer Avow has prepared the database: this version goes on working until a contract step is run';
    await until('it says what it found', () => messages(again).includes(told));
    expect(messages(again).filter((message) => message === told)).toHaveLength(1);
    expect(again.output + again.errors).not.toMatch(/corrupt/);
    expect(await again.kill()).toEqual({ code: 0, signal: null });
    // All processes become new ones, one after the other.
    const next = await ServerProcess.start(variables('next'));
    const seen = await (load as Load).stop();
    expect([seen.faults, seen.statuses[503], seen.broken]).toEqual([[], undefined, 0]);
    expect(seen.acknowledged.length).toBeGreaterThan(50);
    const newer = loadOf(next, token);
    expect(await first.kill()).toEqual({ code: 0, signal: null });
    for (const [name, migration] of all.filter(([, { step }]) => step === 'contract'))
      await step(name, migration, true);
    const after = await newer.stop();
    expect([after.faults, after.statuses[503], after.broken]).toEqual([[], undefined, 0]);
    expect(await next.kill()).toEqual({ code: 0, signal: null });
  });
  await writers.stop();
  await watch.stop();
  process.stdout.write(`Longest write before: ${Math.round(calm)} ms\n${table.join('\n')}\n`);
  expect([faults, writers.faults]).toEqual([[], []]);
  expect(await db('idempotency_keys').whereNull('lives_until').where('key', '~', '^[0-9a-f]{32}$')).toEqual(
    [],
  );

  // What the old version needs is gone now, and it says so.
  const refused = new ServerProcess(await freePort(), variables('first'));
  expect(await refused.ended).toEqual({ code: 1, signal: null });
  expect(refused.errors).toMatch(
    /^Avow cannot start: Avow \S+ cannot work on this database any more: the contract step \S+, run by Avow 99\.0\.0, took away what it uses\. Start Avow 99\.0\.0 or newer, or restore the backup[^\n]*\n$/,
  );
  const waiting = new ServerProcess(await freePort(), variables('first', { MIGRATE: 'off' }));
  expect((await waiting.ended).code).toBe(1);
  expect(waiting.errors).toContain('cannot work on this database any more');
  expect((await run('first', 'owner', 'add', 'a@example.com')).errors).toContain('any more');
  const { code, output } = await run('first', 'doctor');
  expect([code, output]).toEqual([1, expect.stringMatching(/^✗ Migrations: .* any more/m)]);

  // A new installation, which does everything at once, has the same schema.
  const fresh = await emptyDatabase();
  const made = connect(fresh.url, 2);
  await withMigrations(samples, () => migrate(made, { version: '99.0.0' }));
  const schema = await schemaOf(made);
  await made.destroy();
  await fresh.drop();
  expect(schema).toEqual(await schemaOf(db));
});

const loadOf = (server: ServerProcess, token: string): Load =>
  new Load({ urls: () => [server.url], token, connections: 4, key: (n) => `key-${server.pid}-${n}` });

/** A site, where no process has made one yet. */
const demoSite = (): object => ({
  ...{ id: '01930000-0000-7000-8000-000000000000', token: 'env_0000000000000000000000', name: 'Demo site' },
  ...{ domain: 'localhost', domains: '{}', url: 'http://localhost', status: 'active', demo: true },
  ...{ settings: defaultSettings(), settings_version: 1, created_at: new Date(0), updated_at: new Date(0) },
});

const DEFAULT = "ALTER TABLE session_choices ADD COLUMN x text NOT NULL DEFAULT 'page'";
const PROOF = 'ALTER TABLE form_consents ADD CONSTRAINT x CHECK (language IS NOT NULL)';

notOnCluster('what a migration reads and locks lies on several nodes there')(
  'a migration is found out by its locks, however short they are',
  async () => {
    await migrate(db);
    await db('environments').insert(demoSite());
    await fill(db, 5_000);
    const faultsOf = async (sql: string): Promise<string[]> => {
      const faults: string[] = [];
      const migration = { up: (knex: Knex) => knex.raw(sql), down: async () => undefined } as Migration;
      const trx = await db.transaction();
      await inspected(migration, (fault) => faults.push(fault)).up(trx);
      await trx.rollback();
      return faults;
    };
    const held = (table: string, lock: string) => [`${table} was read under ${lock}`];
    expect(await faultsOf("UPDATE session_choices SET policy_version = '2'")).toEqual([
      '5000 rows of session_choices changed at once',
    ]);
    expect(await faultsOf(PROOF)).toEqual(held('form_consents', 'AccessExclusiveLock'));
    expect(await faultsOf(`${PROOF} NOT VALID`)).toEqual([]);
    expect(await faultsOf(`${DEFAULT}`)).toEqual([]);
    expect(
      await faultsOf('ALTER TABLE session_choices ADD COLUMN x uuid DEFAULT gen_random_uuid()'),
    ).toContain('session_choices was rewritten');
    expect(
      await faultsOf('ALTER TABLE session_choices ALTER COLUMN policy_version TYPE varchar(9)'),
    ).toContain('session_choices was rewritten');
    expect(await faultsOf('CREATE INDEX x ON idempotency_keys (resource_id)')).toEqual(
      held('idempotency_keys', 'ShareLock'),
    );
  },
);
