import type { Knex } from 'knex';

// Small tables that upgrades need: which processes run and what they know, which contract steps were begun,
// and how far back-fills have come.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE running_processes (
      process_id uuid PRIMARY KEY,
      version text NOT NULL,
      contract_steps text[] NOT NULL,
      host text NOT NULL,
      pid integer NOT NULL,
      started_at timestamptz NOT NULL,
      seen_at timestamptz NOT NULL
    )`);
  await knex.raw(`
    CREATE TABLE contract_steps (
      name text PRIMARY KEY,
      unused_since text,
      version text NOT NULL,
      started_at timestamptz NOT NULL
    )`);
  await knex.raw(`
    CREATE TABLE backfills (
      name text PRIMARY KEY,
      place jsonb NOT NULL,
      rows bigint NOT NULL,
      started_at timestamptz NOT NULL,
      changed_at timestamptz NOT NULL,
      finished_at timestamptz
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE backfills, contract_steps, running_processes');
}
