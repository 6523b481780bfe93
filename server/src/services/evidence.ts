import type { Knex } from 'knex';
import { presentVendors } from '../bundles/vendor-lists';
import { gatherDecisions, gatherRecords, lastSeenHour } from '../db/gather-evidence';
import { type EnvironmentRow, ScanRow } from '../db/models';
import { addDays, dayOf } from '../domain/calendar';
import { clock } from '../domain/clock';
import type { Evidence, ScanEvidence } from '../domain/compliance/evidence';
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
export async function gatherEvidence(
  db: Knex,
  { id, settings, settings_version }: EnvironmentRow,
  now: Date,
): Promise<Evidence> {
  const today = dayOf(settings.time_zone, now.getTime());
  const records = await gatherRecords(db, id, now);
  const decisions = await gatherDecisions(db, id, addDays(today, -DECISION_DAYS));
  const seen = await lastSeenHour(db, id, aliveSince(now));
  const sum = (rows: { n: number }[]): number => rows.reduce((total, { n }) => total + Number(n), 0);
  const exists = ({ banner_version }: { banner_version: number }): boolean =>
    banner_version >= 1 && banner_version <= settings_version;
  return {
    now,
    settings,
    vendors: (await presentVendors(db, id)).vendors,
    decisions: { total: sum(decisions), withBanner: sum(decisions.filter(exists)) },
    bannerAlive: seen !== undefined,
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
    scan: scanEvidence(await newestScan(db, id), settings),
  };
}

function scanEvidence(scan: ScanRow | undefined, { categories }: Settings): ScanEvidence | undefined {
  if (scan?.result == null) return undefined;
  const { cookies, stored_items = [], banner_detected, conclusive } = scan.result;
  // The law asks for consent whatever the kind of storage (ePrivacy Directive Art. 5(3)).
  const stored = [...cookies, ...stored_items];
  const unclassified = stored.filter(({ category }) => category === UNCLASSIFIED).map(({ name }) => name);
  const before = stored.filter(asksForConsent(categories));
  const at = scan.finished_at ?? scan.created_at;
  return { at, bannerDetected: banner_detected, before, unclassified, conclusive };
}

/** The newest finished scan of a site: evidence of what happens before consent. */
export const newestScan = (db: Knex, environment_id: string) =>
  ScanRow.query(db)
    .where({ environment_id, state: 'done' })
    .where('created_at', '>', oldestScan())
    .orderBy('finished_at', 'desc')
    .first();

/** Older scans are outdated: neither shown nor counted. */
export const oldestScan = (): Date => new Date(clock.now() - SCAN_DAYS * DAY_MS);
