import type { Knex } from 'knex';

export const step = 'expand' as const;

/** Where the visitor of a decision was, and which rule was applied there; null where a site has no rules by region. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE consents ADD COLUMN region text, ADD COLUMN rule text');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE consents DROP COLUMN region, DROP COLUMN rule');
}
