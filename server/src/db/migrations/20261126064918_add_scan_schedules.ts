import type { Knex } from 'knex';

export const step = 'expand' as const;

// What an owner has scanned again and again, and of each page when its turn is and how the last ones ended: one owner's
// pages take turns with everybody's, so they lie beside the scans. `page` of a scan is a hash of its address, by which
// the scan before it of the same page is found.
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE cookie_scans ADD COLUMN page bytea');
  await knex.raw(`
    CREATE TABLE scan_schedules (
      environment_id uuid PRIMARY KEY REFERENCES environments (id),
      every text NOT NULL CHECK (every IN ('off', 'daily', 'weekly')),
      user_id integer NOT NULL,
      version integer NOT NULL,
      updated_at timestamptz NOT NULL
    )`);
  await knex.raw(`
    CREATE TABLE scheduled_pages (
      environment_id uuid NOT NULL REFERENCES environments (id),
      position smallint NOT NULL,
      url text NOT NULL,
      next_at timestamptz,
      scan_id uuid,
      under_way boolean NOT NULL DEFAULT false,
      failures integer NOT NULL DEFAULT 0,
      failed_since timestamptz,
      error text,
      PRIMARY KEY (environment_id, position)
    )`);
  await knex.raw('CREATE INDEX scheduled_pages_next ON scheduled_pages (next_at) WHERE next_at IS NOT NULL');
  await knex.raw('CREATE INDEX scheduled_pages_under_way ON scheduled_pages (scan_id) WHERE under_way');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE scheduled_pages, scan_schedules');
  await knex.raw('ALTER TABLE cookie_scans DROP COLUMN page');
}
