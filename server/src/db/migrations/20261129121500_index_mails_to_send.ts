import type { Knex } from 'knex';
import { buildIndex } from '../build-index';

// Built while everybody works: the table may be large.
export const step = 'expand' as const;
export const config = { transaction: false };

/** The mails of a site in the order in which they are sent, so that the next few are found however many wait. */
export async function up(knex: Knex): Promise<void> {
  await buildIndex(
    knex,
    'mails_to_send',
    `mails (environment_id, attempts, last_attempt_at NULLS FIRST, due_at, mail_id)
     WHERE state = 'pending' AND environment_id <> '00000000-0000-0000-0000-000000000000'`,
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX IF EXISTS mails_to_send');
}
