import type { Knex } from 'knex';

// One row for each site whose retention was held or allowed: at most as many as there are sites.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE retention_holds (
      environment_id uuid PRIMARY KEY REFERENCES environments (id),
      held_since timestamptz,
      records bigint NOT NULL DEFAULT 0,
      allowed_records bigint,
      allowed_until timestamptz,
      allowed_by integer REFERENCES users (id) ON DELETE SET NULL
    )`);
  await knex.raw('CREATE INDEX retention_holds_allowed_by ON retention_holds (allowed_by)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE retention_holds');
}
