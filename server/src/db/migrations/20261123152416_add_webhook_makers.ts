import type { Knex } from 'knex';

export const step = 'expand' as const;

/**
 * Who made a webhook, with which key if a program did, and who changed it last. None refers to a row: accounts and keys
 * may go, and who made it is told as long as they are there.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'ALTER TABLE webhooks ADD COLUMN created_by integer, ADD COLUMN created_with text, ADD COLUMN changed_by integer',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'ALTER TABLE webhooks DROP COLUMN created_by, DROP COLUMN created_with, DROP COLUMN changed_by',
  );
}
