import type { Knex } from 'knex';

export const step = 'expand' as const;

// Bearer sessions that go on, by the id in their token. One that an older version began gets its row when it is next
// used. `token_hash` is what ends it, also for processes of the version before.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE login_sessions (
      login_session_id uuid PRIMARY KEY,
      user_id integer NOT NULL,
      token_hash bytea NOT NULL,
      begun_by text NOT NULL CHECK (begun_by IN ('password', 'passkey', 'oidc', 'link', 'older')),
      second_factor boolean NOT NULL,
      device text NOT NULL,
      ip_masked text NOT NULL,
      begun_at timestamptz NOT NULL,
      used_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL
    )`);
  await knex.raw('CREATE INDEX login_sessions_user ON login_sessions (user_id, begun_at, login_session_id)');
  await knex.raw('CREATE INDEX login_sessions_expires_at ON login_sessions (expires_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE login_sessions');
}
