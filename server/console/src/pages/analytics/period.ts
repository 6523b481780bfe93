import { fromWall, toWall } from '../../ui/zone';

const DAY = 86_400_000;

/** The periods to choose from. */
export const PERIODS = [
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['90', 'Last 90 days'],
  ['365', 'Last 12 months'],
  ['this_month', 'This month'],
  ['last_month', 'Last month'],
  ['custom', 'From … to …'],
] as const;

export type Period = (typeof PERIODS)[number][0];

/** The first and the last day, both included: YYYY-MM-DD. */
export interface Days {
  first: string;
  last: string;
}

/** The day some days later; '' for an invalid day. */
export function addDays(day: string, days: number): string {
  const at = Date.parse(day);
  return Number.isNaN(at) ? '' : new Date(at + days * DAY).toISOString().slice(0, 10);
}

/** The number of days, both ends included. */
export const lengthOf = ({ first, last }: Days): number =>
  Math.round((Date.parse(last) - Date.parse(first)) / DAY) + 1;

/** The maximum number of days that are shown by day, and by week: more points cannot be told apart. */
const MAX_DAYS = 62;
const MAX_DAYS_BY_WEEK = 190;

/** The default interval of a chart's points. */
export function usualInterval(days: Days): 'day' | 'week' | 'month' {
  const length = lengthOf(days);
  return length > MAX_DAYS_BY_WEEK ? 'month' : length > MAX_DAYS ? 'week' : 'day';
}

/** Today's date in a time zone. */
export const today = (zone: string, now = Date.now()): string =>
  toWall(new Date(now).toISOString(), zone).slice(0, 10);

/** The days of a period that ends today, or of a month. */
export function daysOf(period: Exclude<Period, 'custom'>, last: string): Days {
  const thisMonth = `${last.slice(0, 7)}-01`;
  if (period === 'this_month') return { first: thisMonth, last };
  if (period === 'last_month') {
    const end = addDays(thisMonth, -1);
    return { first: `${end.slice(0, 7)}-01`, last: end };
  }
  return { first: addDays(last, 1 - Number(period)), last };
}

/** The start and end of these days in a time zone, for the API; invalid days are left out. */
export function instantsOf({ first, last }: Days, zone: string): { from?: string; to?: string } {
  const from = fromWall(`${first}T00:00`, zone);
  const to = fromWall(`${addDays(last, 1)}T00:00`, zone);
  return { ...(from && { from }), ...(to && { to }) };
}
