import type { Knex } from 'knex';

// Whoever starts scans takes turns with others, so each scan says who that was: a keyed fingerprint of the
// account, or of the network without a login. What an older process writes counts as one stranger's. The
// unique index stays as it is, since an older process names it: from now on `domain` begins with the site or
// account that is meant, so that these lock nobody else's scans.
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    ALTER TABLE cookie_scans
      ADD COLUMN by_member boolean NOT NULL DEFAULT false,
      ADD COLUMN requester bytea NOT NULL DEFAULT '',
      ADD COLUMN registrable text NOT NULL DEFAULT ''`);
  await knex.raw('CREATE INDEX cookie_scans_requester ON cookie_scans (requester, started_at)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP INDEX cookie_scans_requester');
  await knex.raw(
    'ALTER TABLE cookie_scans DROP COLUMN by_member, DROP COLUMN requester, DROP COLUMN registrable',
  );
}
