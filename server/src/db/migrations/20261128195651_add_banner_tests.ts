import type { Knex } from 'knex';

export const step = 'expand' as const;

/** The last A/B tests of a site's banner, at most eleven: what they counted is among the counts by day. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE environments ADD COLUMN banner_tests jsonb NOT NULL DEFAULT '[]'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE environments DROP COLUMN banner_tests');
}
