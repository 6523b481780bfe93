import type { Knex } from 'knex';

// An account can make others by inviting addresses, so turns and places go by group of accounts first. What an
// older process writes counts as one group's.
export async function up(knex: Knex): Promise<void> {
  await knex.raw("ALTER TABLE cookie_scans ADD COLUMN requester_group bytea NOT NULL DEFAULT ''");
  await knex.raw('CREATE INDEX cookie_scans_requester_group ON cookie_scans (requester_group, started_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX cookie_scans_requester_group');
  await knex.raw('ALTER TABLE cookie_scans DROP COLUMN requester_group');
}
