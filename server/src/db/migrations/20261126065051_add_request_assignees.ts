import type { Knex } from 'knex';

export const step = 'expand' as const;

// The member who works on a request, since when, and who gave it to them.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE dsar_requests
      ADD COLUMN assignee_id integer,
      ADD COLUMN assigned_at timestamptz,
      ADD COLUMN assigned_by integer`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    'ALTER TABLE dsar_requests DROP COLUMN assignee_id, DROP COLUMN assigned_at, DROP COLUMN assigned_by',
  );
}
