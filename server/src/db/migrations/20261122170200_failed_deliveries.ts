import type { Knex } from 'knex';
import { buildIndex } from '../build-index';

export const config = { transaction: false };

// What failed is a small part of a large table: without the index the whole log of a site would be read for it.
export async function up(knex: Knex): Promise<void> {
  await buildIndex(
    knex,
    'deliveries_failed',
    "deliveries (environment_id, last_attempt_at, delivery_id) WHERE state = 'failed'",
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX deliveries_failed');
}
