import type { Knex } from 'knex';

export const step = 'expand' as const;

// Texts with which the members of a site begin the answers to requests. They hold nothing of a person: placeholders are
// filled when one is used.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE answer_templates (
      environment_id uuid NOT NULL,
      template_id uuid NOT NULL,
      name text NOT NULL,
      request_type text NOT NULL,
      language text NOT NULL,
      text text NOT NULL,
      version integer NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, template_id)
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE answer_templates');
}
