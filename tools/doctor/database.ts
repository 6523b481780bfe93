import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Knex } from 'knex';
import type { Config } from '../../server/src/config';
import { pendingMigrations } from '../../server/src/db/migrate';
import { listPartitions, PARTITIONED } from '../../server/src/db/partitions';
import { withDatabase } from '../operator/database';
import { broken, type Check, type Finding, fine, warning } from './finding';

const OLDEST = 14;
/** Clocks that differ by more are worth a thought, or wrong, in milliseconds. */
const SKEW = { warning: 1_000, broken: 60_000 };
/** Connections of the visitor path of each process. */
const VISITOR_POOL = 3;

/** Connects as the server does, and looks at what it relies on. */
export const checkDatabase: Check = async (config) => {
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres', 'PG_VERSION'))) {
    return [fine(`Database: none yet, the first start makes an embedded one in ${config.dataDir}`)];
  }
  try {
    return await withDatabase(config, async ({ db, where }) => [
      await checkVersion(db, where),
      ...(await checkDurability(db)),
      await checkClock(db),
      await checkConnections(config, db),
      ...(await checkSchema(config, db)),
    ]);
  } catch (error) {
    return [{ mark: '✗', text: `Database: ${(error as Error).message}` }];
  }
};

async function one<Row>(db: Knex, sql: string): Promise<Row> {
  const { rows } = await db.raw<{ rows: Row[] }>(sql);
  return rows[0] as Row;
}

async function checkVersion(db: Knex, where: string): Promise<Finding> {
  const { number, version } = await one<{ number: number; version: string }>(
    db,
    `SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version`,
  );
  const text = `Database: PostgreSQL ${version.split(' ')[0]}, ${where}`;
  return number >= OLDEST * 10_000 ? fine(text) : broken(text, `Avow needs ${OLDEST} or newer, upgrade it`);
}

async function checkDurability(db: Knex): Promise<Finding[]> {
  const settings = await one<Record<string, string>>(
    db,
    `SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
       current_setting('synchronous_commit') AS synchronous_commit`,
  );
  const off = Object.keys(settings).filter((name) => settings[name] === 'off');
  if (off.length === 0) return [fine('Durability: fsync, full_page_writes and synchronous_commit are on')];
  return off.map((name) =>
    broken(
      `Durability: ${name} is off`,
      `a crash loses acknowledged consents, set ${name} = on in postgresql.conf`,
    ),
  );
}

async function checkClock(db: Knex): Promise<Finding> {
  const before = Date.now();
  const { now } = await one<{ now: number }>(
    db,
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now',
  );
  const after = Date.now();
  // What the answer took is no difference.
  const difference = now < before ? before - now : Math.max(0, now - after);
  const text = `Clock: ${Math.round(difference)} ms from the database's`;
  if (difference <= SKEW.warning) return fine(text);
  const advice = 'records and deadlines take their time from here, let both machines follow NTP';
  return difference <= SKEW.broken ? warning(text, advice) : broken(text, advice);
}

async function checkConnections(config: Config, db: Knex): Promise<Finding> {
  const { most, used } = await one<{ most: number; used: number }>(
    db,
    `SELECT current_setting('max_connections')::int AS most,
       (SELECT count(*) FROM pg_stat_activity WHERE application_name NOT IN ('avow', 'avow ingest') AND backend_type = 'client backend')::int AS used`,
  );
  const processes = config.workers > 1 ? config.workers + 1 : 1;
  const wanted = processes * (config.databasePool + VISITOR_POOL);
  const text = `Connections: up to ${wanted} for this machine, the database allows ${most} and ${used} belong to others`;
  return wanted + used <= most ? fine(text) : warning(text, 'lower DATABASE_POOL or raise max_connections');
}

async function checkSchema(config: Config, db: Knex): Promise<Finding[]> {
  const pending = await pendingMigrations(db);
  if (pending.length > 0) {
    const text = `Migrations: ${pending.length} are pending`;
    return [
      config.migrate
        ? warning(text, 'the next start applies them')
        : broken(text, 'MIGRATE is off, run npm run migrate'),
    ];
  }
  return [fine('Migrations: up to date'), await checkPartitions(db)];
}

async function checkPartitions(db: Knex): Promise<Finding> {
  const existing = await listPartitions(db);
  const lastOf = (name: string): number =>
    Math.max(0, ...existing.filter(({ table }) => table === name).map(({ end }) => end.getTime()));
  const until = new Date(Math.min(...PARTITIONED.map(lastOf)));
  const text = `Partitions: made until ${until.toISOString().slice(0, 10)}`;
  const advice = 'jobs make them, check that a process with ROLE=all or ROLE=worker runs';
  const inAMonth = Date.now() + 31 * 86_400_000;
  if (until.getTime() > inAMonth) return fine(text);
  return until.getTime() > Date.now() ? warning(text, advice) : broken(text, advice);
}
