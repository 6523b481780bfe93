import type { Knex } from 'knex';

// Every bundle that was ever generated is kept, whole: a consent record names it, and what a visitor saw must
// be shown again as long as the record counts (GDPR Art. 7(1)). It holds nothing of a person, so that neither
// retention nor an erasure touches it.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE bundles (
      environment_id uuid NOT NULL REFERENCES environments (id),
      hash text NOT NULL,
      script text NOT NULL,
      integrity text NOT NULL,
      bytes integer NOT NULL,
      gzip_bytes integer NOT NULL,
      config jsonb NOT NULL,
      texts jsonb NOT NULL,
      vendors jsonb NOT NULL,
      warnings jsonb NOT NULL,
      program_digest text NOT NULL,
      settings_version integer NOT NULL,
      vendor_list_version integer NOT NULL,
      created_at timestamptz NOT NULL,
      created_by integer REFERENCES users (id),
      published_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, hash)
    )`);
  await knex.raw('CREATE INDEX bundles_created ON bundles (environment_id, created_at, hash)');
  await knex.raw('CREATE INDEX bundles_created_by ON bundles (created_by)');
  // What every process must know to serve visitors, on the row that each of them reads again when it changes.
  await knex.raw("ALTER TABLE environments ADD COLUMN bundles jsonb NOT NULL DEFAULT '[]'");
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE environments DROP COLUMN bundles');
  await knex.raw('DROP TABLE bundles');
}
