import type { Knex } from 'knex';

export const step = 'expand' as const;

/**
 * How long the decision of a latest choice may have waited before it was stored; null for most, which did not. It
 * tells the upsert how far its clock reaches: a cluster takes no other values there than those of columns.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE session_choices ADD COLUMN waited interval');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE session_choices DROP COLUMN waited');
}
