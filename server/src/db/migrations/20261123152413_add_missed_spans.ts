import type { Knex } from 'knex';

export const step = 'expand' as const;

/**
 * What paused and disabled webhooks miss, without a row for each event. `subscription_versions` numbers the changes of
 * a site in which webhooks miss events; an event whose deliveries left somebody out carries the number that held
 * (`subscriptions`). A span says from which number on a webhook missed the events that it subscribed to, and up to
 * which. `read_…` is how far they have become deliveries since. `deleted_webhooks`: whose deliveries are to be deleted.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE events ADD COLUMN subscriptions bigint');
  await knex.raw(`
    CREATE TABLE subscription_versions (
      environment_id uuid NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
      version bigint NOT NULL,
      PRIMARY KEY (environment_id)
    )`);
  await knex.raw(`
    CREATE TABLE missed_spans (
      environment_id uuid NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
      webhook_id uuid NOT NULL,
      from_version bigint NOT NULL,
      to_version bigint,
      events text[] NOT NULL,
      started_at timestamptz NOT NULL,
      seen_closed_at timestamptz,
      settled boolean NOT NULL DEFAULT false,
      read_version bigint,
      read_at timestamptz,
      read_id uuid,
      advanced_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, webhook_id, from_version)
    )`);
  await knex.raw(
    'CREATE UNIQUE INDEX missed_spans_open ON missed_spans (environment_id, webhook_id) WHERE to_version IS NULL',
  );
  await knex.raw(`
    CREATE TABLE deleted_webhooks (
      environment_id uuid NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
      webhook_id uuid NOT NULL,
      deleted_at timestamptz NOT NULL,
      after_at timestamptz NOT NULL,
      advanced_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, webhook_id)
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE subscription_versions, missed_spans, deleted_webhooks');
  await knex.raw('ALTER TABLE events DROP COLUMN subscriptions');
}
