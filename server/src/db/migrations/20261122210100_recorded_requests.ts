import type { Knex } from 'knex';
import { buildIndex } from '../build-index';

// Built while everybody works: the table may be large.
export const step = 'expand' as const;
export const config = { transaction: false };

/** Finds the requests that members record, to count them, among those of visitors. */
export async function up(knex: Knex): Promise<void> {
  await buildIndex(
    knex,
    'dsar_requests_recorded',
    "dsar_requests (environment_id, created_at) WHERE channel <> 'online'",
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX IF EXISTS dsar_requests_recorded');
}
