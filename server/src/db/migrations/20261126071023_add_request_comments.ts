import type { Knex } from 'knex';

export const step = 'expand' as const;

// What members write to each other about a request.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE dsar_comments (
      environment_id uuid NOT NULL,
      request_id uuid NOT NULL,
      comment_id uuid NOT NULL,
      user_id integer NOT NULL,
      key_id text,
      author text NOT NULL,
      text text NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, request_id, comment_id)
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE dsar_comments');
}
