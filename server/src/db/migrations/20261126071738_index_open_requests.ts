import type { Knex } from 'knex';
import { buildIndex } from '../build-index';

// Built while everybody works: the table may be large.
export const step = 'expand' as const;
export const config = { transaction: false };

/** Finds what must be answered by deadline, however many requests were answered before. */
export async function up(knex: Knex): Promise<void> {
  await buildIndex(
    knex,
    'dsar_requests_open',
    "dsar_requests (environment_id, deadline, request_id) WHERE status <> 'resolved'",
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX IF EXISTS dsar_requests_open');
}
