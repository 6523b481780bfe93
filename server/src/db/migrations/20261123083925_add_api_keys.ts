import type { Knex } from 'knex';

export const step = 'expand' as const;

/**
 * Keys for programs, by what names them in their text; of the rest there is only a hash, keyed with a secret that is
 * sealed in `server_secrets`. No site: every site where the account is an owner.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('CREATE TABLE server_secrets (name text PRIMARY KEY, sealed bytea NOT NULL)');
  await knex.raw(`
    CREATE TABLE api_keys (
      key_id text PRIMARY KEY,
      user_id integer NOT NULL REFERENCES users ON DELETE CASCADE,
      environment_id uuid REFERENCES environments ON DELETE CASCADE,
      hash bytea NOT NULL,
      name text NOT NULL,
      scopes text[] NOT NULL,
      networks text[] NOT NULL,
      created_at timestamptz NOT NULL,
      expires_at timestamptz,
      revoked_at timestamptz,
      replaced_by text,
      used_on date,
      used_from text
    )`);
  await knex.raw('CREATE INDEX api_keys_user ON api_keys (user_id, created_at, key_id)');
  await knex.raw('CREATE INDEX api_keys_environment ON api_keys (environment_id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE api_keys');
  await knex.raw('DROP TABLE server_secrets');
}
