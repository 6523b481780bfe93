import type { Knex } from 'knex';
import { pageOf, spansOf } from '../domain/cookies/page';
import { type OwnCookie, type ScanSummary, summarise } from '../domain/cookies/summary';
import { endsAll } from './errors';
import { type EnvironmentRow, ScanRow } from './models';

/** Pages of a site that one look reads. */
export const MAX_PAGES = 200;

/** What its newest telling scan found on a page. */
export interface PageFound {
  scan_id: string;
  shown: string;
  finished_at: Date;
  summary: ScanSummary;
}

/** What is known of a site's pages. */
export interface PagesFound<Found> {
  /** Those with the worst findings first. */
  pages: Found[];
  /** There are more of them than were read. */
  hasMore: boolean;
  /** Scans of a process of the version before wait for being counted. */
  isBehind: boolean;
}

type Finished = Pick<
  ScanRow,
  'scan_id' | 'environment_id' | 'url' | 'engine' | 'result' | 'created_at' | 'finished_at'
>;

/**
 * Whether one scan of a page says more of it than an earlier one: it saw as much, or it found what must not be
 * where nothing was. What sees less clears nothing.
 */
const tellsMore = (one: string, earlier: string): string =>
  `(${one}.sight >= ${earlier}.sight OR (${one}.rank = 2 AND ${earlier}.rank < 2))`;

/** Keeps what a scan that is done found, in the transaction that stores the scan. */
export async function keepPage(trx: Knex, scan: Finished): Promise<void> {
  const { scan_id, environment_id, url, engine, result, created_at } = scan;
  if (environment_id === null || result === null || !URL.canParse(url)) return;
  const { summary, cookies, ...judged } = summarise(engine, result);
  await trx.raw(
    `INSERT INTO scanned_pages AS p (environment_id, page, place, shown, rank, sight, scan_id, created_at,
       finished_at, summary, cookies)
     VALUES (:environment_id, :page, :place, :shown, :rank, :sight, :scan_id, :created_at, :finished_at, :summary,
       :cookies)
     ON CONFLICT (environment_id, page) DO UPDATE SET shown = excluded.shown, rank = excluded.rank,
       sight = excluded.sight, scan_id = excluded.scan_id, created_at = excluded.created_at,
       finished_at = excluded.finished_at, summary = excluded.summary, cookies = excluded.cookies
     WHERE CASE WHEN excluded.finished_at >= p.finished_at THEN ${tellsMore('excluded', 'p')}
       ELSE NOT ${tellsMore('p', 'excluded')} END`,
    {
      ...{ environment_id, ...pageOf(url), ...judged, scan_id, created_at },
      finished_at: scan.finished_at ?? created_at,
      summary: JSON.stringify(summary),
      cookies: JSON.stringify(cookies),
    },
  );
}

/**
 * Takes in the oldest scan that a process of the version before stored, but for those of some sites; false when there is
 * none. One that cannot be keeps no other site's from being: `fail` is told of it.
 */
export async function countOldest(
  db: Knex,
  except: readonly string[],
  fail: (error: unknown, environment_id: string) => void,
): Promise<boolean> {
  let site: string | null | undefined;
  try {
    return await db.transaction(async (trx) => {
      const scan = await ScanRow.query(trx)
        .where({ state: 'done', counted: false })
        .whereNotNull('environment_id')
        .whereNotIn('environment_id', [...except])
        .orderBy(['environment_id', 'created_at'])
        .first()
        .forUpdate()
        .skipLocked();
      if (scan === undefined) return false;
      site = scan.environment_id;
      await keepPage(trx, scan);
      await scan.$query(trx).patch({ counted: true });
      return true;
    });
  } catch (error) {
    if (typeof site !== 'string' || endsAll(error)) throw error;
    fail(error, site);
    return true;
  }
}

/** What was found on the pages of a site's present domains by scans that began after an instant. */
export const pagesFound = (
  db: Knex,
  environment: Pick<EnvironmentRow, 'id' | 'domains'>,
  since: Date,
): Promise<PagesFound<PageFound>> => read(db, environment, since, 'p.scan_id, p.shown, p.summary');

/** The cookies of the same pages that their scripts can delete. */
export const cookiesOfPages = (
  db: Knex,
  environment: Pick<EnvironmentRow, 'id' | 'domains'>,
  since: Date,
): Promise<PagesFound<{ cookies: OwnCookie[] }>> => read(db, environment, since, 'p.cookies');

/** Each span of places and each rank is one range of the index, of which no more is read than is answered. */
async function read<Found>(
  db: Knex,
  { id, domains }: Pick<EnvironmentRow, 'id' | 'domains'>,
  since: Date,
  columns: string,
): Promise<PagesFound<Found>> {
  const spans = spansOf(domains);
  const { rows } = await db.raw<{ rows: (Found & { is_behind: boolean; rank: number | null })[] }>(
    `SELECT behind.is_behind, found.* FROM (
       SELECT EXISTS (SELECT FROM cookie_scans WHERE environment_id = :id AND state = 'done' AND NOT counted
         AND created_at > :since) AS is_behind
     ) AS behind LEFT JOIN (
       SELECT p.rank, p.finished_at, ${columns} FROM (
         SELECT near.page FROM unnest(ARRAY[2, 1, 0]::smallint[]) AS r (rank)
           CROSS JOIN unnest(:low::text[], :high::text[]) AS s (low, high)
           CROSS JOIN LATERAL (
             SELECT page, finished_at FROM scanned_pages WHERE environment_id = :id AND rank = r.rank
               AND place >= s.low COLLATE "C" AND place < s.high COLLATE "C" AND created_at > :since LIMIT :limit
           ) AS near ORDER BY r.rank DESC, near.finished_at DESC LIMIT :limit
       ) AS near_ones JOIN scanned_pages AS p ON p.environment_id = :id AND p.page = near_ones.page
     ) AS found ON true ORDER BY found.rank DESC, found.finished_at DESC`,
    {
      ...{ id, since, limit: MAX_PAGES + 1 },
      low: spans.map(({ low }) => low),
      high: spans.map(({ high }) => high),
    },
  );
  const pages = rows.filter(({ rank }) => rank !== null);
  return {
    pages: pages.slice(0, MAX_PAGES),
    hasMore: pages.length > MAX_PAGES,
    isBehind: rows[0]?.is_behind ?? false,
  };
}
