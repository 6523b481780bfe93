import type { Knex } from 'knex';
import { type Sums, sumDailyCounts, sumHourlyCounts, sumPeriod, sumsOf } from '../db/sum-counts';
import { categoryRates, decisionCounts, interactionCounts } from '../domain/analytics';
import { type Range, readRange } from '../domain/analytics-range';
import { startOfDay } from '../domain/calendar';
import { MemberTurns } from '../domain/fair-turns';
import { runYielding } from '../domain/yielding';
import { type Dimension, firstInstant, type Question, seriesOf } from '../services/analytics-series';
import { type Handler, senderOf } from './handler';

/** The rows that are summed by one dimension alone. */
const breakdown = (rows: readonly Sums[], dimension: Dimension) =>
  rows
    .filter((row) => row.bucket === null && row[dimension] !== null)
    .map((row) => ({ key: String(row[dimension]), ...decisionCounts(sumsOf(row.sums)) }))
    .sort((a, b) => b.decisions - a.decisions || b.impressions - a.impressions);

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

/** Reports that are read and put together at once. */
const REPORTS = new MemberTurns({ account: 1, group: 4 });

export const getAnalytics: Handler<'getAnalytics'> = async ({ db }, { environment, query, caller }) => {
  const zone = environment.settings.time_zone;
  const range = readRange(query, zone);
  const from = firstInstant(zone, range.from);
  const report = async () => {
    const sums = await readSums(db, environment.id, zone, range, query);
    return { ...sums, series: await runYielding(seriesOf(zone, range, sums, query)) };
  };
  const { rows, totals, previous, robots, series } = await REPORTS.take(
    senderOf(caller),
    report,
    caller.patience,
  );
  return {
    from,
    to: firstInstant(zone, range.to),
    time_zone: zone,
    interval: query.interval ?? 'day',
    totals: decisionCounts(totals),
    categories: categoryRates(totals),
    interactions: interactionCounts(totals),
    previous: { from: firstInstant(zone, range.before), to: from, ...decisionCounts(previous) },
    ...series,
    by_language: breakdown(rows, 'language'),
    by_banner_version: breakdown(rows, 'banner_version'),
    by_device: [
      ...breakdown(rows, 'device'),
      ...(robots.length > 0 ? [{ key: 'bot', ...decisionCounts(robots) }] : []),
    ],
  };
};
