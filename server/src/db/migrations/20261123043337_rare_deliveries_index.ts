import type { Knex } from 'knex';
import { buildIndex } from '../build-index';

export const step = 'expand' as const;
// Built while everybody works: the table may be large.
export const config = { transaction: false };

/** What waits besides consents, so that it is found among a flood of them. */
export async function up(knex: Knex): Promise<void> {
  await buildIndex(
    knex,
    'deliveries_rare',
    "deliveries (environment_id, webhook_id, attempts, created_at, delivery_id) WHERE state = 'pending' AND event NOT LIKE 'consent.%'",
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX IF EXISTS deliveries_rare');
}
