import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Knex } from 'knex';
import type { Config } from '../../src/config';
import { databaseTime } from '../../src/db/clock';
import { listPartitions, PARTITIONED } from '../../src/db/partitions';
import { clock } from '../../src/domain/clock';
import { DAY_MS } from '../../src/domain/time';
import { withDatabase } from '../database';
import { checkCluster } from './cluster';
import { broken, type Check, type Finding, fine, warning } from './finding';
import { checkJobs } from './jobs';
import { checkRetention } from './retention';
import { checkSchemaState } from './schema';
import { checkSealed } from './secrets';
import { checkTcf } from './tcf';
import { checkWrites } from './writes';

const OLDEST = 14;
/** Clocks that differ by more are worth a thought, in milliseconds. */
const NOTABLE_DIFFERENCE = 1_000;
/** Connections of the visitor path of each process. */
const VISITOR_POOL = 6;

/** Connects as the server does, and looks at what it relies on. */
export const checkDatabase: Check = async (config) => {
  if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'postgres', 'PG_VERSION'))) {
    return [fine(`Database: none yet, the first start makes an embedded one in ${config.dataDir}`)];
  }
  try {
    return await withDatabase(config, async ({ db, where }) => [
      await checkVersion(db, where),
      await checkWrites(db),
      ...(await checkDurability(db)),
      await checkClock(db),
      await checkConnections(config, db),
      ...(await checkCluster(db)),
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
  await databaseTime(db);
  const difference = Math.round(clock.difference());
  const text = `Clock: ${Math.abs(difference)} ms ${difference < 0 ? 'behind' : 'ahead of'} the database's`;
  if (Math.abs(difference) <= NOTABLE_DIFFERENCE) return fine(text);
  const disagreement = clock.disagreement();
  const advice = 'everything is dated by the database, let both machines follow NTP';
  return disagreement === undefined
    ? warning(text, advice)
    : broken(`Clock: ${disagreement}`, 'until then jobs do not run and /readyz says 503');
}

async function checkConnections(config: Config, db: Knex): Promise<Finding> {
  const { most, used } = await one<{ most: number; used: number }>(
    db,
    `SELECT current_setting('max_connections')::int AS most,
       (SELECT count(*) FROM pg_stat_activity WHERE application_name NOT LIKE 'avow%' AND backend_type = 'client backend')::int AS used`,
  );
  const processes = config.workers > 1 ? config.workers + 1 : 1;
  const wanted = processes * (config.databasePool + VISITOR_POOL);
  const text = `Connections: up to ${wanted} for this machine, the database allows ${most} and ${used} belong to others`;
  return wanted + used <= most ? fine(text) : warning(text, 'lower DATABASE_POOL or raise max_connections');
}

async function checkSchema(config: Config, db: Knex): Promise<Finding[]> {
  const { findings, fit } = await checkSchemaState(config, db);
  if (!fit) return findings;
  return [
    ...findings,
    await checkPartitions(db),
    await checkJobs(db),
    ...(await checkSealed(config, db)),
    ...(await checkRetention(db)),
    ...(await checkTcf(db, config)),
  ];
}

async function checkPartitions(db: Knex): Promise<Finding> {
  const existing = await listPartitions(db);
  const lastOf = (name: string): number =>
    Math.max(0, ...existing.filter(({ table }) => table === name).map(({ end }) => end.getTime()));
  const until = new Date(Math.min(...PARTITIONED.map(lastOf)));
  const text = `Partitions: made until ${until.toISOString().slice(0, 10)}`;
  const advice = 'jobs make them, check that a process with ROLE=all or ROLE=worker runs';
  const inAMonth = clock.now() + 31 * DAY_MS;
  if (until.getTime() > inAMonth) return fine(text);
  return until.getTime() > clock.now() ? warning(text, advice) : broken(text, advice);
}
