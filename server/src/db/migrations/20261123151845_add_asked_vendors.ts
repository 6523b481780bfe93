import type { Knex } from 'knex';

export const step = 'expand' as const;

/**
 * For each version of a site's privacy policy: the vendors that every banner published under it has named, and the
 * names of those that the present banner adds. At most one row for each version that a banner was published with.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE asked_vendors (
      environment_id uuid NOT NULL REFERENCES environments (id),
      policy_version text NOT NULL,
      vendors jsonb NOT NULL,
      added text[] NOT NULL,
      added_since timestamptz,
      PRIMARY KEY (environment_id, policy_version)
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE asked_vendors');
}
