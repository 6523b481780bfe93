import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Context } from '../../context';
import { EnvironmentRow, ScanRow } from '../../db/models';
import { scoreOf } from '../../domain/compliance';
import { asksForConsent } from '../../domain/cookies/classification';
import { beginning } from '../../domain/text';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/time';
import { gatherEvidence, scannedPages } from '../evidence';
import { scanChanges } from '../scan-changes';
import type { Apart } from './apart';
import type { SiteNotice } from './told';

/** How often a site is looked at, and how many of them in one look: a score reads many records. */
const EVERY = DAY_MS;
const MOST = 50;
/** Earlier notices that are kept, so that what was not told yet is. */
const KEPT = 4;
/** Cookies that are remembered of a site. */
const REMEMBERED = 2_000;
/** Scans of a site that are compared in one look, the newest. */
const COMPARED = 200;
/** A scan is dated a little before it is stored. */
const LATE = 10 * MINUTE_MS;

type Wiring = Pick<Context, 'db' | 'program' | 'config'> & { apart: Apart };

/** What a site was like when it was last looked at. */
interface Seen {
  score: number;
  grade: string;
  /** Hashes of the cookies that were found before consent. */
  cookies: string[];
  /** What there is to tell of the last changes. */
  notices: SiteNotice[];
}

const MARK = 'seen';
const FAILED = 'failed';

/**
 * Compares sites with what they were like a day ago: a score that fell, and new cookies before consent. What there is to
 * tell is stored together with what was seen, so that a process that dies in between loses nothing.
 */
export async function seeChanges(wiring: Wiring, now: Date, signal?: AbortSignal): Promise<void> {
  const { db, apart } = wiring;
  for (const id of await dueSites(db, now)) {
    if (signal?.aborted) return;
    const isFine = await apart({ environment_id: id }, () => compare(wiring, id, now));
    // Others come first for a while: else so many sites that fail would keep all others from their turn.
    if (!isFine) await mark(db, { environment_id: id, name: FAILED, at: now, value: '{}' });
  }
}

/** Sites that were scanned since the last look come as soon as others that wait for a day. */
async function dueSites(db: Knex, now: Date): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `SELECT e.id FROM environments e
     LEFT JOIN notice_marks k ON k.environment_id = e.id AND k.name = :mark
     LEFT JOIN notice_marks f ON f.environment_id = e.id AND f.name = :failed AND f.at > :again
     WHERE e.deleted_at IS NULL AND e.archived_at IS NULL AND e.status = 'active' AND f.at IS NULL AND (k.at IS NULL OR k.at < :before
       OR EXISTS (SELECT FROM scanned_pages p WHERE p.environment_id = e.id AND p.finished_at > k.at))
     ORDER BY k.at NULLS FIRST, e.id LIMIT :most`,
    {
      ...{ mark: MARK, failed: FAILED, most: MOST },
      ...{ before: new Date(now.getTime() - EVERY), again: new Date(now.getTime() - HOUR_MS) },
    },
  );
  return rows.map(({ id }) => id);
}

async function compare(wiring: Wiring, environment_id: string, now: Date): Promise<void> {
  const { db } = wiring;
  const site = await EnvironmentRow.query(db).findById(environment_id);
  if (site === undefined) return;
  const { score, grade } = scoreOf(await gatherEvidence(db, site, now, wiring));
  const before: { value: Seen; at: Date } | undefined = await db('notice_marks')
    .where({ environment_id, name: MARK })
    .first('value', 'at');
  const since = new Date(before === undefined ? now.getTime() - HOUR_MS : before.at.getTime() - LATE);
  const found = await cookiesOf(db, site);
  // What an old scan had found before anybody was told of anything is not new.
  const known = new Set(
    before?.value.cookies ?? found.filter(({ at }) => at < since).map(({ hash }) => hash),
  );
  const fresh = (await newSince(db, site, since)).filter(({ hash }) => !known.has(hash));
  const cookies = [...new Set([...[...fresh, ...found].map(({ hash }) => hash), ...known])].slice(
    0,
    REMEMBERED,
  );
  const notices = [
    ...(before?.value.notices ?? []).slice(-KEPT),
    ...(before !== undefined && score < before.value.score
      ? [fell(environment_id, before.value, { score, grade }, now)]
      : []),
    ...(fresh.length > 0 ? [newCookies(environment_id, fresh)] : []),
  ];
  const value = JSON.stringify({ score, grade, cookies, notices } satisfies Seen);
  await mark(db, { environment_id, name: MARK, at: now, value });
}

interface MarkRow {
  environment_id: string;
  name: string;
  at: Date;
  value: string;
}

const mark = async (db: Knex, row: MarkRow): Promise<void> =>
  void (await db('notice_marks').insert(row).onConflict(['environment_id', 'name']).merge());

const fell = (
  environment_id: string,
  before: Pick<Seen, 'score' | 'grade'>,
  after: Pick<Seen, 'score' | 'grade'>,
  now: Date,
): SiteNotice => ({
  ...{ environment_id, topic: 'score_fell', path: '/score', key: `score ${now.toISOString()}`, at: now },
  message: `The compliance score fell from ${before.score} (${before.grade}) to ${after.score} (${after.grade}).`,
});

interface Found {
  name: string;
  hash: string;
  scan_id: string;
  at: Date;
}

const foundIn = (name: string, scan_id: string, at: Date): Found => {
  const hash = createHash('sha256').update(name).digest('base64url').slice(0, 16);
  return { name, hash, scan_id, at };
};

/** What scans found before consent that needs consent, by its name and the page's site. */
async function cookiesOf(db: Knex, site: EnvironmentRow): Promise<Found[]> {
  const asks = asksForConsent(site.settings.categories);
  const { pages } = await scannedPages(db, site);
  return pages.flatMap(({ summary, scan_id, finished_at }) =>
    summary.stored.filter(asks).map(({ name }) => foundIn(name, scan_id, finished_at)),
  );
}

/** What of it scans since an instant found that those before them of the same pages had not. */
async function newSince(db: Knex, site: EnvironmentRow, since: Date): Promise<Found[]> {
  const asks = asksForConsent(site.settings.categories);
  const scans = await ScanRow.query(db)
    .where({ environment_id: site.id, state: 'done' })
    .where('finished_at', '>', since)
    .orderBy('finished_at', 'desc')
    .limit(COMPARED)
    .select('scan_id');
  const found: Found[] = [];
  // One after the other: a result may take 256 KiB.
  for (const { scan_id } of scans) {
    const scan = await ScanRow.query(db).findById(scan_id);
    if (scan === undefined) continue;
    const { cookies, stored_items } = await scanChanges(db, scan);
    const added = [...cookies.added, ...stored_items.added].filter(
      (one) => one.set_before_consent && asks(one),
    );
    found.push(...added.map(({ name }) => foundIn(name, scan_id, scan.finished_at ?? scan.created_at)));
  }
  return found;
}

function newCookies(environment_id: string, fresh: readonly Found[]): SiteNotice {
  const names = [...new Set(fresh.map(({ name }) => beginning(name, 60)))];
  const listed = names.slice(0, 5).join(', ');
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  const [first] = fresh as [Found];
  const key = `cookies ${first.scan_id} ${[...new Set(fresh.map(({ hash }) => hash))].slice(0, 5).join(' ')}`;
  return {
    ...{ environment_id, topic: 'new_cookies', path: '/scans', key, at: first.at },
    message: `A cookie scan found new cookies or storage before consent: ${listed}${more}.`,
  };
}
