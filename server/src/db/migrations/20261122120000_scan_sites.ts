import type { Knex } from 'knex';

// A scan that nobody of the site started is classified by its vendors and is no evidence of it: it names the
// site by its token, and every look at a site's scans, which is by environment_id, passes it by.
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE cookie_scans ADD COLUMN site_token text');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE cookie_scans DROP COLUMN site_token');
}
