import type { Knex } from 'knex';

// slot: each process writes its own rows, so that no two wait for each other's commit; readers sum over the
// slots.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE daily_counts (
      environment_id uuid NOT NULL,
      day date NOT NULL,
      metric text NOT NULL,
      key text NOT NULL,
      language text NOT NULL,
      banner_version integer NOT NULL,
      device text NOT NULL,
      slot smallint NOT NULL,
      n bigint NOT NULL,
      PRIMARY KEY (environment_id, day, metric, key, language, banner_version, device, slot)
    ) WITH (fillfactor = 50)`);
  await knex.raw(`
    CREATE TABLE hourly_counts (
      environment_id uuid NOT NULL,
      hour timestamptz NOT NULL,
      metric text NOT NULL,
      key text NOT NULL,
      slot smallint NOT NULL,
      n bigint NOT NULL,
      PRIMARY KEY (environment_id, hour, metric, key, slot)
    ) WITH (fillfactor = 50)`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE hourly_counts, daily_counts');
}
