import type { Knex } from 'knex';

// Bearer tokens that were logged out, by a hash of what they sign, until they would have expired.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(
    'CREATE TABLE ended_sessions (token_hash bytea PRIMARY KEY, expires_at timestamptz NOT NULL)',
  );
  await knex.raw('CREATE INDEX ended_sessions_expires_at ON ended_sessions (expires_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE ended_sessions');
}
