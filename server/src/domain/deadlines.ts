import { addDays, dayOf, startOfDay } from './calendar';
import { DAY_MS, HOUR_MS } from './time';

/**
 * The same day so many months later, and the month's last day where it has no such day (Regulation (EEC)
 * 1182/71, Art. 3(2)(c)).
 */
export function addMonths(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

/** The last millisecond of a day by a zone's clocks: a period ends with its last day's last hour. */
const endOfDay = (zone: string, day: string): Date => new Date(startOfDay(zone, addDays(day, 1)) - 1);

const earlier = (one: Date, other: Date): Date => (one < other ? one : other);

/**
 * A data-subject request must be answered within a month (GDPR Art. 12(3)), and 30 days are the outer limit.
 * The regulation lets a period that ends on a holiday end on the next working day; which days those are
 * differs from place to place, and a deadline that is too early harms nobody.
 */
export const dsarDueAt = (created: Date, zone: string): Date =>
  earlier(
    new Date(created.getTime() + 30 * DAY_MS),
    endOfDay(zone, addMonths(dayOf(zone, created.getTime()), 1)),
  );

/** The same where only the day is known that a request came: the day itself is not counted. */
export function dsarDueFrom(day: string, zone: string): Date {
  const [days, month] = [addDays(day, 30), addMonths(day, 1)];
  return endOfDay(zone, days < month ? days : month);
}

/** It may be extended once by two further months, and 60 days are the outer limit (GDPR Art. 12(3)). */
export const dsarExtendedUntil = (due: Date, zone: string): Date =>
  earlier(new Date(due.getTime() + 60 * DAY_MS), endOfDay(zone, addMonths(dayOf(zone, due.getTime()), 2)));

/**
 * A breach must be notified to the supervisory authority within 72 hours of becoming aware (GDPR Art. 33(1)).
 */
export const breachNotifyBy = (aware: Date): Date => new Date(aware.getTime() + 72 * HOUR_MS);

/**
 * Days that an answered request is kept as evidence where a site says nothing: three years, after which
 * claims lapse in most of the Union.
 */
export const REQUEST_DAYS = 1095;

/** Warned of before the deadline, in milliseconds: requests 7 days, breaches 24 hours. */
export const DSAR_NOTICE = 7 * DAY_MS;
export const BREACH_NOTICE = 24 * HOUR_MS;
