import { DAY_MS, HOUR_MS } from './time';
import type { Settings } from './types';

/** A few records that have just expired may be any share of a small site. */
const FEW = 20;
const JUST = 31 * DAY_MS;
/** What expired within the last few runs cannot be the result of a wrong clock. */
const FRESH = 6 * HOUR_MS;
/**
 * Records are counted up to this number; a run never deletes that many of a site unless an owner allows it.
 */
export const MAX_COUNTED = 2_000_000;

/** Days for which these are kept unless the site says otherwise: three years, after which claims lapse in most of the EU. */
const DEFAULT_DAYS = { requests: 1095, erasures: 1095 };

/** What retention keeps for a time from the site's settings, and by which column. */
export const RETAINED = [
  { kind: 'consents', table: 'consents', column: 'recorded_at', setting: 'consents' },
  { kind: 'form_consents', table: 'form_consents', column: 'recorded_at', setting: 'consents' },
  { kind: 'events', table: 'events', column: 'occurred_at', setting: 'events' },
  { kind: 'requests', table: 'dsar_requests', column: 'resolved_at', setting: 'requests' },
  { kind: 'erasures', table: 'erasures', column: 'begun_at', setting: 'erasures' },
] as const;
export type Retained = (typeof RETAINED)[number];

/** What the next run would do with one kind of record. */
export interface PlannedKind {
  kind: Retained['kind'];
  /** What is older goes. */
  before: Date;
  /** How many are deleted and how many are kept, each counted only as far as the limit requires. */
  deleted: number;
  kept: number;
  /** The oldest that goes. */
  oldest: Date | null;
}

/** Days for which a site keeps records of a kind. */
export const daysKept = (
  { retention_days }: Pick<Settings, 'retention_days'>,
  setting: Retained['setting'],
): number => ({ ...DEFAULT_DAYS, ...retention_days })[setting];

/** The instant before which records of a site have expired. */
export const outlivedBefore = (
  settings: Pick<Settings, 'retention_days'>,
  setting: Retained['setting'],
  now: Date,
): Date => new Date(now.getTime() - daysKept(settings, setting) * DAY_MS);

/** How many of the kept records must be counted to know whether the limit is exceeded. */
export const countedFor = (deleted: number): number => deleted * 3;

/**
 * Whether one run would delete too much: more than a quarter of the site's records of one kind. Runs are an
 * hour apart, so that means a shortened retention, a wrong clock, or a long standstill. Up to 20 records may
 * be any share, unless they have been due for more than a month; so may the last hours of a site with no new
 * records.
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

/** Whether anything is kept for a shorter time than before. */
export const isShortened = (
  before: Pick<Settings, 'retention_days'>,
  after: Pick<Settings, 'retention_days'>,
): boolean => RETAINED.some(({ setting }) => daysKept(after, setting) < daysKept(before, setting));
