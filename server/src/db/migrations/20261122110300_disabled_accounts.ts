import type { Knex } from 'knex';

// An account that the operator has disabled cannot log in, and its tokens end.
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE users ADD COLUMN disabled_at timestamptz');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE users DROP COLUMN disabled_at');
}
