import type { Knex } from 'knex';

// No foreign key to environments: it would lock the environment's row for each decision, and environments are
// never deleted.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE consents (
      environment_id uuid NOT NULL,
      recorded_at timestamptz NOT NULL,
      consent_id uuid NOT NULL,
      session_id uuid NOT NULL,
      decision text NOT NULL,
      categories jsonb NOT NULL,
      policy_version text NOT NULL,
      banner_version integer NOT NULL,
      bundle_hash text,
      method text NOT NULL,
      language text NOT NULL,
      page_url text,
      ip_masked text NOT NULL,
      user_agent text,
      gpc boolean NOT NULL,
      tc_string text,
      gpp_string text,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, recorded_at, consent_id)
    ) PARTITION BY RANGE (recorded_at)`);
  await knex.raw(
    'CREATE INDEX consents_session ON consents (environment_id, session_id, recorded_at, consent_id)',
  );
  await knex.raw(
    'CREATE INDEX consents_decision ON consents (environment_id, decision, recorded_at, consent_id)',
  );
  await knex.raw(`
    CREATE TABLE session_choices (
      environment_id uuid NOT NULL,
      session_id uuid NOT NULL,
      consent_id uuid NOT NULL,
      decision text NOT NULL,
      categories jsonb NOT NULL,
      policy_version text NOT NULL,
      recorded_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, session_id)
    )`);
  await knex.raw('CREATE INDEX session_choices_recorded_at ON session_choices (environment_id, recorded_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE session_choices, consents');
}
