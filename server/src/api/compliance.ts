import type { Knex } from 'knex';
import type { operations } from '../../../spec/generated/api';
import { gatherDecisions, gatherRecords, lastSeenDay } from '../db/gather-evidence';
import type { EnvironmentRow } from '../db/models';
import { addDays, dayOf } from '../domain/calendar';
import { scoreOf } from '../domain/compliance';
import type { Evidence } from '../domain/compliance/evidence';
import type { Handler } from './handler';
import { presentVendors } from './vendors';

const DECISION_DAYS = 30;
/** A banner that was not seen for so many days is no longer alive. */
export const ALIVE_DAYS = 7;

/** Gathers what the checks look at, from records and counts. */
async function gather(
  db: Knex,
  { id, settings, settings_version }: EnvironmentRow,
  now: Date,
): Promise<Evidence> {
  const today = dayOf(settings.time_zone, now.getTime());
  const records = await gatherRecords(db, id, now);
  const decisions = await gatherDecisions(db, id, addDays(today, -DECISION_DAYS));
  const seen = await lastSeenDay(db, id, addDays(today, -ALIVE_DAYS));
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
    webhooksDisabled: records.webhooks_disabled,
    scan: undefined,
  };
}

export const getComplianceScore: Handler<operations['getComplianceScore']> = async (
  { db },
  { environment },
) => {
  const now = new Date();
  return { ...scoreOf(await gather(db, environment, now)), computed_at: now.toISOString() };
};
