import type { Knex } from 'knex';

// Every list that was ever published is kept: it belongs to what visitors were shown.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE vendor_lists (
      environment_id uuid NOT NULL REFERENCES environments (id),
      version integer NOT NULL,
      vendors jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      created_by integer REFERENCES users (id),
      PRIMARY KEY (environment_id, version)
    )`);
  await knex.raw('CREATE INDEX vendor_lists_created_by ON vendor_lists (created_by)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE vendor_lists');
}
