import type { Knex } from 'knex';

// An invitation belongs to one site and is accepted by its own link; until then nobody is a member or has an
// account. Its id is one of a future account. Those that are open move here: they are few. A link that would
// have opened several sites ends, and so does nobody's.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE site_invitations (
      environment_id uuid NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
      user_id integer NOT NULL,
      email text NOT NULL,
      email_key text NOT NULL,
      name text NOT NULL,
      role text NOT NULL CHECK (role IN ('owner', 'operator', 'viewer')),
      made_by integer REFERENCES users (id) ON DELETE CASCADE,
      code_hash bytea UNIQUE,
      expires_at timestamptz NOT NULL,
      added_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, user_id),
      UNIQUE (environment_id, email_key)
    )`);
  await knex.raw('CREATE INDEX site_invitations_made_by ON site_invitations (made_by)');
  await knex.raw(`
    WITH waiting AS (
      SELECT u.* FROM users u WHERE u.password_hash IS NULL
        AND NOT EXISTS (SELECT FROM invitations i WHERE i.user_id = u.id AND i.made_by IS NULL)
        AND NOT EXISTS (
          SELECT FROM members m JOIN environments e ON e.id = m.environment_id WHERE m.user_id = u.id AND e.demo)
    ), moved AS (
      DELETE FROM members m USING waiting u WHERE m.user_id = u.id RETURNING m.*
    ), sites AS (
      SELECT user_id, count(*) AS count FROM moved GROUP BY user_id
    )
    INSERT INTO site_invitations
      (environment_id, user_id, email, email_key, name, role, made_by, code_hash, expires_at, added_at)
    SELECT m.environment_id, m.user_id, u.email, u.email_key, u.name, m.role, i.made_by,
      CASE WHEN s.count = 1 THEN i.code_hash END, coalesce(i.expires_at, m.added_at), m.added_at
    FROM moved m JOIN waiting u ON u.id = m.user_id JOIN sites s ON s.user_id = m.user_id
      LEFT JOIN invitations i ON i.user_id = m.user_id`);
  await knex.raw('DELETE FROM invitations WHERE user_id IS NOT NULL AND made_by IS NOT NULL');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE site_invitations');
}
