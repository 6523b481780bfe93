import type { Knex } from 'knex';

export const step = 'expand' as const;

// When a person opened the link that was mailed to them; files that go with an answer, sealed part by part; and the code
// that opens them, as a keyed hash.
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE dsar_requests ADD COLUMN email_verified_at timestamptz');
  await knex.raw(`
    CREATE TABLE answer_files (
      environment_id uuid NOT NULL,
      request_id uuid NOT NULL,
      file_id uuid NOT NULL,
      name text NOT NULL,
      content_type text NOT NULL,
      bytes integer NOT NULL,
      downloads integer NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz,
      PRIMARY KEY (environment_id, request_id, file_id)
    )`);
  await knex.raw(
    'CREATE INDEX answer_files_expiry ON answer_files (expires_at) WHERE expires_at IS NOT NULL',
  );
  await knex.raw(`
    CREATE TABLE answer_file_parts (
      environment_id uuid NOT NULL,
      file_id uuid NOT NULL,
      part integer NOT NULL,
      bytes integer NOT NULL,
      content bytea NOT NULL,
      PRIMARY KEY (environment_id, file_id, part)
    )`);
  await knex.raw(`
    CREATE TABLE answer_codes (
      environment_id uuid NOT NULL,
      request_id uuid NOT NULL,
      code_hash bytea,
      expires_at timestamptz NOT NULL,
      attempts integer NOT NULL,
      PRIMARY KEY (environment_id, request_id)
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE answer_codes, answer_file_parts, answer_files');
  await knex.raw('ALTER TABLE dsar_requests DROP COLUMN email_verified_at');
}
