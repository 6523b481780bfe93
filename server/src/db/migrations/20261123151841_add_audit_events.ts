import type { Knex } from 'knex';

// What accounts, keys and the operator's commands changed or exported. A row belongs to the trail of a site, or
// to that of an account: then its site is the nil UUID, and for what concerns every account the account is 0. It
// refers to no other table, because it outlives what it tells of. The key is the order of every list; retention
// goes by the time alone.
export const step = 'expand' as const;

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE audit_events (
      environment_id uuid NOT NULL,
      account_id integer NOT NULL,
      occurred_at timestamptz NOT NULL,
      audit_id uuid NOT NULL,
      operation text NOT NULL,
      kind text NOT NULL CHECK (kind IN ('change', 'export', 'refused')),
      via text NOT NULL CHECK (via IN ('login', 'key', 'command')),
      user_id integer,
      key_id text,
      os_user text,
      ip_masked text,
      request_id text,
      resource text,
      resource_id text,
      changes json NOT NULL CHECK (octet_length(changes::text) <= 16384),
      changes_left_out integer NOT NULL,
      PRIMARY KEY (environment_id, account_id, occurred_at, audit_id)
    )`);
  await knex.raw('CREATE INDEX audit_events_time ON audit_events (occurred_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE audit_events');
}
