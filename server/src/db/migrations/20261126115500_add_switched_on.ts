import type { Knex } from 'knex';

export const step = 'expand' as const;

// Since when a member wants to be told of a topic, so that nobody is told what happened before.
export async function up(knex: Knex): Promise<void> {
  await knex.raw("ALTER TABLE notification_settings ADD COLUMN switched_on jsonb NOT NULL DEFAULT '{}'");
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE notification_settings DROP COLUMN switched_on');
}
