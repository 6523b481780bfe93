import type { Knex } from 'knex';

export const step = 'expand' as const;

// The saved views of each member of a site; those of account 0 are every member's.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE dsar_views (
      environment_id uuid NOT NULL,
      user_id integer NOT NULL,
      version integer NOT NULL,
      views jsonb NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, user_id)
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE dsar_views');
}
