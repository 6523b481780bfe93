import type { Knex } from 'knex';

// Failed logins wait longer and longer, and the networks that an account has logged in from lately are known
// (as keyed fingerprints), so that a stranger's failures keep nobody out of their own account.
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE login_failures ADD COLUMN wait_until timestamptz');
  await knex.raw('CREATE TABLE login_networks (who bytea PRIMARY KEY, seen_at timestamptz NOT NULL)');
  await knex.raw('CREATE INDEX login_networks_seen_at ON login_networks (seen_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE login_networks');
  await knex.raw('ALTER TABLE login_failures DROP COLUMN wait_until');
}
