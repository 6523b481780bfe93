import type { Knex } from 'knex';

// Keys live for different times: a decision that a visitor's browser sends again may come weeks later.
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE idempotency_keys RENAME COLUMN created_at TO expires_at');
  await knex.raw("UPDATE idempotency_keys SET expires_at = expires_at + interval '1 day'");
  await knex.raw('ALTER INDEX idempotency_keys_created_at RENAME TO idempotency_keys_expires_at');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER INDEX idempotency_keys_expires_at RENAME TO idempotency_keys_created_at');
  await knex.raw("UPDATE idempotency_keys SET expires_at = expires_at - interval '1 day'");
  await knex.raw('ALTER TABLE idempotency_keys RENAME COLUMN expires_at TO created_at');
}
