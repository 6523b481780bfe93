import type { Knex } from 'knex';

// environment_id is the nil UUID for requests outside any environment, so it has no foreign key; rows live
// for 24 hours.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE idempotency_keys (
      environment_id uuid NOT NULL,
      scope text NOT NULL,
      key text NOT NULL,
      body_hash bytea NOT NULL,
      resource_id uuid,
      answer bytea,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, scope, key)
    )`);
  await knex.raw('CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE idempotency_keys');
}
