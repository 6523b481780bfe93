import type { Knex } from 'knex';

export const step = 'expand' as const;

// Parts of files whose bytes are in a bucket: the part then holds the sealed key of its object. An object has a row from
// before it is stored until after it is deleted, so that none is forgotten.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE file_objects (
      environment_id uuid NOT NULL,
      object_id uuid NOT NULL,
      created_at timestamptz NOT NULL,
      delete_after timestamptz,
      PRIMARY KEY (environment_id, object_id)
    )`);
  await knex.raw(
    'CREATE INDEX file_objects_due ON file_objects (delete_after) WHERE delete_after IS NOT NULL',
  );
  await knex.raw('ALTER TABLE attachment_parts ADD COLUMN object_id uuid');
  await knex.raw('ALTER TABLE answer_file_parts ADD COLUMN object_id uuid');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE answer_file_parts DROP COLUMN object_id');
  await knex.raw('ALTER TABLE attachment_parts DROP COLUMN object_id');
  await knex.raw('DROP TABLE file_objects');
}
