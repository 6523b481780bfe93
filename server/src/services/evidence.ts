import type { Knex } from 'knex';
import { raw } from 'objection';
import { currentVendors } from '../bundles/vendor-lists';
import { voucherIds } from '../config/vouchers';
import type { Context } from '../context';
import { gatherDecisions, gatherRecords, lastSeenHour } from '../db/gather-evidence';
import { gatherLog } from '../db/ledger/gather';
import { BundleRow, type EnvironmentRow } from '../db/models';
import { type PageFound, type PagesFound, pagesFound } from '../db/scanned-pages';
import type { BannerProgram } from '../domain/banner/sources';
import { addDays, dayOf } from '../domain/calendar';
import { clock } from '../domain/clock';
import type { Evidence, PageEvidence } from '../domain/compliance/evidence';
import { publishedBanner, savedBanner } from '../domain/compliance/seen-banner';
import { asksForConsent, UNCLASSIFIED } from '../domain/cookies/classification';
import { DAY_MS } from '../domain/time';
import type { Settings, Vendor } from '../domain/types';
import { SCAN_DAYS } from '../scan/limits';

const DECISION_DAYS = 30;
/** Days without an impression or a decision after which a banner counts as gone. */
const ALIVE_DAYS = 7;

/** The instant since which the banner must have been seen. */
export const aliveSince = (now: Date): Date => new Date(now.getTime() - ALIVE_DAYS * DAY_MS);

/** Gathers what the checks examine from records and counts. */
export async function gatherEvidence(
  db: Knex,
  environment: EnvironmentRow,
  now: Date,
  { program, config }: Pick<Context, 'program' | 'config'>,
): Promise<Evidence> {
  const { id, settings, bundles, status } = environment;
  const today = dayOf(settings.time_zone, now.getTime());
  const records = await gatherRecords(db, id, now);
  const decisions = await gatherDecisions(db, id, addDays(today, -DECISION_DAYS));
  const seen = await lastSeenHour(db, id, aliveSince(now));
  const list = await currentVendors(db, id);
  return {
    now,
    settings,
    banner: await bannerEvidence(db, environment, list, program),
    status,
    vendors: list.vendors,
    decisions,
    // Anybody can report that a banner was shown; without a bundle there was none.
    bannerAlive: status === 'active' && bundles.length > 0 && seen !== undefined,
    requests: {
      resolved: records.resolved,
      resolvedLate: records.resolved_late,
      overdue: records.requests_overdue,
    },
    breaches: {
      reported: records.reported,
      reportedLateWithoutReason: records.reported_late_without_reason,
      overdue: records.breaches_overdue,
      notReportable: records.not_reportable,
    },
    log: await gatherLog(db, id, voucherIds(config), now),
    scans: scanEvidence(await scannedPages(db, environment), settings),
  };
}

/** The banner that visitors get: one row by its key. What is saved is described only when it may be another. */
async function bannerEvidence(
  db: Knex,
  { id, settings, settings_version: settingsVersion, bundles: [present] }: EnvironmentRow,
  list: { version: number; vendors: Vendor[] },
  program: BannerProgram,
): Promise<Evidence['banner']> {
  const isListed = present?.vendors === list.version;
  const row =
    present &&
    (await BundleRow.query(db)
      .findById([id, present.hash])
      // A list may weigh a mebibyte: it is read only when it is another than the saved one.
      .select(
        'config',
        'texts',
        'warnings',
        raw('CASE WHEN NOT ?::boolean THEN vendors END', [isListed]).as('vendors'),
      )
      .throwIfNotFound());
  return {
    published: row && publishedBanner(row, isListed ? list.vendors : row.vendors),
    unpublished:
      isListed && present.version === settingsVersion
        ? undefined
        : savedBanner({ settings, settingsVersion }, list.vendors, program),
  };
}

function scanEvidence(
  { pages, hasMore, isBehind }: PagesFound<PageFound>,
  { categories }: Settings,
): Evidence['scans'] {
  const asks = asksForConsent(categories);
  return { pages: pages.map((page) => pageEvidence(page, asks)), hasMore, isBehind };
}

function pageEvidence(
  { shown, finished_at, summary }: PageFound,
  asks: (thing: { category: string }) => boolean,
): PageEvidence {
  const { bannerDetected, conclusive, stored, counts } = summary;
  // The law asks for consent whatever the kind of storage (ePrivacy Directive Art. 5(3)).
  const before = stored.filter(asks);
  const beforeCount = Object.entries(counts).reduce(
    (total, [category, count]) => total + (asks({ category }) ? count : 0),
    0,
  );
  const unclassified = stored.filter(({ category }) => category === UNCLASSIFIED).map(({ name }) => name);
  const unclassifiedCount = counts[UNCLASSIFIED] ?? 0;
  return {
    page: shown,
    at: finished_at,
    ...{ bannerDetected, conclusive, before, beforeCount, unclassified, unclassifiedCount },
  };
}

/** What the scans of a site found on its pages: evidence of what happens before consent. */
export const scannedPages = (db: Knex, environment: EnvironmentRow): Promise<PagesFound<PageFound>> =>
  pagesFound(db, environment, oldestScan());

/** Older scans are outdated: neither shown nor counted. */
export const oldestScan = (): Date => new Date(clock.now() - SCAN_DAYS * DAY_MS);
