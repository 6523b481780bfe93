import type { Knex } from 'knex';

export const step = 'expand' as const;

// Accounts that their people took back from whoever had claimed the address: nobody knows it of those from before.
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE users ADD COLUMN was_claimed boolean NOT NULL DEFAULT false');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE users DROP COLUMN was_claimed');
}
