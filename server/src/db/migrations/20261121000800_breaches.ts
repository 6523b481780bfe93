import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE breaches (
      environment_id uuid NOT NULL REFERENCES environments (id),
      breach_id uuid NOT NULL,
      title text NOT NULL,
      nature text NOT NULL,
      description text NOT NULL,
      severity text NOT NULL CHECK (severity IN ('low', 'medium', 'high', 'critical')),
      occurred_from timestamptz,
      occurred_to timestamptz,
      aware_at timestamptz NOT NULL,
      notify_by timestamptz NOT NULL,
      data_categories jsonb NOT NULL,
      subject_categories jsonb NOT NULL,
      affected_subjects integer,
      affected_records integer,
      consequences text NOT NULL,
      measures text NOT NULL,
      subjects_informed_at timestamptz,
      status text NOT NULL CHECK (status IN ('created', 'reported')),
      reported_at timestamptz,
      authority text,
      authority_reference text,
      late_reason text,
      created_at timestamptz NOT NULL,
      history jsonb NOT NULL,
      PRIMARY KEY (environment_id, breach_id)
    )`);
  await knex.raw('CREATE INDEX breaches_created ON breaches (environment_id, created_at, breach_id)');
  await knex.raw('CREATE INDEX breaches_status ON breaches (environment_id, status, notify_by)');
  await knex.raw('CREATE INDEX breaches_severity ON breaches (environment_id, severity, created_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE breaches');
}
