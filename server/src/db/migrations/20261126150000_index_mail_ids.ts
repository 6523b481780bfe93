import type { Knex } from 'knex';
import { buildIndex } from '../build-index';

// Built while everybody works: the table may be large.
export const step = 'expand' as const;
export const config = { transaction: false };

/** Finds a mail that came back, of which only its Message-ID is known. */
export async function up(knex: Knex): Promise<void> {
  await buildIndex(knex, 'mails_id', 'mails (mail_id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX IF EXISTS mails_id');
}
