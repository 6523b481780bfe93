import type { Schemas } from '../../app/data';
import { toWall } from '../../ui/zone';
import { addDays } from './period';

type Report = Pick<Schemas['Analytics'], 'series' | 'interval' | 'from' | 'to' | 'time_zone'>;

/**
 * The points whose counts are not complete: the one of today or of this hour, and weeks and months that are
 * only partly in the period.
 */
export function partialOf({ series, interval, from, to, time_zone }: Report, now = Date.now()): number[] {
  const dayOf = (iso: string) => toWall(iso, time_zone).slice(0, 10);
  const limit = dayOf(to);
  return series.flatMap(({ start }, index) => {
    const next = series[index + 1];
    const isCut =
      Date.parse(start) < Date.parse(from) || (next === undefined && endOf(dayOf(start), interval) > limit);
    const end = Date.parse(next?.start ?? to);
    const isRunning = Date.parse(start) <= now && now < end;
    return isCut || isRunning ? [index] : [];
  });
}

/** The day after a week or a month that begins on this day; '' for intervals up to a day. */
function endOf(first: string, interval: Report['interval']): string {
  if (interval === 'week') return addDays(first, 7);
  return interval === 'month' ? `${addDays(first, 31).slice(0, 7)}-01` : '';
}
