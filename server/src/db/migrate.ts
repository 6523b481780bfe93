import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { databaseTime } from './clock';
import { placeNewTables } from './cluster/distribute';
import { LOCK_NOT_AVAILABLE, nativeError } from './errors';
import { connectLike } from './knex';
import { type Migration, migrations } from './migrations';
import { ensurePartitions } from './partitions';

/** Any number that no other program on the same database uses for an advisory lock. */
const MIGRATION_LOCK = 7_305_826_001;

/** How often a process that waits for another one's migrations looks, in milliseconds. */
const LOCK_LOOK = 200;

const source: Knex.MigrationSource<string> = {
  getMigrations: async () => Object.keys(migrations),
  getMigrationName: (name) => name,
  getMigration: async (name) => migrations[name] as Migration,
};

const options: Knex.MigratorConfig = {
  migrationSource: source,
  tableName: 'avow_migrations',
  disableMigrationsListValidation: false,
};

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

export interface MigrateOptions {
  /** Called each time a migration must wait because its tables are in use. */
  onWait?(migration: string, attempt: number): void;
  /** Called after each migration of a database that had data before. */
  onDone?(migration: string): void;
  /** Called instead, once, when the database was empty. */
  onMade?(migrations: number): void;
}

/** Brings the schema up to date. Safe when many processes start at once: one migrates, the others wait. */
export async function migrate(knex: Knex, told: MigrateOptions = {}): Promise<void> {
  const own = connectLike(knex, POOL, { name: 'avow migrations', limits: LIMITS, silenceMs: 0 });
  try {
    // An advisory lock, not knex's lock row: the row would stay locked after a kill -9.
    await withLock(own, MIGRATION_LOCK, async () => {
      await refuseNewer(own);
      const pending = await pendingMigrations(own);
      const isNew = pending.length === Object.keys(migrations).length;
      for (const name of pending) {
        await apply(own, name, told);
        if (!isNew) await placeNewTables(own);
        if (!isNew) told.onDone?.(name);
      }
      // Also after one that was broken off.
      await placeNewTables(own);
      if (isNew) told.onMade?.(pending.length);
    });
  } finally {
    await own.destroy();
  }
  await ensurePartitions(knex, await databaseTime(knex));
}

/** Applies one migration and records it in one transaction; retries while others hold its locks. */
async function apply(knex: Knex, name: string, { onWait }: MigrateOptions): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await knex.migrate.forceFreeMigrationsLock(options);
      await knex.migrate.up({ ...options, name } as Knex.MigratorConfig);
      return;
    } catch (error) {
      if ((nativeError(error) as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      onWait?.(name, attempt);
      await delay(PAUSE);
    }
  }
}

/** An older program does not know what a newer one expects of the data. */
async function refuseNewer(knex: Knex): Promise<void> {
  const unknown = await unknownMigrations(knex);
  if (unknown.length === 0) return;
  throw new Error(
    `The database was migrated by a newer Avow (${unknown.at(-1)}): start that version, or restore the backup that was made before.`,
  );
}

/** Reverts every migration. */
export const migrateDown = (knex: Knex): Promise<unknown> => knex.migrate.rollback(options, true);

/** Names of migrations that this database does not have yet. */
export async function pendingMigrations(knex: Knex): Promise<string[]> {
  const done = new Set(await appliedMigrations(knex));
  return Object.keys(migrations).filter((name) => !done.has(name));
}

/** Names of migrations that this program does not know, because a newer one made them. */
export async function unknownMigrations(knex: Knex): Promise<string[]> {
  return (await appliedMigrations(knex)).filter((name) => !Object.hasOwn(migrations, name)).sort();
}

async function appliedMigrations(knex: Knex): Promise<string[]> {
  if (!(await knex.schema.hasTable('avow_migrations'))) return [];
  return knex('avow_migrations').pluck('name');
}

/** Polled, because waiting inside the database would run into its time limits. */
async function tryLock(trx: Knex, lock: number): Promise<boolean> {
  // Without a parameter: with one, the driver's protocol holds a snapshot that a concurrent index build would
  // wait for.
  const { rows } = await trx.raw<{ rows: { mine: boolean }[] }>(
    `SELECT pg_try_advisory_xact_lock(${lock}) AS mine`,
  );
  return rows[0]?.mine === true;
}

async function withLock(knex: Knex, lock: number, work: () => Promise<void>): Promise<void> {
  await knex.transaction(async (trx) => {
    // The lock's own connection is idle for as long as the work takes.
    await trx.raw('SET LOCAL idle_in_transaction_session_timeout = 0');
    while (!(await tryLock(trx, lock))) await delay(LOCK_LOOK);
    await work();
  });
}
