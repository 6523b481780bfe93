import type { Knex } from 'knex';

export const step = 'expand' as const;

/**
 * Tokens by which visitors take a choice along to another domain of their site, and the record that a choice was taken
 * from. Of a token there is its hash alone; whose browser may use it is kept as keyed hashes.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE consents ADD COLUMN linked_from uuid');
  await knex.raw(`
    CREATE TABLE link_tokens (
      environment_id uuid NOT NULL,
      hash bytea NOT NULL,
      session_id uuid NOT NULL,
      consent_id uuid NOT NULL,
      address_hash bytea NOT NULL,
      agent_hash bytea NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, hash)
    )`);
  await knex.raw('CREATE INDEX link_tokens_session ON link_tokens (environment_id, session_id)');
  await knex.raw('CREATE INDEX link_tokens_expires_at ON link_tokens (expires_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE link_tokens');
  await knex.raw('ALTER TABLE consents DROP COLUMN linked_from');
}
