import type { Knex } from 'knex';
import type { FoundHosts } from '../domain/auto-blocking/hosts';
import { clock } from '../domain/clock';
import { BLIND, type PageSummary } from '../domain/cookies/summary';
import { DAY_MS } from '../domain/time';

/** Pages of a site that count: those that were scanned last. */
const PAGES = 100;
/** Scans of a page by a browser among which the one that saw all is looked for. */
const TRIES = 10;
/** How long scans are kept. */
const DAYS = 30;
/** Hosts of a page that are kept of each kind, where scans that saw less add to what one saw that saw more. */
const HOSTS = 1_000;

/** What scans of a page saw before a decision. */
interface HeldPage extends FoundHosts {
  /** The page's hash in hex; empty where scans did not say it. */
  page: string;
  /** When the newest of them ended. */
  finished_at: string;
  /** How much the one saw that saw most; undefined, of banners made before this was kept: all. */
  sight?: PageSummary['sight'];
}

/** What scans of a site's pages saw before a decision. */
export interface NewestHosts {
  /** In an order that further scans of them do not change. */
  pages: HeldPage[];
  /** Whether there are more pages, which do not count. */
  hasMore: boolean;
  scannedAt: Date | undefined;
}

/** As `sightOf` judges a result. */
const SIGHT = `CASE WHEN (result->>'conclusive')::boolean THEN 2
  WHEN engine = 'http' AND NOT EXISTS (
    SELECT FROM jsonb_array_elements(result->'findings') AS f WHERE f->>'rule' IN ('${BLIND.join("', '")}')
  ) THEN 1 ELSE 0 END`;

/**
 * Of scans that are kept, and where none is, of those that the last banner with auto-blocking was made by. A scan that saw
 * less, as without a browser, takes nothing from what one that saw more found.
 */
export async function newestHosts(db: Knex, environmentId: string): Promise<NewestHosts> {
  const { rows: scanned } = await db.raw<{
    rows: (Omit<HeldPage, 'finished_at'> & { finished_at: Date })[];
  }>(
    // The newest of each page first: many scans of one page push out no other. Results are large, so few are read: of each page
    // the newest, and the one that tells most of it. Where that one did not see all, one of the last by a browser may have.
    `WITH newest AS (
       SELECT DISTINCT ON (page) scan_id, page, finished_at FROM cookie_scans
       WHERE environment_id = :id AND state = 'done' AND created_at > :since
         AND result IS NOT NULL AND finished_at IS NOT NULL
       ORDER BY page, finished_at DESC, scan_id
     ), chosen AS (
       SELECT * FROM newest ORDER BY finished_at DESC, scan_id LIMIT ${PAGES + 1}
     ), telling AS (
       SELECT scan_id FROM chosen
       UNION SELECT p.scan_id FROM scanned_pages p JOIN chosen USING (page) WHERE p.environment_id = :id
       UNION SELECT seen.scan_id FROM scanned_pages p JOIN chosen USING (page) CROSS JOIN LATERAL (
         SELECT last.scan_id FROM (
           SELECT c.scan_id, c.result, c.created_at FROM cookie_scans AS c
           WHERE c.environment_id = :id AND c.page = chosen.page AND c.state = 'done' AND c.engine = 'browser'
             AND c.created_at > :since
           ORDER BY c.created_at DESC LIMIT ${TRIES}
         ) AS last WHERE (last.result->>'conclusive')::boolean ORDER BY last.created_at DESC LIMIT 1
       ) AS seen WHERE p.environment_id = :id AND p.sight < 2
     )
     SELECT coalesce(encode(page, 'hex'), '') AS page, ${SIGHT} AS sight, finished_at,
       jsonb_path_query_array(result, '$.requests[*].host') AS contacted,
       coalesce(result->'held_hosts', '[]') AS held
     FROM telling JOIN cookie_scans USING (scan_id)
     WHERE result IS NOT NULL AND finished_at IS NOT NULL
     ORDER BY finished_at, scan_id`,
    { id: environmentId, since: new Date(clock.now() - DAYS * DAY_MS) },
  );
  const kept: { pages: HeldPage[] } | undefined = await db('held_pages')
    .where({ environment_id: environmentId })
    .first('pages');
  const pages = new Map((kept?.pages ?? []).map((page) => [page.page, page]));
  for (const { finished_at, ...scan } of scanned)
    pages.set(
      scan.page,
      pageAfter(pages.get(scan.page), { ...scan, finished_at: finished_at.toISOString() }),
    );
  const all = [...pages.values()].sort(byTime);
  return {
    pages: all.slice(0, PAGES).sort((one, other) => (one.page < other.page ? -1 : 1)),
    hasMore: all.length > PAGES,
    scannedAt: all[0] && new Date(all[0].finished_at),
  };
}

/** What is known of a page after one more scan. @param known by earlier ones, or by the last banner */
function pageAfter(known: HeldPage | undefined, scan: HeldPage): HeldPage {
  if (known === undefined) return scan;
  const { sight = 2 } = known;
  // What the last banner was made by may be newer, and may have seen less.
  const sees = scan.sight ?? 2;
  if (sees >= sight && known.finished_at <= scan.finished_at) return scan;
  if (sees === sight) return known;
  const both = (one: readonly string[], other: readonly string[]): string[] =>
    [...new Set([...one, ...other])].slice(0, HOSTS);
  return {
    ...{ page: scan.page, sight: sees > sight ? sees : sight },
    contacted: both(known.contacted, scan.contacted),
    held: both(known.held, scan.held),
    finished_at: [known.finished_at, scan.finished_at].sort()[1] as string,
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
