import type { Knex } from 'knex';
import { clock } from '../domain/clock';
import { DAY_MS } from '../domain/time';

/** Of a site's newest scans, and of their pages. */
const SCANS = 300;
const PAGES = 100;
/** How long scans are kept. */
const DAYS = 30;

/** What the newest scan of each of a site's pages saw before a decision. */
export interface NewestHosts {
  /** Hosts that pages made the browser speak to. */
  contacted: string[];
  /** Hosts from which the banner of a page held something. */
  held: string[];
  scannedAt: Date | undefined;
}

export async function newestHosts(db: Knex, environmentId: string): Promise<NewestHosts> {
  const { rows } = await db.raw<{
    rows: { hosts: string[]; held: string[]; finished_at: Date | null }[];
  }>(
    `WITH latest AS (
       SELECT scan_id, page, finished_at FROM cookie_scans
       WHERE environment_id = :id AND state = 'done' AND created_at > :since
       ORDER BY finished_at DESC LIMIT ${SCANS}
     ), newest AS (
       SELECT DISTINCT ON (page) scan_id, finished_at FROM latest ORDER BY page, finished_at DESC
     ), chosen AS (SELECT scan_id FROM newest ORDER BY finished_at DESC LIMIT ${PAGES})
     SELECT jsonb_path_query_array(result, '$.requests[*].host') AS hosts,
       coalesce(result->'held_hosts', '[]') AS held, finished_at
     FROM cookie_scans JOIN chosen USING (scan_id) ORDER BY finished_at DESC`,
    { id: environmentId, since: new Date(clock.now() - DAYS * DAY_MS) },
  );
  return {
    contacted: [...new Set(rows.flatMap(({ hosts }) => hosts))].sort(),
    held: [...new Set(rows.flatMap(({ held }) => held))].sort(),
    scannedAt: rows[0]?.finished_at ?? undefined,
  };
}
