import type { Knex } from 'knex';

/** Whether a form consent came from a member of the site; of older ones nobody knows, so they count as a page's. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE form_consents ADD COLUMN by_owner boolean NOT NULL DEFAULT false');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE form_consents DROP COLUMN by_owner');
}
