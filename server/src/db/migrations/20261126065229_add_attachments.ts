import type { Knex } from 'knex';

export const step = 'expand' as const;

// Internal files of requests, sealed part by part, and what files are by their SHA-256. A revision says whether a part came
// while the hash was computed.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE attachments (
      environment_id uuid NOT NULL,
      request_id uuid NOT NULL,
      file_id uuid NOT NULL,
      name text NOT NULL,
      content_type text NOT NULL,
      bytes integer NOT NULL,
      sha256 bytea,
      revision integer NOT NULL,
      added_by text NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, request_id, file_id)
    )`);
  await knex.raw('CREATE INDEX attachments_incomplete ON attachments (created_at) WHERE sha256 IS NULL');
  await knex.raw(`
    CREATE TABLE attachment_parts (
      environment_id uuid NOT NULL,
      file_id uuid NOT NULL,
      part integer NOT NULL,
      bytes integer NOT NULL,
      content bytea NOT NULL,
      PRIMARY KEY (environment_id, file_id, part)
    )`);
  await knex.raw('ALTER TABLE answer_files ADD COLUMN sha256 bytea');
  await knex.raw('ALTER TABLE answer_files ADD COLUMN revision integer NOT NULL DEFAULT 0');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE answer_files DROP COLUMN revision, DROP COLUMN sha256');
  await knex.raw('DROP TABLE attachment_parts, attachments');
}
