import type { Knex } from 'knex';

export const step = 'expand' as const;

/** Who sent a decision: of older ones nobody knows, so they count as a page's. Adds a default, rewrites no row. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw("ALTER TABLE consents ADD COLUMN recorded_by text NOT NULL DEFAULT 'visitor'");
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE consents DROP COLUMN recorded_by');
}
