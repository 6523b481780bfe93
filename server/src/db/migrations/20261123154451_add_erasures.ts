import type { Knex } from 'knex';

// What was erased, when, by whom and by what it was found: never whose it was. One row for each call that erased
// something, and for retention one for each site, day and rule. `running` counts what has begun and not ended: a
// process that was killed leaves it above zero.
export const step = 'expand' as const;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE erasures (
      environment_id uuid NOT NULL REFERENCES environments (id),
      erasure_id uuid NOT NULL,
      begun_at timestamptz NOT NULL,
      finished_at timestamptz,
      kind text NOT NULL CHECK (kind IN ('person', 'session', 'retention')),
      found_by text[] NOT NULL,
      user_id integer,
      key_id text,
      rule text,
      day date,
      running integer NOT NULL,
      whole boolean NOT NULL,
      consents bigint NOT NULL,
      choices bigint NOT NULL,
      form_consents bigint NOT NULL,
      requests bigint NOT NULL,
      events bigint NOT NULL,
      deliveries bigint NOT NULL,
      PRIMARY KEY (environment_id, erasure_id)
    )`);
  await knex.raw('CREATE INDEX erasures_begun ON erasures (environment_id, begun_at, erasure_id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE erasures');
}
