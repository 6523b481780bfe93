import type { Knex } from 'knex';
import type { operations } from '../../../spec/generated/api';
import { type CountRow, sumDailyCounts, sumHourlyCounts, sumPeriod } from '../db/sum-counts';
import { categoryRates, decisionCounts, groupSums, interactionCounts } from '../domain/analytics';
import { daySeries, hourSeries, startOfDay } from '../domain/calendar';
import type { AnalyticsInterval } from '../domain/types';
import { type Range, readRange } from './analytics-range';
import type { Handler } from './handler';

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

/** All sums of a report from one snapshot: what is stored in between must not make its parts disagree. */
const readSums = (
  db: Knex,
  environmentId: string,
  zone: string,
  { from, to, before }: Range,
  { interval = 'day', group_by }: { interval?: AnalyticsInterval; group_by?: Dimension },
) =>
  db.transaction(
    async (trx) => ({
      rows: await sumDailyCounts(
        trx,
        { environmentId, from, to },
        interval === 'hour' ? 'day' : interval,
        group_by,
      ),
      totals: await sumPeriod(trx, { environmentId, from, to }),
      previous: await sumPeriod(trx, { environmentId, from: before, to: from }),
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

/** The time series of all, and of each group where that was asked for. */
function seriesOf(
  zone: string,
  { from, to }: Range,
  { rows, hours }: Sums,
  { interval = 'day', group_by }: { interval?: AnalyticsInterval; group_by?: Dimension },
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
  return { series, groups: [...grouped].map(([key, own]) => ({ key, series: points(starts, own) })) };
}

const firstInstant = (zone: string, day: string): string => new Date(startOfDay(zone, day)).toISOString();

export const getAnalytics: Handler<operations['getAnalytics']> = async ({ db }, { environment, query }) => {
  const zone = environment.settings.time_zone;
  const range = readRange(query, zone);
  const sums = await readSums(db, environment.id, zone, range, query);
  const { rows, totals, previous } = sums;
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
    by_device: breakdown(rows, 'device'),
  };
};
