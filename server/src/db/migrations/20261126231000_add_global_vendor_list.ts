import type { Knex } from 'knex';

export const step = 'expand' as const;

/** IAB Europe's Global Vendor List, of which a server has one; bundles hold what their visitors saw of it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE global_vendor_list (
      id smallint PRIMARY KEY CHECK (id = 1),
      version integer,
      list jsonb,
      translations jsonb NOT NULL DEFAULT '{}',
      stored_at timestamptz,
      checked_at timestamptz,
      problem text
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE global_vendor_list');
}
