import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE form_consents (
      environment_id uuid NOT NULL REFERENCES environments (id),
      recorded_at timestamptz NOT NULL,
      form_consent_id uuid NOT NULL,
      form_id text NOT NULL,
      form_url text NOT NULL,
      email text,
      email_key text,
      external_id text,
      statements jsonb NOT NULL,
      double_opt_in text NOT NULL CHECK (double_opt_in IN ('none', 'pending', 'confirmed')),
      language text NOT NULL,
      ip_masked text NOT NULL,
      PRIMARY KEY (environment_id, recorded_at, form_consent_id)
    )`);
  for (const column of ['form_id', 'email_key', 'external_id']) {
    await knex.raw(
      `CREATE INDEX form_consents_${column} ON form_consents (environment_id, ${column}, recorded_at, form_consent_id)`,
    );
  }
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE form_consents');
}
