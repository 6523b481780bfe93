import type { Knex } from 'knex';

/** The deadline that counts, as a column of its own: the desk is read in its order. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE dsar_requests
      ADD COLUMN deadline timestamptz NOT NULL GENERATED ALWAYS AS (coalesce(extended_until, due_at)) STORED`);
  await knex.raw(
    'CREATE INDEX dsar_requests_deadline ON dsar_requests (environment_id, deadline, request_id)',
  );
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE dsar_requests DROP COLUMN deadline');
}
