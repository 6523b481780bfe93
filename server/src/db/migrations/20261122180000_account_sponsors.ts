import type { Knex } from 'knex';

// An account that a member's invitation made belongs to the group of whoever invited: limits by account count
// the group. The accounts that are there stay independent.
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE users ADD COLUMN sponsor_id integer REFERENCES users (id) ON DELETE SET NULL');
  await knex.raw('CREATE INDEX users_sponsor_id ON users (sponsor_id, created_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE users DROP COLUMN sponsor_id');
}
