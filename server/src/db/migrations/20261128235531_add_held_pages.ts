import type { Knex } from 'knex';

export const step = 'expand' as const;

/** What the scans found that a site's present banner holds by, page by page: it outlives them. One row for each site. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE held_pages (
      environment_id uuid PRIMARY KEY REFERENCES environments (id),
      pages jsonb NOT NULL
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE held_pages');
}
