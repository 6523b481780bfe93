import type { Knex } from 'knex';

export const step = 'expand' as const;

// Accounts of before count as verified: whoever has one keeps what it may do. A link that was mailed is known by a hash.
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE users ADD COLUMN email_verified_at timestamptz');
  await knex.raw('UPDATE users SET email_verified_at = created_at');
  await knex.raw(`
    CREATE TABLE mailed_links (
      code_hash bytea PRIMARY KEY,
      user_id integer NOT NULL,
      purpose text NOT NULL CHECK (purpose IN ('password', 'address')),
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    )`);
  await knex.raw('CREATE INDEX mailed_links_user ON mailed_links (user_id, purpose)');
  await knex.raw('CREATE INDEX mailed_links_expires_at ON mailed_links (expires_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE mailed_links');
  await knex.raw('ALTER TABLE users DROP COLUMN email_verified_at');
}
