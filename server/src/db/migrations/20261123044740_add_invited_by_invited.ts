import type { Knex } from 'knex';

export const step = 'expand' as const;

/** Whether an account that had been invited itself invited this one: such may make a part of a group's accounts. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE users ADD COLUMN by_invited boolean NOT NULL DEFAULT false');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE users DROP COLUMN by_invited');
}
