import type { Knex } from 'knex';

export const step = 'expand' as const;

/**
 * The choice for each vendor, of a decision and of a session's latest choice. Null where its word says it, and where
 * visitors were asked by category alone.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE consents ADD COLUMN vendors jsonb');
  await knex.raw('ALTER TABLE session_choices ADD COLUMN vendors jsonb');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE session_choices DROP COLUMN vendors');
  await knex.raw('ALTER TABLE consents DROP COLUMN vendors');
}
