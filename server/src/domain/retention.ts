import { REQUEST_DAYS } from './deadlines';
import { DAY_MS, HOUR_MS } from './time';
import type { Settings } from './types';

/** A few records that have just outlived their time may be any share of a small site. */
const FEW = 20;
const JUST = 31 * DAY_MS;
/** What has outlived its time within the last few runs cannot be the result of a wrong clock. */
const FRESH = 6 * HOUR_MS;
/** Records are counted up to here; a run never deletes as many of a site unless an owner allows it. */
export const MAX_COUNTED = 2_000_000;

/** What retention keeps for a time that the site's settings say, and by which column. */
export const RETAINED = [
  { kind: 'consents', table: 'consents', column: 'recorded_at', setting: 'consents' },
  { kind: 'form_consents', table: 'form_consents', column: 'recorded_at', setting: 'consents' },
  { kind: 'events', table: 'events', column: 'occurred_at', setting: 'events' },
  { kind: 'requests', table: 'dsar_requests', column: 'resolved_at', setting: 'requests' },
] as const;
export type Retained = (typeof RETAINED)[number];

/** What the next run would do with one kind of record. */
export interface PlannedKind {
  kind: Retained['kind'];
  /** What is older goes. */
  before: Date;
  /** How many go, and how many stay, each counted only as far as the bound needs it. */
  deleted: number;
  kept: number;
  /** The oldest that goes. */
  oldest: Date | null;
}

/** The instant before which records of a site have outlived their time. */
export const outlivedBefore = (
  { retention_days }: Pick<Settings, 'retention_days'>,
  setting: Retained['setting'],
  now: Date,
): Date => new Date(now.getTime() - (retention_days[setting] ?? REQUEST_DAYS) * DAY_MS);

/** How many of those that stay must be counted to know whether a bound is passed. */
export const countedFor = (deleted: number): number => deleted * 3;

/**
 * Whether one run would delete more than it may: more than a quarter of what the site has of a kind. Runs are
 * an hour apart, so that is a shortened retention, a wrong clock, or a long standstill. Up to 20 records may
 * be any share, unless they should have gone more than a month ago; and so may the last hours of a site that
 * has ended.
 */
export function isOverBound({ before, deleted, kept, oldest }: PlannedKind): boolean {
  if (deleted >= MAX_COUNTED) return true;
  if (deleted === 0 || kept >= countedFor(deleted)) return false;
  const overdue = oldest === null ? 0 : before.getTime() - oldest.getTime();
  if (oldest !== null && overdue <= FRESH) return false;
  return deleted > FEW || overdue > JUST;
}

/** How many records the run would delete of all kinds. */
export const recordsOf = (plan: readonly PlannedKind[]): number =>
  plan.reduce((sum, { deleted }) => sum + deleted, 0);
