import type { Knex } from 'knex';
import type { FoundHosts } from '../domain/auto-blocking/hosts';
import { clock } from '../domain/clock';
import { DAY_MS } from '../domain/time';

/** Pages of a site that count: those that were scanned last. */
const PAGES = 100;
/** How long scans are kept. */
const DAYS = 30;

/** What the newest scan of a page saw before a decision. */
export interface HeldPage extends FoundHosts {
  /** The page's hash in hex; empty where scans did not say it. */
  page: string;
  finished_at: string;
}

/** What the newest scan of each of a site's pages saw before a decision. */
export interface NewestHosts {
  /** In an order that further scans of them do not change. */
  pages: HeldPage[];
  /** Whether there are more pages, which do not count. */
  hasMore: boolean;
  scannedAt: Date | undefined;
}

/** Of scans that are kept, and where none is, of those that the last banner with auto-blocking was made by. */
export async function newestHosts(db: Knex, environmentId: string): Promise<NewestHosts> {
  const { rows: scanned } = await db.raw<{
    rows: (Omit<HeldPage, 'finished_at'> & { finished_at: Date })[];
  }>(
    // The newest of each page first: many scans of one page push out no other.
    `WITH newest AS (
       SELECT DISTINCT ON (page) scan_id, page, finished_at FROM cookie_scans
       WHERE environment_id = :id AND state = 'done' AND created_at > :since
         AND result IS NOT NULL AND finished_at IS NOT NULL
       ORDER BY page, finished_at DESC, scan_id
     ), chosen AS (
       SELECT * FROM newest ORDER BY finished_at DESC, scan_id LIMIT ${PAGES + 1}
     )
     SELECT coalesce(encode(chosen.page, 'hex'), '') AS page, chosen.finished_at,
       jsonb_path_query_array(result, '$.requests[*].host') AS contacted,
       coalesce(result->'held_hosts', '[]') AS held
     FROM chosen JOIN cookie_scans USING (scan_id)`,
    { id: environmentId, since: new Date(clock.now() - DAYS * DAY_MS) },
  );
  const kept: { pages: HeldPage[] } | undefined = await db('held_pages')
    .where({ environment_id: environmentId })
    .first('pages');
  const pages = new Map((kept?.pages ?? []).map((page) => [page.page, page]));
  for (const { finished_at, ...page } of scanned)
    pages.set(page.page, { ...page, finished_at: finished_at.toISOString() });
  const all = [...pages.values()].sort(byTime);
  return {
    pages: all.slice(0, PAGES).sort((one, other) => (one.page < other.page ? -1 : 1)),
    hasMore: all.length > PAGES,
    scannedAt: all[0] && new Date(all[0].finished_at),
  };
}

/** The newest first. */
const byTime = (one: HeldPage, other: HeldPage): number =>
  other.finished_at.localeCompare(one.finished_at) || (one.page < other.page ? -1 : 1);

/** What a banner holds by: scans go with time, and nothing stops waiting by that alone. */
export async function keepHeldPages(
  trx: Knex.Transaction,
  environment_id: string,
  pages: readonly HeldPage[],
): Promise<void> {
  await trx('held_pages')
    .insert({ environment_id, pages: JSON.stringify(pages) })
    .onConflict('environment_id')
    .merge();
}
