import type { Knex } from 'knex';

export const step = 'expand' as const;

// The systems in which a site keeps data of people, and for each request which of them were searched. A line keeps its
// own copy of a system's name: the list of the site may change, what was searched does not.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE site_systems (
      environment_id uuid PRIMARY KEY,
      systems jsonb NOT NULL,
      version integer NOT NULL,
      updated_at timestamptz NOT NULL
    )`);
  await knex.raw(`
    CREATE TABLE request_searches (
      environment_id uuid NOT NULL,
      request_id uuid NOT NULL,
      line_id uuid NOT NULL,
      name text NOT NULL,
      origin text NOT NULL CHECK (origin IN ('system', 'activity', 'recipient', 'added')),
      state text NOT NULL CHECK (state IN ('open', 'searched', 'data_found', 'nothing_found', 'not_applicable')),
      note text,
      actor text,
      user_id integer,
      key_id text,
      at timestamptz,
      version integer NOT NULL,
      PRIMARY KEY (environment_id, request_id, line_id)
    )`);
  await knex.raw('ALTER TABLE erasures ADD COLUMN searches bigint NOT NULL DEFAULT 0');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE erasures DROP COLUMN searches');
  await knex.raw('DROP TABLE request_searches, site_systems');
}
