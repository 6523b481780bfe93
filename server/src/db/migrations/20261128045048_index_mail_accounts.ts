import type { Knex } from 'knex';
import { buildIndex } from '../build-index';

export const step = 'expand' as const;
// Built while everybody works: the table may be large.
export const config = { transaction: false };

/** What an account's sites have mailed in a day, by kind, and to addresses that nobody has confirmed. */
export async function up(knex: Knex): Promise<void> {
  await buildIndex(knex, 'mail_counts_account', 'mail_counts (account, kind, created_at)');
  await buildIndex(knex, 'mail_counts_unconfirmed', 'mail_counts (account, created_at) WHERE unconfirmed');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX IF EXISTS mail_counts_unconfirmed');
  await knex.raw('DROP INDEX IF EXISTS mail_counts_account');
}
