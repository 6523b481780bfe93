import type { Knex } from 'knex';

/** The session that a form consent was given in, by which it is found and erased. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE form_consents ADD COLUMN session_id uuid');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE form_consents DROP COLUMN session_id');
}
