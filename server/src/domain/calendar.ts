import { DAY_MS, HOUR_MS } from './time';
import { bucketAt, offsetMinutes } from './time-zone';
import type { AnalyticsInterval } from './types';

const QUARTER = 900_000;

/** The day (`YYYY-MM-DD`) that a zone's clocks show at an instant. */
export const dayOf = (zone: string, at: number): string =>
  new Date(at + offsetMinutes(zone, at) * 60_000).toISOString().slice(0, 10);

/** The first instant of a day by a zone's clocks, also where midnight does not exist or comes twice. */
export function startOfDay(zone: string, day: string): number {
  const midnight = Date.parse(`${day}T00:00:00.000Z`);
  const candidates = [midnight - DAY_MS, midnight + DAY_MS].map(
    (at) => midnight - offsetMinutes(zone, at) * 60_000,
  );
  const fitting = candidates.filter((at) => dayOf(zone, at) === day);
  return Math.min(...(fitting.length > 0 ? fitting : candidates));
}

/** The day so many days later. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00.000Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** Days from one to another, the second left out. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

/** The first day of the day's week (Monday, ISO 8601) or month. */
export function startOfInterval(interval: AnalyticsInterval, day: string): string {
  if (interval === 'month') return `${day.slice(0, 7)}-01`;
  if (interval !== 'week') return day;
  const weekday = (new Date(`${day}T00:00:00.000Z`).getUTCDay() + 6) % 7;
  return addDays(day, -weekday);
}

/** The first days of all points of a series, from the first day to the last one, which is left out. */
export function daySeries(interval: AnalyticsInterval, from: string, to: string): string[] {
  const days = new Set<string>();
  for (let day = from; day < to; day = addDays(day, 1)) days.add(startOfInterval(interval, day));
  return [...days];
}

/**
 * The starts of all hours by a zone's clocks, from one instant to another, which is left out. Yields after each day, and
 * where clocks change after each quarter of an hour.
 */
export function* hourSeries(zone: string, from: number, to: number): Generator<undefined, string[]> {
  const hours = new Set<string>();
  let offset = offsetMinutes(zone, from);
  for (let at = from; at < to; at += DAY_MS) {
    const end = Math.min(at + DAY_MS, to);
    const atEnd = offsetMinutes(zone, end);
    if (atEnd === offset) {
      const first = Date.parse(bucketAt(zone, at).hour);
      for (let hour = first; hour < end; hour += HOUR_MS) hours.add(new Date(hour).toISOString());
      yield;
    } else
      for (let quarter = at; quarter < end; quarter += QUARTER) {
        hours.add(bucketAt(zone, quarter).hour);
        yield;
      }
    offset = atEnd;
  }
  return [...hours];
}

/**
 * The instant of an ISO 8601 text in the milliseconds that records have: a smaller fraction rounds up, so
 * that "at or after" and "before" stay true. PostgreSQL itself takes no offset beyond 15:59.
 */
export function toMillisecond(instant: string): Date {
  const smaller = /\.\d{3}\d*[1-9]/.test(instant) ? 1 : 0;
  return new Date(Date.parse(instant) + smaller);
}
