import type { Knex } from 'knex';

export const step = 'expand' as const;

/** By which a server knows its own note of what an erasure took; null in notes of earlier versions. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE ledger_erased ADD COLUMN mac bytea');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE ledger_erased DROP COLUMN mac');
}
