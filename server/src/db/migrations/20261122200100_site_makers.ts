import type { Knex } from 'knex';

// Who made a site, beside the site: the first versions of settings, which tell it too, lie on all nodes of a cluster.
// Of a site that an older process makes meanwhile only the owners are known. As many rows as there are sites.
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE environments ADD COLUMN made_by integer');
  await knex.raw(`
    UPDATE environments e SET made_by = v.created_by FROM settings_versions v
    WHERE v.environment_id = e.id AND v.version = 1 AND v.created_by IS NOT NULL`);
  await knex.raw('CREATE INDEX environments_made_by ON environments (made_by)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE environments DROP COLUMN made_by');
}
