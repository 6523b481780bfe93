import type { Knex } from 'knex';
import type { Migration } from './migrations';
import { GONE_AFTER, olderProcesses } from './running-processes';

/**
 * A contract step that records in the database that it was begun. In a transaction the record and the work are
 * one; outside of one the record comes first, because half of the work is too much for an older process.
 */
export function recordStep(name: string, migration: Migration, version: string): Migration {
  if (migration.step !== 'contract') return migration;
  const { config, unusedSince } = migration;
  return {
    ...(config === undefined ? {} : { config }),
    up: async (knex) => {
      await knex.raw(
        `INSERT INTO contract_steps (name, unused_since, version, started_at)
         VALUES (?, ?, ?, clock_timestamp()) ON CONFLICT (name) DO NOTHING`,
        [name, unusedSince ?? null, version],
      );
      await migration.up(knex);
    },
    down: async (knex) => {
      await migration.down(knex);
      await knex('contract_steps').where({ name }).delete();
    },
  };
}

/** Throws, in words, while a process runs that needs what the step takes away. */
export async function refuseWhileOlder(knex: Knex, name: string, { unusedSince }: Migration): Promise<void> {
  const older = await olderProcesses(knex, { name, unused_since: unusedSince ?? null });
  if (older.length === 0) return;
  const told = older.map(
    ({ version, host, pid, silence }) => `Avow ${version} on ${host} (pid ${pid}, seen ${silence} s ago)`,
  );
  throw new Error(
    `The contract step ${name} would take away what older processes use: ${told.join(', ')}. ` +
      `Upgrade or stop them, then run this again; a killed process counts for ${GONE_AFTER} s more.`,
  );
}
