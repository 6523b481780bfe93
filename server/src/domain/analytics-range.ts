import { addDays, dayOf, daysBetween, startOfDay, startOfInterval } from './calendar';
import { clock } from './clock';
import { ValidationError } from './errors';
import { DAY_MS } from './time';
import type { AnalyticsInterval } from './types';

const DEFAULT_DAYS = 30;
const MAX_YEARS = 5;
const MAX_HOURLY_DAYS = 93;
/** The range of instants that the contract accepts. */
const FIRST = Date.UTC(2000);
const END = Date.UTC(2100);

/** Days (`YYYY-MM-DD`) in the site's time zone. */
export interface Range {
  from: string;
  /** Left out. */
  to: string;
  /** The first day of the period before, which has as many days. */
  before: string;
}

const yearsAfter = (at: number, years: number): number =>
  new Date(at).setUTCFullYear(new Date(at).getUTCFullYear() + years);

interface Question {
  from?: string;
  to?: string;
  interval?: AnalyticsInterval;
  group_by?: string;
  bots?: boolean;
}

/** The asked range, widened to whole days of the site's time zone. Throws `ValidationError`. */
export function readRange(query: Question, zone: string): Range {
  const interval = query.interval ?? 'day';
  const to = query.to === undefined ? clock.now() : Date.parse(query.to);
  const from = query.from === undefined ? to - DEFAULT_DAYS * DAY_MS : Date.parse(query.from);
  if (from >= to) throw ValidationError.of('query.from', 'must be before to', 'range');
  if (to > yearsAfter(from, MAX_YEARS))
    throw ValidationError.of('query.from', `must be at most ${MAX_YEARS} years before to`, 'range');
  // The last day is the one that holds the last instant before `to`.
  const days = { from: dayOf(zone, from), to: addDays(dayOf(zone, to - 1), 1) };
  const length = daysBetween(days.from, days.to);
  if (interval === 'hour') checkHours(query, length);
  const range = { ...days, before: addDays(days.from, -length) };
  checkTold(zone, range, interval);
  return range;
}

function checkHours({ group_by, bots }: Question, days: number): void {
  if (bots === false)
    throw ValidationError.of(
      'query.bots',
      'cannot be left out with the interval hour: use day, or count them',
      'range',
    );
  if (group_by !== undefined)
    throw ValidationError.of('query.group_by', 'is not possible with the interval hour: take day', 'range');
  if (days > MAX_HOURLY_DAYS) {
    const message = `hour is for at most ${MAX_HOURLY_DAYS} days: take day, or a shorter range`;
    throw ValidationError.of('query.interval', message, 'range');
  }
}

/** Instants must lie in the years 2000 to 2099, in requests and in answers. Throws `ValidationError`. */
function checkTold(zone: string, { before, to }: Range, interval: AnalyticsInterval): void {
  const first = startOfDay(zone, startOfInterval(interval, before));
  if (first < FIRST)
    throw ValidationError.of('query.from', 'must leave room after 1999 for the period before', 'range');
  if (startOfDay(zone, to) >= END)
    throw ValidationError.of('query.to', 'must be before the end of 2099', 'range');
}
