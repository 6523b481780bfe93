import type { Knex } from 'knex';

export const step = 'expand' as const;

// Which account of a group made the site of a mail: of those from before nobody knows it.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`ALTER TABLE mail_counts ADD COLUMN maker text NOT NULL DEFAULT ''`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE mail_counts DROP COLUMN maker');
}
