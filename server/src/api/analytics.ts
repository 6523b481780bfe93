import type { operations } from '../../../spec/generated/api';
import { type CountRow, sumDailyCounts, sumHourlyCounts, sumPeriod } from '../db/sum-counts';
import { categoryRates, decisionCounts, groupSums, interactionCounts } from '../domain/analytics';
import { addDays, dayOf, daySeries, daysBetween, hourSeries, startOfDay } from '../domain/calendar';
import type { AnalyticsInterval } from '../domain/types';
import { ValidationError } from '../errors';
import type { Handler } from './handler';

const DAY = 86_400_000;
const DEFAULT_DAYS = 30;
/** Five years, in days. */
const MAX_DAYS = 5 * 366;
const MAX_HOURLY_DAYS = 93;

interface Range {
  from: string;
  to: string;
}

/** The asked range, widened to whole days of the site's time zone. Throws `ValidationError`. */
function readRange(query: { from?: string; to?: string }, zone: string, interval: AnalyticsInterval): Range {
  const to = query.to === undefined ? Date.now() : Date.parse(query.to);
  const from = query.from === undefined ? to - DEFAULT_DAYS * DAY : Date.parse(query.from);
  if (from >= to) throw ValidationError.of('query.from', 'must be before to', 'range');
  // The last day is the one that holds the last instant before `to`.
  const range = { from: dayOf(zone, from), to: addDays(dayOf(zone, to - 1), 1) };
  const days = daysBetween(range.from, range.to);
  if (days > MAX_DAYS) throw ValidationError.of('query.from', 'must be at most 5 years before to', 'range');
  if (interval === 'hour' && days > MAX_HOURLY_DAYS) {
    throw ValidationError.of(
      'query.interval',
      `hour is for at most ${MAX_HOURLY_DAYS} days: take day, or a shorter range`,
      'range',
    );
  }
  return range;
}

const points = (starts: readonly { name: string; start: string }[], rows: readonly CountRow[]) => {
  const byBucket = groupSums(rows, ({ bucket }) => bucket as string);
  return starts.map(({ name, start }) => {
    const sums = byBucket.get(name) ?? [];
    return { start, ...decisionCounts(sums), categories: categoryRates(sums) };
  });
};

/** The rows that are summed by one dimension alone. */
const breakdown = (rows: readonly CountRow[], dimension: 'language' | 'banner_version' | 'device') => {
  const own = rows.filter((row) => row.bucket === null && row[dimension] !== null);
  return [...groupSums(own, (row) => String(row[dimension]))]
    .map(([key, sums]) => ({ key, ...decisionCounts(sums) }))
    .sort((a, b) => b.decisions - a.decisions || b.impressions - a.impressions);
};

const isPlain = (row: CountRow): boolean =>
  row.language === null && row.banner_version === null && row.device === null;

export const getAnalytics: Handler<operations['getAnalytics']> = async ({ db }, { environment, query }) => {
  const zone = environment.settings.time_zone;
  const interval = query.interval ?? 'day';
  const group = query.group_by;
  const { from, to } = readRange(query, zone, interval);
  if (interval === 'hour' && group !== undefined) {
    throw ValidationError.of('query.group_by', 'is not possible with the interval hour: take day', 'range');
  }
  const start = startOfDay(zone, from);
  const end = startOfDay(zone, to);
  const before = addDays(from, -daysBetween(from, to));
  const days = { environmentId: environment.id, from, to };
  const rows = await sumDailyCounts(db, days, interval === 'hour' ? 'day' : interval, group);
  const previous = await sumPeriod(db, { environmentId: environment.id, from: before, to: from });
  const plain = rows.filter((row) => row.bucket !== null && isPlain(row));
  const totals = await sumPeriod(db, days);
  const named = daySeries(interval, from, to).map((name) => ({
    name,
    start: new Date(startOfDay(zone, name)).toISOString(),
  }));
  return {
    from: new Date(start).toISOString(),
    to: new Date(end).toISOString(),
    time_zone: zone,
    interval,
    totals: decisionCounts(totals),
    categories: categoryRates(totals),
    interactions: interactionCounts(totals),
    previous: {
      from: new Date(startOfDay(zone, before)).toISOString(),
      to: new Date(start).toISOString(),
      ...decisionCounts(previous),
    },
    series:
      interval === 'hour'
        ? points(
            hourSeries(zone, start, end).map((name) => ({ name, start: name })),
            await sumHourlyCounts(db, environment.id, new Date(start), new Date(end)),
          )
        : points(named, plain),
    groups:
      group === undefined
        ? []
        : [
            ...groupSums(
              rows.filter((row) => row.bucket !== null && row[group] !== null),
              (row) => String(row[group]),
            ),
          ].map(([key, own]) => ({ key, series: points(named, own) })),
    by_language: breakdown(rows, 'language'),
    by_banner_version: breakdown(rows, 'banner_version'),
    by_device: breakdown(rows, 'device'),
  };
};
