import type { Knex } from 'knex';

export const step = 'expand' as const;

// Log-ins by OpenID providers: which account of a provider is whose, sessions that a provider can end, states that were
// used up, and which provider's groups gave a membership.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE identities (
      identity_id uuid PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      provider text NOT NULL,
      issuer text NOT NULL,
      subject text NOT NULL,
      email text,
      made_by text NOT NULL CHECK (made_by IN ('login', 'link', 'operator')),
      linked_at timestamptz NOT NULL,
      last_used_at timestamptz NOT NULL,
      UNIQUE (issuer, subject)
    )`);
  await knex.raw('CREATE INDEX identities_user ON identities (user_id)');
  await knex.raw(`
    CREATE TABLE provider_sessions (
      token_hash bytea PRIMARY KEY,
      user_id integer NOT NULL,
      issuer text NOT NULL,
      subject text NOT NULL,
      sid text,
      logout_url bytea,
      begun_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    )`);
  await knex.raw('CREATE INDEX provider_sessions_subject ON provider_sessions (issuer, subject)');
  await knex.raw('CREATE INDEX provider_sessions_sid ON provider_sessions (issuer, sid)');
  await knex.raw('CREATE TABLE used_states (hash bytea PRIMARY KEY, expires_at timestamptz NOT NULL)');
  await knex.raw('ALTER TABLE members ADD COLUMN given_by text');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE members DROP COLUMN given_by');
  await knex.raw('DROP TABLE used_states');
  await knex.raw('DROP TABLE provider_sessions');
  await knex.raw('DROP TABLE identities');
}
