import type { Knex } from 'knex';
import { presentVendors } from '../bundles/vendor-lists';
import { gatherDecisions, gatherRecords, lastSeenHour } from '../db/gather-evidence';
import type { EnvironmentRow } from '../db/models';
import { type PageFound, type PagesFound, pagesFound } from '../db/scanned-pages';
import { addDays, dayOf } from '../domain/calendar';
import { clock } from '../domain/clock';
import type { Evidence, PageEvidence } from '../domain/compliance/evidence';
import { asksForConsent, UNCLASSIFIED } from '../domain/cookies/classification';
import { DAY_MS } from '../domain/time';
import type { Settings } from '../domain/types';
import { SCAN_DAYS } from '../scan/limits';

const DECISION_DAYS = 30;
/** Days without an impression or a decision after which a banner counts as gone. */
const ALIVE_DAYS = 7;

/** The instant since which the banner must have been seen. */
export const aliveSince = (now: Date): Date => new Date(now.getTime() - ALIVE_DAYS * DAY_MS);

/** Gathers what the checks examine from records and counts. */
export async function gatherEvidence(db: Knex, environment: EnvironmentRow, now: Date): Promise<Evidence> {
  const { id, settings, bundles } = environment;
  const today = dayOf(settings.time_zone, now.getTime());
  const records = await gatherRecords(db, id, now);
  const decisions = await gatherDecisions(db, id, addDays(today, -DECISION_DAYS));
  const seen = await lastSeenHour(db, id, aliveSince(now));
  return {
    now,
    settings,
    vendors: (await presentVendors(db, id)).vendors,
    decisions,
    // Anybody can report that a banner was shown; without a bundle there was none.
    bannerAlive: bundles.length > 0 && seen !== undefined,
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
    scans: scanEvidence(await scannedPages(db, environment), settings),
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
