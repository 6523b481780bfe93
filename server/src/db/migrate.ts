import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { databaseTime } from './clock';
import { placeNewTables } from './cluster/distribute';
import { recordStep, refuseWhileOlder } from './contract-steps';
import { LOCK_NOT_AVAILABLE, nativeError } from './errors';
import { connectLike } from './knex';
import { type Migration, migrations } from './migrations';
import { ensurePartitions } from './partitions';
import { keepProcessesOut } from './running-processes';
import { hasTable, refusal, type SchemaState, schemaState } from './schema-state';

/** Any number that no other program on the same database uses for an advisory lock. */
const MIGRATION_LOCK = 7_305_826_001;

/** How often a process that waits for another one's migrations looks, in milliseconds. */
const LOCK_LOOK = 200;

/**
 * A migration may run as long as it needs, but everybody queues behind it while it waits for a lock. Longer
 * than a second, because only then does PostgreSQL cancel a vacuum that is in the way.
 */
const LIMITS = { statement: 0, lock: 2_000 };
/**
 * The pause before a migration tries to get its locks again, in milliseconds; those who queued behind it go
 * first.
 */
const PAUSE = 3_000;
/** One connection for the lock and one for the work. */
const POOL = 2;
/** For tests and tools, which run no contract step by a version. */
const NO_VERSION = '0.0.0';

export interface MigrateOptions {
  /** The version of this program. */
  version?: string;
  /** Also what the program can do without for a while: back-fills, and indexes that only make it faster. */
  background?: boolean;
  /** Also the contract steps; refused while a process runs that needs what they take away. */
  contract?: boolean;
  /** Returns false at once, instead of waiting, when another process migrates. */
  unlessBusy?: boolean;
  /** Ends the work where it is; the next run goes on. */
  signal?: AbortSignal;
  /** Called each time a migration must wait because its tables are in use. */
  onWait?(migration: string, attempt: number): void;
  /** Called after each migration of a database that had data before. */
  onDone?(migration: string): void;
  /** Called instead, once, when the database was empty. */
  onMade?(migrations: number): void;
}

/**
 * Brings the schema to where this program can work. Safe when many processes start at once: one migrates, the
 * others wait. What a newer program added stays.
 */
export async function migrate(knex: Knex, told: MigrateOptions = {}): Promise<boolean> {
  told.signal?.throwIfAborted();
  const name = `avow migrations ${randomBytes(6).toString('hex')}`;
  const own = connectLike(knex, POOL, { name, limits: LIMITS, silenceMs: 0 });
  const end = (): void => void endConnections(knex, name).catch(() => undefined);
  told.signal?.addEventListener('abort', end);
  try {
    // An advisory lock, not knex's lock row: the row would stay locked after a kill -9.
    const mine = await withLock(own, told, (trx) => applyAll(own, trx, told));
    if (!mine) return false;
  } finally {
    told.signal?.removeEventListener('abort', end);
    await own.destroy();
  }
  await ensurePartitions(knex, await databaseTime(knex));
  return true;
}

async function applyAll(own: Knex, lock: Knex, told: MigrateOptions): Promise<void> {
  const { version = NO_VERSION } = told;
  const state = await schemaState(own, version);
  const refused = refusal(state, version);
  if (refused !== undefined) throw new Error(refused);
  // Nobody uses an empty database yet: everything at once, in its order.
  const steps = state.isNew ? Object.keys(migrations) : expandSteps(state, told);
  for (const name of steps) {
    await apply(own, name, told);
    if (state.isNew) continue;
    await placeNewTables(own);
    told.onDone?.(name);
  }
  // Also after a run that was broken off.
  await placeNewTables(own);
  if (state.isNew) told.onMade?.(steps.length);
  else if (told.contract === true && state.contracts.length > 0) {
    await keepProcessesOut(lock);
    for (const name of state.contracts) {
      await refuseWhileOlder(own, name, migrations[name] as Migration);
      await apply(own, name, told);
      told.onDone?.(name);
    }
  }
}

const expandSteps = (
  { pending, background }: SchemaState,
  { background: all, contract }: MigrateOptions,
): string[] => (all === true || contract === true ? [...pending, ...background] : pending);

/** Applies one migration and records it in one transaction; retries while others hold its locks. */
async function apply(knex: Knex, name: string, { version, onWait }: MigrateOptions): Promise<void> {
  const options = { ...optionsFor(version), name } as Knex.MigratorConfig;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await knex.migrate.forceFreeMigrationsLock(options);
      await knex.migrate.up(options);
      break;
    } catch (error) {
      if ((nativeError(error) as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      onWait?.(name, attempt);
      await delay(PAUSE);
    }
  }
  if (await hasTable(knex, 'backfills')) await knex('backfills').whereNotNull('finished_at').delete();
}

const optionsFor = (version = NO_VERSION): Knex.MigratorConfig => ({
  migrationSource: {
    getMigrations: async () => Object.keys(migrations),
    getMigrationName: (name: string) => name,
    getMigration: async (name: string) => inTurn(recordStep(name, migrations[name] as Migration, version)),
  },
  tableName: 'avow_migrations',
  // What a newer program applied is no fault; the state of the schema is told in words elsewhere.
  disableMigrationsListValidation: true,
});

/** A transaction that changed several parts of a table at once would be refused a change of a copied table by Citus. */
const IN_TURN =
  "SELECT set_config('citus.multi_shard_modify_mode', 'sequential', true) FROM pg_extension WHERE extname = 'citus'";

const inTurn = (migration: Migration): Migration => ({
  ...migration,
  up: async (knex) => {
    if (migration.config?.transaction !== false) await knex.raw(IN_TURN);
    await migration.up(knex);
  },
});

/** Reverts every migration. */
export const migrateDown = (knex: Knex): Promise<unknown> => knex.migrate.rollback(optionsFor(), true);

/** A statement that runs does not notice that its program has gone. Names of connections end in a version. */
const endConnections = (knex: Knex, name: string): Promise<unknown> =>
  knex.raw('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE starts_with(application_name, ?)', [
    name,
  ]);

/** Polled, because waiting inside the database would run into its time limits. */
async function tryLock(trx: Knex): Promise<boolean> {
  // Without a parameter: with one, the driver's protocol holds a snapshot that a concurrent index build would
  // wait for.
  const { rows } = await trx.raw<{ rows: { mine: boolean }[] }>(
    `SELECT pg_try_advisory_xact_lock(${MIGRATION_LOCK}) AS mine`,
  );
  return rows[0]?.mine === true;
}

/** Whether a process migrates now. */
export const isMigrating = (knex: Knex): Promise<boolean> =>
  knex.transaction(async (trx) => !(await tryLock(trx)));

/** False when it was not to be waited for. */
async function withLock(
  knex: Knex,
  { unlessBusy = false, signal }: MigrateOptions,
  work: (trx: Knex) => Promise<void>,
): Promise<boolean> {
  return knex.transaction(async (trx) => {
    // The lock's own connection is idle for as long as the work takes.
    await trx.raw('SET LOCAL idle_in_transaction_session_timeout = 0');
    while (!(await tryLock(trx))) {
      if (unlessBusy) return false;
      await delay(LOCK_LOOK, undefined, { signal });
    }
    await work(trx);
    return true;
  });
}
