import type { Knex } from 'knex';

export const step = 'expand' as const;

// What the person was answered, sealed; and when the holder of the address said that the request is not theirs.
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE dsar_requests ADD COLUMN answer bytea, ADD COLUMN disowned_at timestamptz');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE dsar_requests DROP COLUMN answer, DROP COLUMN disowned_at');
}
