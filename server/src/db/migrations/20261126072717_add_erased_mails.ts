import type { Knex } from 'knex';

export const step = 'expand' as const;

// Of erasures of a person: how many mails and files of answers went.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE erasures ADD COLUMN mails bigint NOT NULL DEFAULT 0,
      ADD COLUMN answer_files bigint NOT NULL DEFAULT 0`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE erasures DROP COLUMN mails, DROP COLUMN answer_files');
}
