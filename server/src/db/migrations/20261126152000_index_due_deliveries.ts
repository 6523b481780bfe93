import type { Knex } from 'knex';
import { buildIndex } from '../build-index';

export const step = 'expand' as const;
// Built while everybody works: the table may be large.
export const config = { transaction: false };

/** What is tried again and when, so that what waits for its time is not read each time something is sent. */
export async function up(knex: Knex): Promise<void> {
  await buildIndex(
    knex,
    'deliveries_again',
    "deliveries (environment_id, webhook_id, due_at) WHERE state = 'pending' AND attempts > 0",
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX IF EXISTS deliveries_again');
}
