import type { Knex } from 'knex';
import { sumDailyCounts, sumHourlyCounts, sumPeriod } from '../db/sum-counts';
import { categoryRates } from '../domain/analytics';
import { type Range, readRange } from '../domain/analytics-range';
import { startOfDay } from '../domain/calendar';
import { MemberTurns } from '../domain/fair-turns';
import { runYielding } from '../domain/yielding';
import { analyticsJson, type Counted } from '../services/analytics-report';
import type { Question } from '../services/analytics-series';
import { type Handler, senderOf } from './handler';

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
    async (trx): Promise<Counted> => {
      const days = { environmentId, from, to, bots: who(bots) };
      const totals = await sumPeriod(trx, days);
      const categories = categoryRates(totals).map(({ category }) => category);
      const ofDays = { ...days, categories };
      return {
        rows: await sumDailyCounts(trx, ofDays, interval === 'hour' ? 'day' : interval, group_by),
        totals,
        previous: await sumPeriod(trx, { ...days, from: before, to: from }),
        // Listed separately, so that they are still reported.
        robots: bots ? [] : await sumPeriod(trx, { ...days, bots: 'only' }),
        hours:
          interval === 'hour'
            ? await sumHourlyCounts(
                trx,
                environmentId,
                new Date(startOfDay(zone, from)),
                new Date(startOfDay(zone, to)),
              )
            : [],
      };
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );

/** Reports that are read and put together at once. */
const REPORTS = new MemberTurns({ account: 1, group: 4 });

export const getAnalytics: Handler<'getAnalytics'> = async ({ db }, { environment, query, caller }) => {
  const zone = environment.settings.time_zone;
  const range = readRange(query, zone);
  const report = async () =>
    runYielding(analyticsJson(zone, range, await readSums(db, environment.id, zone, range, query), query));
  return REPORTS.take(senderOf(caller), report, caller.patience);
};
