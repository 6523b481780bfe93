import { bucketFinder, offsetMinutes } from './time-zone';
import type { AnalyticsInterval } from './types';

/** A day in milliseconds. */
const DAY = 86_400_000;
const QUARTER = 900_000;

/** The day (`YYYY-MM-DD`) that a zone's clocks show at an instant. */
export const dayOf = (zone: string, at: number): string =>
  new Date(at + offsetMinutes(zone, at) * 60_000).toISOString().slice(0, 10);

/** The first instant of a day by a zone's clocks, also where midnight does not exist or comes twice. */
export function startOfDay(zone: string, day: string): number {
  const midnight = Date.parse(`${day}T00:00:00.000Z`);
  const candidates = [midnight - DAY, midnight + DAY].map(
    (at) => midnight - offsetMinutes(zone, at) * 60_000,
  );
  const fitting = candidates.filter((at) => dayOf(zone, at) === day);
  return Math.min(...(fitting.length > 0 ? fitting : candidates));
}

/** The day so many days later. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00.000Z`) + days * DAY).toISOString().slice(0, 10);

/** Days from one to another, the second left out. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY);

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

/** The starts of all hours by a zone's clocks, from one instant to another, which is left out. */
export function hourSeries(zone: string, from: number, to: number): string[] {
  const bucket = bucketFinder(zone);
  const hours = new Set<string>();
  for (let at = from; at < to; at += QUARTER) hours.add(bucket(at).hour);
  return [...hours];
}
