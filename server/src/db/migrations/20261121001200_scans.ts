import type { Knex } from 'knex';

// A small table like webhooks: 30 days of a rate-limited endpoint. It is read by its id alone, without any
// environment, its work is claimed across environments, and a domain has one running scan whoever asked for
// it: all three need one place that knows every row.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE cookie_scans (
      scan_id uuid PRIMARY KEY,
      environment_id uuid REFERENCES environments (id),
      url text NOT NULL,
      domain text NOT NULL,
      state text NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed')),
      runs integer NOT NULL,
      lease uuid,
      lease_until timestamptz,
      engine text CHECK (engine IN ('browser', 'http')),
      result jsonb,
      error text,
      created_at timestamptz NOT NULL,
      started_at timestamptz,
      finished_at timestamptz
    )`);
  await knex.raw(
    "CREATE UNIQUE INDEX cookie_scans_one_per_domain ON cookie_scans (domain) WHERE state IN ('queued', 'running')",
  );
  await knex.raw(
    "CREATE INDEX cookie_scans_waiting ON cookie_scans (state, created_at) WHERE state IN ('queued', 'running')",
  );
  await knex.raw(
    'CREATE INDEX cookie_scans_environment ON cookie_scans (environment_id, state, finished_at)',
  );
  await knex.raw('CREATE INDEX cookie_scans_created ON cookie_scans (created_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE cookie_scans');
}
