import type { Knex } from 'knex';

// Large parts of settings by their hash: a version costs what changed. Kept as long as the versions are.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE settings_parts (
      environment_id uuid NOT NULL REFERENCES environments (id),
      hash text NOT NULL,
      part jsonb NOT NULL,
      PRIMARY KEY (environment_id, hash)
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE settings_parts');
}
