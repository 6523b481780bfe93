import type { Knex } from 'knex';
import { buildIndex } from '../build-index';

export const step = 'expand' as const;
// Built while everybody works: the table may be large.
export const config = { transaction: false };

/** Finds the confirmations of requests that nobody got, however many were sent. */
export async function up(knex: Knex): Promise<void> {
  await buildIndex(
    knex,
    'mails_unconfirmed',
    "mails (environment_id, ended_at) WHERE state IN ('unsent', 'withheld') AND kind = 'request_received'",
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX IF EXISTS mails_unconfirmed');
}
