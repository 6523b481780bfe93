import type { Knex } from 'knex';

// Of each page of a site what its scans found, small enough to be read with every look at the site: the scan
// of one page says nothing of another one. It lies beside its scans and goes with the one that it is of.
// `place` is the host backwards, so that a domain with its subdomains is one span of the index. A job takes in
// what older processes stored.
export const step = 'expand' as const;

export async function up(knex: Knex): Promise<void> {
  await knex.raw('ALTER TABLE cookie_scans ADD COLUMN counted boolean NOT NULL DEFAULT false');
  await knex.raw(
    `CREATE INDEX cookie_scans_uncounted ON cookie_scans (environment_id, created_at)
     WHERE state = 'done' AND environment_id IS NOT NULL AND NOT counted`,
  );
  await knex.raw(`
    CREATE TABLE scanned_pages (
      environment_id uuid NOT NULL REFERENCES environments (id),
      page bytea NOT NULL,
      place text COLLATE "C" NOT NULL,
      shown text NOT NULL,
      rank smallint NOT NULL CHECK (rank BETWEEN 0 AND 2),
      sight smallint NOT NULL CHECK (sight BETWEEN 0 AND 2),
      scan_id uuid NOT NULL REFERENCES cookie_scans (scan_id) ON DELETE CASCADE,
      created_at timestamptz NOT NULL,
      finished_at timestamptz NOT NULL,
      summary json NOT NULL CHECK (octet_length(summary::text) <= 4096),
      cookies json NOT NULL CHECK (octet_length(cookies::text) <= 4096),
      PRIMARY KEY (environment_id, page)
    )`);
  await knex.raw('CREATE INDEX scanned_pages_place ON scanned_pages (environment_id, rank, place)');
  await knex.raw('CREATE INDEX scanned_pages_scan ON scanned_pages (scan_id)');
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE scanned_pages');
  await knex.raw('DROP INDEX cookie_scans_uncounted');
  await knex.raw('ALTER TABLE cookie_scans DROP COLUMN counted');
}
