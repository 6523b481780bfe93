import type { Knex } from 'knex';
import { buildIndex } from '../build-index';

// Built while everybody works: the table may be large.
export const step = 'expand' as const;
export const config = { transaction: false };

/** Finds the requests of a member, or of nobody, by deadline. */
export async function up(knex: Knex): Promise<void> {
  await buildIndex(
    knex,
    'dsar_requests_assignee',
    'dsar_requests (environment_id, assignee_id, deadline, request_id)',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX IF EXISTS dsar_requests_assignee');
}
