import type { Knex } from 'knex';

export const step = 'expand' as const;

/**
 * By which a server knows what it wrote itself: its note of what an erasure took, and how far the import of a log has
 * come. Null in notes of earlier versions, and once an import is over.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE ledger_erased ADD COLUMN mac bytea');
  await knex.raw('ALTER TABLE ledger_heads ADD COLUMN import_mac bytea');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE ledger_heads DROP COLUMN import_mac');
  await knex.raw('ALTER TABLE ledger_erased DROP COLUMN mac');
}
