import type { Knex } from 'knex';

export const step = 'expand' as const;

// How far samples of a site's evidence log were compared with its records, what the last one found, and in which leaves:
// those are looked at again by each run until they fit.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE ledger_audits (
      environment_id uuid NOT NULL,
      size bigint NOT NULL,
      at timestamptz NOT NULL,
      findings integer NOT NULL,
      problem text,
      damaged_since timestamptz,
      damaged_from bigint,
      damaged_to bigint,
      PRIMARY KEY (environment_id)
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE ledger_audits');
}
