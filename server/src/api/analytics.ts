import type { Knex } from 'knex';
import { type CountRow, sumDailyCounts, sumHourlyCounts, sumPeriod } from '../db/sum-counts';
import { categoryRates, decisionCounts, groupSums, interactionCounts } from '../domain/analytics';
import { type Range, readRange } from '../domain/analytics-range';
import { daySeries, hourSeries, startOfDay } from '../domain/calendar';
import { ValidationError } from '../domain/errors';
import type { AnalyticsInterval } from '../domain/types';
import type { Handler } from './handler';

/** Points of all groups together, at most: about 10 MiB of JSON. */
const MAX_POINTS = 25_000;

type Dimension = 'language' | 'banner_version' | 'device';

const points = (starts: readonly { name: string; start: string }[], rows: readonly CountRow[]) => {
  const byBucket = groupSums(rows, ({ bucket }) => bucket as string);
  return starts.map(({ name, start }) => {
    const sums = byBucket.get(name) ?? [];
    return { start, ...decisionCounts(sums), categories: categoryRates(sums) };
  });
};

/** The rows that are summed by one dimension alone. */
const breakdown = (rows: readonly CountRow[], dimension: Dimension) => {
  const own = rows.filter((row) => row.bucket === null && row[dimension] !== null);
  return [...groupSums(own, (row) => String(row[dimension]))]
    .map(([key, sums]) => ({ key, ...decisionCounts(sums) }))
    .sort((a, b) => b.decisions - a.decisions || b.impressions - a.impressions);
};

const isPlain = (row: CountRow): boolean =>
  row.language === null && row.banner_version === null && row.device === null;

interface Question {
  interval?: AnalyticsInterval;
  group_by?: Dimension;
  bots?: boolean;
}

const who = (bots: boolean) => (bots ? undefined : ('without' as const));

/** All sums of a report come from one snapshot, so that its parts agree while new records are stored. */
const readSums = (
  db: Knex,
  environmentId: string,
  zone: string,
  { from, to, before }: Range,
  { interval = 'day', group_by, bots = true }: Question,
) =>
  db.transaction(
    async (trx) => ({
      rows: await sumDailyCounts(
        trx,
        { environmentId, from, to, bots: who(bots) },
        interval === 'hour' ? 'day' : interval,
        group_by,
      ),
      totals: await sumPeriod(trx, { environmentId, from, to, bots: who(bots) }),
      previous: await sumPeriod(trx, { environmentId, from: before, to: from, bots: who(bots) }),
      // Listed separately, so that they are still reported.
      robots: bots ? [] : await sumPeriod(trx, { environmentId, from, to, bots: 'only' }),
      hours:
        interval === 'hour'
          ? await sumHourlyCounts(
              trx,
              environmentId,
              new Date(startOfDay(zone, from)),
              new Date(startOfDay(zone, to)),
            )
          : [],
    }),
    { isolationLevel: 'repeatable read', readOnly: true },
  );
type Sums = Awaited<ReturnType<typeof readSums>>;

/** The time series of the whole site and, if requested, of each group. */
function seriesOf(
  zone: string,
  { from, to }: Range,
  { rows, hours }: Sums,
  { interval = 'day', group_by }: Question,
) {
  if (interval === 'hour') {
    const starts = hourSeries(zone, startOfDay(zone, from), startOfDay(zone, to));
    return {
      series: points(
        starts.map((start) => ({ name: start, start })),
        hours,
      ),
      groups: [],
    };
  }
  const starts = daySeries(interval, from, to).map((name) => ({ name, start: firstInstant(zone, name) }));
  const inTime = rows.filter(({ bucket }) => bucket !== null);
  const series = points(starts, inTime.filter(isPlain));
  if (group_by === undefined) return { series, groups: [] };
  const grouped = groupSums(
    inTime.filter((row) => row[group_by] !== null),
    (row) => String(row[group_by]),
  );
  if (grouped.size * starts.length > MAX_POINTS) {
    const message = `makes ${grouped.size} groups of ${starts.length} points, more than ${MAX_POINTS} in total: use a wider interval or a shorter range`;
    throw ValidationError.of('query.group_by', message, 'range');
  }
  return { series, groups: [...grouped].map(([key, own]) => ({ key, series: points(starts, own) })) };
}

const firstInstant = (zone: string, day: string): string => new Date(startOfDay(zone, day)).toISOString();

export const getAnalytics: Handler<'getAnalytics'> = async ({ db }, { environment, query }) => {
  const zone = environment.settings.time_zone;
  const range = readRange(query, zone);
  const sums = await readSums(db, environment.id, zone, range, query);
  const { rows, totals, previous, robots } = sums;
  const from = firstInstant(zone, range.from);
  return {
    from,
    to: firstInstant(zone, range.to),
    time_zone: zone,
    interval: query.interval ?? 'day',
    totals: decisionCounts(totals),
    categories: categoryRates(totals),
    interactions: interactionCounts(totals),
    previous: { from: firstInstant(zone, range.before), to: from, ...decisionCounts(previous) },
    ...seriesOf(zone, range, sums, query),
    by_language: breakdown(rows, 'language'),
    by_banner_version: breakdown(rows, 'banner_version'),
    by_device: [
      ...breakdown(rows, 'device'),
      ...(robots.length > 0 ? [{ key: 'bot', ...decisionCounts(robots) }] : []),
    ],
  };
};
