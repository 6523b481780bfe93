import type { Knex } from 'knex';

export const step = 'expand' as const;

// What proves a person besides the password. The secret of one-time codes is sealed, recovery codes are keyed hashes.
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE users ADD COLUMN second_factor_since timestamptz');
  await knex.raw('ALTER TABLE environments ADD COLUMN second_factor_required boolean NOT NULL DEFAULT false');
  await knex.raw(`
    CREATE TABLE totp_secrets (
      user_id integer PRIMARY KEY,
      sealed bytea NOT NULL,
      created_at timestamptz NOT NULL,
      confirmed_at timestamptz,
      last_step bigint NOT NULL
    )`);
  await knex.raw(`
    CREATE TABLE passkeys (
      passkey_id uuid PRIMARY KEY,
      user_id integer NOT NULL,
      credential_id text NOT NULL UNIQUE,
      public_key bytea NOT NULL,
      user_handle text NOT NULL,
      counter bigint NOT NULL,
      transports text[] NOT NULL,
      synced boolean NOT NULL,
      name text NOT NULL,
      created_at timestamptz NOT NULL,
      used_on date
    )`);
  await knex.raw('CREATE INDEX passkeys_user ON passkeys (user_id, created_at)');
  await knex.raw(`
    CREATE TABLE recovery_codes (
      user_id integer NOT NULL,
      hash bytea NOT NULL,
      PRIMARY KEY (user_id, hash)
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE recovery_codes');
  await knex.raw('DROP TABLE passkeys');
  await knex.raw('DROP TABLE totp_secrets');
  await knex.raw('ALTER TABLE environments DROP COLUMN second_factor_required');
  await knex.raw('ALTER TABLE users DROP COLUMN second_factor_since');
}
