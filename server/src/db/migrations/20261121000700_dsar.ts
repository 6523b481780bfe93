import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE dsar_requests (
      environment_id uuid NOT NULL REFERENCES environments (id),
      request_id uuid NOT NULL,
      request_type text NOT NULL,
      email text NOT NULL,
      email_key text NOT NULL,
      name text,
      message text,
      session_id uuid,
      language text NOT NULL,
      status text NOT NULL CHECK (status IN ('created', 'in_progress', 'resolved')),
      created_at timestamptz NOT NULL,
      due_at timestamptz NOT NULL,
      extended_until timestamptz,
      extension_reason text,
      resolved_at timestamptz,
      resolution text,
      resolution_note text,
      possible_duplicate_of uuid,
      history jsonb NOT NULL,
      PRIMARY KEY (environment_id, request_id)
    )`);
  await knex.raw(
    'CREATE INDEX dsar_requests_created ON dsar_requests (environment_id, created_at, request_id)',
  );
  await knex.raw(
    'CREATE INDEX dsar_requests_email ON dsar_requests (environment_id, email_key, request_type, created_at)',
  );
  await knex.raw(
    'CREATE INDEX dsar_requests_type ON dsar_requests (environment_id, request_type, created_at)',
  );
  await knex.raw('CREATE INDEX dsar_requests_status ON dsar_requests (environment_id, status, due_at)');
  await knex.raw('CREATE INDEX dsar_requests_session ON dsar_requests (environment_id, session_id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE dsar_requests');
}
