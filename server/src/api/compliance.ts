import type { Knex } from 'knex';
import type { operations } from '../../../spec/generated/api';
import { gatherDecisions, gatherRecords, lastSeenHour } from '../db/gather-evidence';
import type { EnvironmentRow, ScanRow } from '../db/models';
import { addDays, dayOf } from '../domain/calendar';
import { scoreOf } from '../domain/compliance';
import type { Evidence, ScanEvidence } from '../domain/compliance/evidence';
import { isEssential, UNCLASSIFIED } from '../domain/scan/classification';
import type { Settings } from '../domain/types';
import type { Handler } from './handler';
import { newestScan } from './scans';
import { presentVendors } from './vendors';

const DECISION_DAYS = 30;
/** A banner that was not seen for so many days is no longer alive. */
const ALIVE_DAYS = 7;

/** Since when a banner must have been seen to be alive. */
export const aliveSince = (now: Date): Date => new Date(now.getTime() - ALIVE_DAYS * 86_400_000);

/** Gathers what the checks look at, from records and counts. */
async function gather(
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
    },
    scan: scanEvidence(await newestScan(db, id), settings),
  };
}

function scanEvidence(scan: ScanRow | undefined, { categories }: Settings): ScanEvidence | undefined {
  if (scan?.result == null) return undefined;
  const { cookies, banner_detected, conclusive } = scan.result;
  const unclassified = cookies.filter(({ category }) => category === UNCLASSIFIED).map(({ name }) => name);
  const before = cookies.filter(
    ({ category }) => category !== UNCLASSIFIED && !isEssential(category, categories),
  );
  const at = scan.finished_at ?? scan.created_at;
  return { at, bannerDetected: banner_detected, before, unclassified, conclusive };
}

export const getComplianceScore: Handler<operations['getComplianceScore']> = async (
  { db },
  { environment },
) => {
  const now = new Date();
  return { ...scoreOf(await gather(db, environment, now)), computed_at: now.toISOString() };
};
