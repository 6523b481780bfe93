import type { Knex } from 'knex';
import { buildIndex } from '../build-index';

export const step = 'expand' as const;
// Built while everybody works: the table may be large.
export const config = { transaction: false };

/** What the members of a site were told in the last day, which is bounded. */
export async function up(knex: Knex): Promise<void> {
  await buildIndex(knex, 'notices_of_site', 'notices (environment_id, created_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX IF EXISTS notices_of_site');
}
