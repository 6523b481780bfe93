import type { Knex } from 'knex';

// Not one more status: the version before would write its own over it when an attempt in flight fails.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE webhooks
      ADD COLUMN paused_at timestamptz,
      ADD COLUMN headers bytea,
      ADD COLUMN header_names text[] NOT NULL DEFAULT '{}'`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE webhooks DROP COLUMN paused_at, DROP COLUMN headers, DROP COLUMN header_names');
}
