import type { Knex } from 'knex';

export const step = 'expand' as const;

// Mails that wait, with what became of those before. A row belongs to a site, or to an account: then its site is the nil
// UUID. What a mail says and to whom is sealed, and taken away a few days after its end; by the keyed hash of the
// address mails are counted, and found when a person's data is erased.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE mails (
      environment_id uuid NOT NULL,
      mail_id uuid NOT NULL,
      kind text NOT NULL,
      audience text NOT NULL CHECK (audience IN ('visitor', 'member', 'account')),
      request_id uuid,
      user_id integer,
      address_key bytea,
      state text NOT NULL CHECK (state IN ('pending', 'sent', 'failed', 'unsent', 'withheld')),
      content bytea,
      attempts integer NOT NULL,
      due_at timestamptz NOT NULL,
      give_up_at timestamptz NOT NULL,
      lease uuid,
      lease_until timestamptz,
      created_at timestamptz NOT NULL,
      last_attempt_at timestamptz,
      ended_at timestamptz,
      response_status integer,
      error text,
      PRIMARY KEY (environment_id, mail_id)
    ) WITH (fillfactor = 80)`);
  await knex.raw('CREATE INDEX mails_listed ON mails (environment_id, created_at, mail_id)');
  await knex.raw("CREATE INDEX mails_waiting ON mails (environment_id, due_at) WHERE state = 'pending'");
  await knex.raw(
    'CREATE INDEX mails_address ON mails (address_key, created_at) WHERE address_key IS NOT NULL',
  );
  await knex.raw('CREATE INDEX mails_request ON mails (environment_id, request_id)');
  await knex.raw('CREATE INDEX mails_ended ON mails (ended_at) WHERE ended_at IS NOT NULL');
  await knex.raw(`
    CREATE TABLE mail_refusals (
      environment_id uuid NOT NULL,
      address_key bytea NOT NULL,
      refused_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, address_key)
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE mail_refusals, mails');
}
