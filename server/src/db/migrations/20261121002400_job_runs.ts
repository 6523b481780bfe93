import type { Knex } from 'knex';

// A small table: one row for each scheduled job, so that all processes together run it once in its time.
export async function up(knex: Knex): Promise<void> {
  await knex.raw('CREATE TABLE job_runs (name text PRIMARY KEY, finished_at timestamptz NOT NULL)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE job_runs');
}
