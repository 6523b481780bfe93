import type { Knex } from 'knex';

// How the login session began that did what an audit event tells of; events from before it say nothing.
export const step = 'expand' as const;

export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE audit_events ADD COLUMN begun_by text');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE audit_events DROP COLUMN begun_by');
}
