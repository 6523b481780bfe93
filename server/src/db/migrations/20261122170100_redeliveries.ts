import type { Knex } from 'knex';

// A small table like webhooks: what runs is found in it across sites. A redelivery is worked off in parts: `after_at`
// and `after_id` are the last delivery that was looked at. `scope` is what it asks for: of the same there is one at a
// time.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE redeliveries (
      environment_id uuid NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
      redelivery_id uuid NOT NULL,
      scope text NOT NULL,
      webhook_id uuid,
      event text,
      since timestamptz NOT NULL,
      until timestamptz NOT NULL,
      after_at timestamptz NOT NULL,
      after_id uuid NOT NULL,
      deliveries integer NOT NULL DEFAULT 0,
      created_at timestamptz NOT NULL,
      advanced_at timestamptz NOT NULL,
      finished_at timestamptz,
      PRIMARY KEY (environment_id, redelivery_id)
    )`);
  await knex.raw(
    'CREATE UNIQUE INDEX redeliveries_running ON redeliveries (environment_id, scope) WHERE finished_at IS NULL',
  );
  await knex.raw(
    'CREATE INDEX redeliveries_advanced ON redeliveries (advanced_at) WHERE finished_at IS NULL',
  );
  await knex.raw(
    'CREATE INDEX redeliveries_created ON redeliveries (environment_id, created_at, redelivery_id)',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE redeliveries');
}
