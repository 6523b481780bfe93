import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE environments (
      id uuid PRIMARY KEY,
      token text NOT NULL UNIQUE,
      name text NOT NULL,
      domain text NOT NULL,
      domains text[] NOT NULL,
      url text NOT NULL,
      status text NOT NULL CHECK (status IN ('active', 'paused')),
      demo boolean NOT NULL DEFAULT false,
      settings jsonb NOT NULL,
      settings_version integer NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    )`);
  await knex.raw('CREATE INDEX environments_updated_at ON environments (updated_at)');
  await knex.raw('CREATE INDEX environments_domains ON environments USING gin (domains)');
  await knex.raw(`
    CREATE TABLE settings_versions (
      environment_id uuid NOT NULL REFERENCES environments (id),
      version integer NOT NULL,
      settings jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      created_by integer REFERENCES users (id),
      PRIMARY KEY (environment_id, version)
    )`);
  await knex.raw('CREATE INDEX settings_versions_created_by ON settings_versions (created_by)');
  await knex.raw(`
    CREATE TABLE members (
      environment_id uuid NOT NULL REFERENCES environments (id),
      user_id integer NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      role text NOT NULL CHECK (role IN ('owner', 'operator', 'viewer')),
      added_at timestamptz NOT NULL,
      PRIMARY KEY (environment_id, user_id)
    )`);
  await knex.raw('CREATE INDEX members_user_id ON members (user_id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE members, settings_versions, environments');
}
