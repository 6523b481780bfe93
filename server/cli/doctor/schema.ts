import type { Knex } from 'knex';
import type { Config } from '../../src/config';
import { VERSION } from '../../src/config/version';
import { isMigrating } from '../../src/db/migrate';
import { migrations } from '../../src/db/migrations';
import { olderProcesses, type RunningProcess, runningProcesses } from '../../src/db/running-processes';
import { hasTable, refusal, type SchemaState, schemaState } from '../../src/db/schema-state';
import { broken, type Finding, fine, warning } from './finding';

/** What the schema is, and what an upgrade left to do; `fit` when this version can work on it. */
export async function checkSchemaState(
  config: Config,
  db: Knex,
): Promise<{ findings: Finding[]; fit: boolean }> {
  const state = await schemaState(db, VERSION);
  const refused = refusal(state, VERSION);
  if (refused !== undefined) {
    return { findings: [{ mark: '✗', text: `Migrations: ${refused}` }], fit: false };
  }
  const busy = await isMigrating(db);
  const fit = state.pending.length === 0;
  const findings = [
    fit ? await summary(db, state) : pendingFinding(config, state),
    ...(await checkBackground(config, db, state, busy)),
    ...(fit ? await checkContracts(db, state) : []),
    ...(await checkIndexes(config, db, state, busy)),
    ...(await checkProcesses(db)),
  ];
  return { findings, fit };
}

function pendingFinding(config: Config, { pending }: SchemaState): Finding {
  const text = `Migrations: ${pending.length} are pending`;
  return config.migrate
    ? warning(text, 'the next start applies them')
    : broken(text, 'MIGRATE is off, run npm run migrate');
}

async function summary(db: Knex, { newer }: SchemaState): Promise<Finding> {
  if (newer.length === 0) {
    const { name } = await db('avow_migrations').orderBy('id', 'desc').first('name');
    return fine(`Migrations: up to date, the last is ${name}, this is Avow ${VERSION}`);
  }
  return warning(
    `Migrations: a newer Avow has prepared the database (${newer.length} more, the last is ${newer.at(-1)}), and Avow ${VERSION} works on it`,
    'finish the upgrade, or stay; only a contract step ends this version',
  );
}

/** Steps that the program does while it works, and how far back-fills have come. */
async function checkBackground(
  config: Config,
  db: Knex,
  { background }: SchemaState,
  busy: boolean,
): Promise<Finding[]> {
  if (!(await hasTable(db, 'backfills'))) return [];
  const fills = await db('backfills').whereNull('finished_at').select<Fill[]>('name', 'rows', 'changed_at');
  const told = fills.map(
    ({ name, rows, changed_at }) => `"${name}" after ${rows} rows, last at ${changed_at.toISOString()}`,
  );
  if (background.length === 0 && fills.length === 0) return [];
  const steps = `Background steps: ${background.length} to do`;
  if (busy) return [fine([steps, ...told.map((fill) => `back-fill ${fill}`)].join('; '))];
  const again = config.migrate
    ? 'a running process with MIGRATE=on goes on with it within a minute, so does npm run migrate'
    : 'MIGRATE is off, run npm run migrate';
  return [
    ...told.map((fill) => warning(`Back-fill: interrupted, ${fill}`, again)),
    ...(fills.length === 0 ? [warning(steps, again)] : []),
  ];
}

interface Fill {
  name: string;
  rows: number;
  changed_at: Date;
}

async function checkContracts(db: Knex, { contracts }: SchemaState): Promise<Finding[]> {
  if (contracts.length === 0) return [];
  const older = new Map<string, RunningProcess>();
  for (const name of contracts) {
    const unused_since = migrations[name]?.unusedSince ?? null;
    for (const process of await olderProcesses(db, { name, unused_since }))
      older.set(`${process.host} ${process.pid}`, process);
  }
  const text = `Contract steps: ${contracts.length} wait (${contracts.join(', ')})`;
  const run = 'npm run migrate -- --contract, when you will not go back to the older version';
  if (older.size === 0) return [warning(text, `no older process runs: ${run}`)];
  const names = [...older.values()].map(({ version, host, pid }) => `Avow ${version} on ${host}, pid ${pid}`);
  return [warning(text, `older processes run (${names.join('; ')}), upgrade them, then ${run}`)];
}

/** What a CREATE INDEX CONCURRENTLY leaves behind that was broken off: it costs writes and serves no reader. */
async function checkIndexes(
  config: Config,
  db: Knex,
  { pending, background }: SchemaState,
  busy: boolean,
): Promise<Finding[]> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `SELECT indexrelid::regclass::text AS name FROM pg_index
     JOIN pg_class ON oid = indexrelid
     WHERE NOT indisvalid AND relnamespace = current_schema()::regnamespace ORDER BY 1`,
  );
  const names = rows.map(({ name }) => name);
  if (names.length === 0) return [];
  if (busy) return [fine(`Indexes: ${names.join(', ')} not finished, a migration runs`)];
  const text = `Indexes: ${names.join(', ')} not valid`;
  if (pending.length + background.length === 0) {
    return [broken(text, `no migration makes it again: REINDEX INDEX CONCURRENTLY ${names[0]}, or drop it`)];
  }
  const again = config.migrate ? 'the next start, or npm run migrate,' : 'npm run migrate';
  return [warning(text, `its building was broken off; ${again} drops it and makes it again`)];
}

async function checkProcesses(db: Knex): Promise<Finding[]> {
  if (!(await hasTable(db, 'running_processes'))) return [];
  const counts = new Map<string, number>();
  for (const { version } of await runningProcesses(db)) counts.set(version, (counts.get(version) ?? 0) + 1);
  const told = [...counts].map(([version, n]) => `${n} of Avow ${version}`);
  return [fine(`Processes: ${told.length === 0 ? 'none runs' : told.join(', ')}`)];
}
