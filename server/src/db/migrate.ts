import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
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

/** Brings the schema up to date. Safe when many processes start at once: one works, the others wait for it. */
export async function migrate(knex: Knex): Promise<void> {
  // An advisory lock, not knex's lock row: the row would stay locked after a kill -9.
  await withLock(knex, MIGRATION_LOCK, async () => {
    await knex.migrate.forceFreeMigrationsLock(options);
    await knex.migrate.latest(options);
  });
  await ensurePartitions(knex, new Date());
}

/** Takes every migration back. */
export const migrateDown = (knex: Knex): Promise<unknown> => knex.migrate.rollback(options, true);

/** Names of migrations that this database does not have yet. */
export async function pendingMigrations(knex: Knex): Promise<string[]> {
  if (!(await knex.schema.hasTable('avow_migrations'))) return Object.keys(migrations);
  const done = new Set(await knex('avow_migrations').pluck('name'));
  return Object.keys(migrations).filter((name) => !done.has(name));
}

/** Asked again and again, because a wait in the database ends with its time limits. */
async function tryLock(trx: Knex, lock: number): Promise<boolean> {
  const { rows } = await trx.raw<{ rows: { mine: boolean }[] }>(
    'SELECT pg_try_advisory_xact_lock(?) AS mine',
    [lock],
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
