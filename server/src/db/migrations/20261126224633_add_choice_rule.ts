import type { Knex } from 'knex';

export const step = 'expand' as const;

/**
 * Where the visitor of a latest choice was, and by which rule it was made, so that whoever reads it need not read its
 * record. Null where its word says it, and where a site has no rules by region.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE session_choices ADD COLUMN region text, ADD COLUMN rule text');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE session_choices DROP COLUMN region, DROP COLUMN rule');
}
