import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import pg from 'pg';
import { buildIndex } from '../../server/src/db/build-index';
import { connect } from '../../server/src/db/knex';
import { migrate, migrateDown } from '../../server/src/db/migrate';
import { type Migration, migrations } from '../../server/src/db/migrations';
import { notOnCluster } from '../helpers/cluster/skip';
import { cloneDatabase, emptyDatabase } from '../helpers/database';
import { query } from '../helpers/processes/evidence';
import { startServer } from '../helpers/server';
import { until } from '../helpers/until';

jest.setTimeout(60_000);

type Database = Awaited<ReturnType<typeof cloneDatabase>>;

const added: string[] = [];
let database: Database;
let db: Knex;

beforeEach(async () => {
  database = await cloneDatabase();
  db = connect(database.url, 4);
});
afterEach(async () => {
  for (const name of added.splice(0)) delete migrations[name];
  await db.destroy();
  await database.drop();
});

/** One more migration, after all others. */
function add(name: string, up: Migration['up'], more: Partial<Migration> = {}): string {
  const full = `99991231000000_${name}`;
  migrations[full] = { up, down: async () => undefined, ...more };
  added.push(full);
  return full;
}

const one = async <Row>(knex: Knex, sql: string): Promise<Row> =>
  (await knex.raw<{ rows: Row[] }>(sql)).rows[0] as Row;

const SEEN =
  "SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock, txid_current()::text AS transaction";

interface Seen {
  statement: string;
  lock: string;
  transaction: string;
}

test('an empty database is reported once; of one with data each migration is reported', async () => {
  const empty = await emptyDatabase();
  const fresh = connect(empty.url, 4);
  const told: unknown[] = [];
  const tell = { onDone: (name: string) => told.push(name), onMade: (count: number) => told.push(count) };
  try {
    await migrate(fresh, tell);
    expect(told).toEqual([Object.keys(migrations).length]);
    const name = add('later', async () => undefined);
    await migrate(fresh, tell);
    expect(told.slice(1)).toEqual([name]);
  } finally {
    await fresh.destroy();
    await empty.drop();
  }
});

test('a migration has no time limit, asks for its locks for a short time, and commits together with its record, alone', async () => {
  const seen: Seen[] = [];
  const look = async (knex: Knex): Promise<void> => void seen.push(await one<Seen>(knex, SEEN));
  const names = [add('first', look), add('second', look)];
  await migrate(db);
  expect(seen.map(({ statement, lock }) => [statement, lock])).toEqual([
    ['0', '2s'],
    ['0', '2s'],
  ]);
  const records = await db('avow_migrations')
    .whereIn('name', names)
    .select('name', db.raw('xmin::text'))
    .orderBy('name');
  expect(records).toEqual(names.map((name, index) => ({ name, xmin: seen[index]?.transaction })));
  expect(new Set(seen.map(({ transaction }) => transaction)).size).toBe(2);
});

test('an index is built while everybody works, also over what a killed build left behind', async () => {
  await db.raw('CREATE TABLE twice AS SELECT 1 AS n FROM generate_series(1, 2)');
  await expect(db.raw('CREATE UNIQUE INDEX CONCURRENTLY concurrent_test ON twice (n)')).rejects.toThrow();
  const server = await startServer({ databaseUrl: database.url });
  const up = (knex: Knex) => buildIndex(knex, 'concurrent_test', 'twice (n)');
  const name = add('concurrent', up, { config: { transaction: false } });
  const waits: string[] = [];
  await migrate(db, { onWait: (migration) => waits.push(migration) });
  await server.stop();
  expect(waits).toEqual([]);
  expect(await db('avow_migrations').where({ name })).toHaveLength(1);
  const index = "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'concurrent_test'::regclass";
  expect(await one(db, index)).toEqual({ valid: true });
});

test('one that is broken off leaves nothing behind; those before it stay, and the next start goes on', async () => {
  const first = add('first', (knex) => knex.raw('CREATE TABLE survives (n integer PRIMARY KEY)'));
  const second = add('second', async (knex) => {
    await knex.raw('CREATE TABLE vanishes (n integer PRIMARY KEY)');
    await knex.raw('SELECT pg_sleep(30)');
  });
  const broken = migrate(db).catch((error: Error) => error);
  await until('the second one is at work', async () => {
    const ended = await query(
      database.url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'",
    );
    return ended.length > 0;
  });
  expect(await broken).toBeInstanceOf(Error);
  expect(
    await one(db, "SELECT to_regclass('survives') IS NOT NULL AS first, to_regclass('vanishes') AS second"),
  ).toEqual({
    first: true,
    second: null,
  });
  (migrations[second] as Migration).up = (knex) => knex.raw('CREATE TABLE vanishes (n integer PRIMARY KEY)');
  await migrate(db);
  expect(await db('avow_migrations').whereIn('name', [first, second])).toHaveLength(2);
});

test('one whose table is in use waits in short turns, and visitors are answered all the while', async () => {
  const server = await startServer({ databaseUrl: database.url });
  const { token } = await server.site();
  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  // As a long export: it reads, and keeps nobody from anything but a migration.
  await holder.query('BEGIN; SELECT FROM consents');
  const name = add('blocked', (knex) => knex.raw('ALTER TABLE consents ADD COLUMN note text'));
  let waits = 0;
  let running = true;
  const answers = { fine: 0, refused: 0 };
  const visiting = (async () => {
    while (running) {
      const body = { session_id: randomUUID(), decision: 'accept_all' as const };
      await server.visitor.logConsent({ token, body }).then(
        () => (answers.fine += 1),
        () => (answers.refused += 1),
      );
    }
  })();
  const heard: string[] = [];
  const migrating = migrate(db, {
    onWait: (migration, attempt) => {
      heard.push(migration);
      waits = attempt;
    },
  });
  await until('it has waited three times', () => waits >= 3);
  const fine = answers.fine;
  expect(fine).toBeGreaterThan(10);
  await holder.query('ROLLBACK');
  await holder.end();
  await migrating;
  running = false;
  await visiting;
  expect(answers.refused).toBe(0);
  expect(new Set(heard)).toEqual(new Set([name]));
  expect(await db('avow_migrations').where({ name })).toHaveLength(1);
  await server.stop();
});

notOnCluster('a schema is taken back in development only, on one server')(
  'keys of a day by the hundred thousand are migrated, and every migration can be taken back',
  async () => {
    await migrateDown(db);
    const names = Object.keys(migrations);
    const later = names.slice(names.indexOf('20261121002500_key_expiry'));
    const held = later.map((name) => [name, migrations[name] as Migration] as const);
    for (const name of later) delete migrations[name];
    try {
      await migrate(db);
      await db.raw(
        `INSERT INTO idempotency_keys SELECT ?::uuid, 'logConsent', n::text, '\\x00', NULL, NULL, now() FROM generate_series(1, 100000) AS n`,
        [randomUUID()],
      );
    } finally {
      for (const [name, migration] of held) migrations[name] = migration;
    }
    await migrate(db);
    expect(await one(db, 'SELECT count(*)::int AS n FROM idempotency_keys WHERE expires_at > now()')).toEqual(
      {
        n: 100_000,
      },
    );
  },
);
