import type { Knex } from 'knex';

// Since when this server itself cannot send to the webhook; the receiver is not to blame, and its state stays.
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE webhooks ADD COLUMN unsendable_since timestamptz');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE webhooks DROP COLUMN unsendable_since');
}
