import type { Knex } from 'knex';
import { buildIndex } from '../build-index';

// Built while everybody works: the table may be large.
export const step = 'expand' as const;
export const config = { transaction: false };

/** Finds the accounts that mails of no site wait for, one after the other, however many each has. */
export async function up(knex: Knex): Promise<void> {
  await buildIndex(
    knex,
    'mails_of_accounts',
    // With the site first, so that the planner takes it also before it has counted what waits.
    "mails (environment_id, (coalesce(user_id, 0)), due_at) WHERE state = 'pending'",
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX IF EXISTS mails_of_accounts');
}
