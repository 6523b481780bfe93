import type { Knex } from 'knex';

export const step = 'expand' as const;

// How often a list of saved views was replaced on its last day, which each leaves an entry in the audit trail.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'ALTER TABLE dsar_views ADD COLUMN changed_on date, ADD COLUMN changes integer NOT NULL DEFAULT 0',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE dsar_views DROP COLUMN changed_on, DROP COLUMN changes');
}
