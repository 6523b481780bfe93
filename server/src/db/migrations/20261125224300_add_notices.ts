import type { Knex } from 'knex';

export const step = 'expand' as const;

// What each member chose to be told, what each was told, so that nothing is told twice, and what was last seen of a site,
// so that a change can be told. A notice of an account belongs to the nil UUID.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE notification_settings (
      user_id integer PRIMARY KEY,
      topics jsonb NOT NULL,
      updated_at timestamptz NOT NULL
    )`);
  await knex.raw(`
    CREATE TABLE notices (
      environment_id uuid NOT NULL,
      user_id integer NOT NULL,
      notice_key text NOT NULL,
      topic text NOT NULL,
      message text NOT NULL,
      path text NOT NULL,
      created_at timestamptz NOT NULL,
      mailed_at timestamptz,
      PRIMARY KEY (environment_id, user_id, notice_key)
    )`);
  await knex.raw('CREATE INDEX notices_waiting ON notices (user_id, created_at) WHERE mailed_at IS NULL');
  await knex.raw('CREATE INDEX notices_created ON notices (created_at)');
  await knex.raw(`
    CREATE TABLE notice_marks (
      environment_id uuid NOT NULL,
      name text NOT NULL,
      value jsonb NOT NULL,
      at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, name)
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE notice_marks, notices, notification_settings');
}
