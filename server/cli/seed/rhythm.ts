import { DAY_MS, HOUR_MS } from '../../src/domain/time';

/** Visits by hour of the day (UTC) and by day of the week (Sunday first) of a shop in central Europe. */
const BY_HOUR = [
  ...[2, 1, 1, 1, 1, 2, 5, 9, 13, 15, 16, 17],
  ...[16, 15, 15, 16, 18, 21, 25, 27, 24, 17, 10, 5],
];
const BY_WEEKDAY = [1.15, 0.95, 0.9, 0.92, 0.97, 1.05, 1.2];

/** An hour of the history and how many events fall into it. */
export interface Slot {
  from: number;
  events: number;
}

/**
 * Spreads exactly `events` over the days before `now`: more in the evening and at the weekend, growing over
 * the months.
 */
export function* rhythm(events: number, days: number, now: number): Generator<Slot> {
  const start = now - days * DAY_MS;
  const weights = Array.from({ length: days * 24 }, (_, index) =>
    weight(start + index * HOUR_MS, index / days),
  );
  const total = weights.reduce((sum, value) => sum + value, 0);
  let sum = 0;
  let given = 0;
  for (const [index, value] of weights.entries()) {
    sum += value;
    // Rounded from the sum, so that nothing is lost to rounding.
    const upToHere = index === weights.length - 1 ? events : Math.floor((sum / total) * events);
    if (upToHere > given) yield { from: start + index * HOUR_MS, events: upToHere - given };
    given = upToHere;
  }
}

function weight(at: number, age: number): number {
  const date = new Date(at);
  const growth = 1 + age / 24;
  const chance = 0.85 + Math.random() * 0.3;
  return (BY_HOUR[date.getUTCHours()] ?? 1) * (BY_WEEKDAY[date.getUTCDay()] ?? 1) * growth * chance;
}
