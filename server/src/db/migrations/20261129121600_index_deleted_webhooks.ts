import type { Knex } from 'knex';
import { buildIndex } from '../build-index';

// Built while everybody works: one site may have many.
export const step = 'expand' as const;
export const config = { transaction: false };

/** The deleted webhooks of one site after the other, so that a bounded number of them is read at once. */
export async function up(knex: Knex): Promise<void> {
  await buildIndex(
    knex,
    'deleted_webhooks_advanced',
    'deleted_webhooks (environment_id, advanced_at, webhook_id)',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX IF EXISTS deleted_webhooks_advanced');
}
