import { addDays, dayOf, startOfDay } from './calendar';
import { DAY_MS, HOUR_MS } from './time';

/**
 * The same day a number of months later, or the last day of a month that has no such day (Regulation (EEC)
 * 1182/71, Art. 3(2)(c)).
 */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

/** The last millisecond of a day in a time zone: a period ends with the last hour of its last day. */
const endOfDay = (zone: string, day: string): Date => new Date(startOfDay(zone, addDays(day, 1)) - 1);

const earlier = (one: Date, other: Date): Date => (one < other ? one : other);

/**
 * A data-subject request must be answered within a month (GDPR Art. 12(3)), at most 30 days. The regulation
 * moves a deadline on a holiday to the next working day. Holidays differ by place and an early deadline does
 * no harm, so they are ignored.
 */
export const dsarDueAt = (created: Date, zone: string): Date =>
  earlier(
    new Date(created.getTime() + 30 * DAY_MS),
    endOfDay(zone, addMonths(dayOf(zone, created.getTime()), 1)),
  );

/** The same when only the day of receipt is known; that day is not counted. */
export function dsarDueFrom(day: string, zone: string): Date {
  const [days, month] = [addDays(day, 30), addMonths(day, 1)];
  return endOfDay(zone, days < month ? days : month);
}

/** It may be extended once by two further months, at most 60 days (GDPR Art. 12(3)). */
export const dsarExtendedUntil = (due: Date, zone: string): Date =>
  earlier(new Date(due.getTime() + 60 * DAY_MS), endOfDay(zone, addMonths(dayOf(zone, due.getTime()), 2)));

/**
 * A breach must be notified to the supervisory authority within 72 hours of becoming aware (GDPR Art. 33(1)).
 */
export const breachNotifyBy = (aware: Date): Date => new Date(aware.getTime() + 72 * HOUR_MS);

/** Warned of before the deadline, in milliseconds: requests 7 days, breaches 24 hours. */
export const DSAR_NOTICE = 7 * DAY_MS;
export const BREACH_NOTICE = 24 * HOUR_MS;
