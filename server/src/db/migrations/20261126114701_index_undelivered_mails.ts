import type { Knex } from 'knex';
import { buildIndex } from '../build-index';

// Built while everybody works: the table may be large.
export const step = 'expand' as const;
export const config = { transaction: false };

/** Finds the answers and extensions that reached nobody, however many mails were sent. */
export async function up(knex: Knex): Promise<void> {
  await buildIndex(
    knex,
    'mails_undelivered',
    "mails (environment_id, ended_at) WHERE state IN ('failed', 'unsent', 'withheld') AND kind IN ('request_answered', 'request_extended')",
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX IF EXISTS mails_undelivered');
}
