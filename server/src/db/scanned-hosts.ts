import type { Knex } from 'knex';
import type { FoundHosts } from '../domain/auto-blocking/hosts';
import { clock } from '../domain/clock';
import { DAY_MS } from '../domain/time';

/** Of a site's newest scans, and of their pages. */
const SCANS = 300;
const PAGES = 100;
/** How long scans are kept. */
const DAYS = 30;

/** What the newest scan of each of a site's pages saw before a decision. */
export interface NewestHosts {
  /** In an order that further scans of them do not change. */
  pages: FoundHosts[];
  scannedAt: Date | undefined;
}

export async function newestHosts(db: Knex, environmentId: string): Promise<NewestHosts> {
  const { rows } = await db.raw<{
    rows: { contacted: string[]; held: string[]; finished_at: Date | null }[];
  }>(
    `WITH latest AS (
       SELECT scan_id, page, finished_at FROM cookie_scans
       WHERE environment_id = :id AND state = 'done' AND created_at > :since
       ORDER BY finished_at DESC LIMIT ${SCANS}
     ), newest AS (
       SELECT DISTINCT ON (page) scan_id, finished_at FROM latest ORDER BY page, finished_at DESC
     ), chosen AS (SELECT scan_id FROM newest ORDER BY finished_at DESC LIMIT ${PAGES})
     SELECT jsonb_path_query_array(result, '$.requests[*].host') AS contacted,
       coalesce(result->'held_hosts', '[]') AS held, finished_at
     FROM cookie_scans JOIN chosen USING (scan_id) ORDER BY page, scan_id`,
    { id: environmentId, since: new Date(clock.now() - DAYS * DAY_MS) },
  );
  return {
    pages: rows,
    scannedAt: rows.reduce<Date | undefined>(
      (last, { finished_at: at }) => (at !== null && (last === undefined || at > last) ? at : last),
      undefined,
    ),
  };
}
