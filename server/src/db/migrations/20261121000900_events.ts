import type { Knex } from 'knex';

// payload is text, not jsonb: the bytes that are signed must be the bytes that were compiled.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE events (
      environment_id uuid NOT NULL,
      occurred_at timestamptz NOT NULL,
      event_id uuid NOT NULL,
      event text NOT NULL,
      subject_id uuid NOT NULL,
      payload text NOT NULL,
      PRIMARY KEY (environment_id, occurred_at, event_id)
    ) PARTITION BY RANGE (occurred_at)`);
  await knex.raw('CREATE INDEX events_event ON events (environment_id, event, occurred_at, event_id)');
  await knex.raw('CREATE INDEX events_subject ON events (environment_id, subject_id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE events');
}
