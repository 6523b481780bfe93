import type { Knex } from 'knex';
import { addDays, dayOf } from '../domain/calendar';
import type { TestAim } from '../domain/types';

/** What was counted in A/B tests: of which version (`1a`), what, by whom, and how often. */
export interface TestSum {
  key: string;
  bot: boolean;
  n: number;
}

const WHAT = ['impression', 'accept_all', 'reject_all', 'save_preferences'];

/**
 * Sums the counts of tests by their numbers: eight keys of each. The days are those of the site's clocks, which may have
 * changed since: a day more costs nothing.
 */
export async function sumTests(
  db: Knex,
  environmentId: string,
  numbers: readonly number[],
  since: Date,
): Promise<TestSum[]> {
  if (numbers.length === 0) return [];
  const keys = numbers.flatMap((number) =>
    ['a', 'b'].flatMap((version) => WHAT.map((what) => `${number}${version}:${what}`)),
  );
  const { rows } = await db.raw<{ rows: TestSum[] }>(
    `SELECT key, device = 'bot' AS bot, sum(n)::bigint AS n FROM daily_counts
     WHERE environment_id = ? AND day >= ? AND metric = 'test' AND key = ANY(?) GROUP BY 1, 2`,
    [environmentId, addDays(dayOf('UTC', since.getTime()), -1), keys],
  );
  return rows;
}

/** The days before a test that its plan is made of. */
const DAYS = 30;
/** Impressions that say enough. */
const ENOUGH = 200;
/** Decisions that ended no impression count among all, too: a share like this tells of them, and not of impressions. */
const TOO_MANY = 0.95;
/** For it most impressions are needed. */
export const UNKNOWN_RATE = 0.5;

/**
 * The rate that a plan expects: that of the days before. Without enough of them a half, for which most impressions are
 * needed.
 */
export async function expectedRate(
  db: Knex,
  environmentId: string,
  aim: TestAim,
  now: Date,
): Promise<number> {
  const { rows } = await db.raw<{ rows: { shown: number; reached: number }[] }>(
    `SELECT coalesce(sum(n) FILTER (WHERE metric = 'impression'), 0)::bigint AS shown,
       coalesce(sum(n) FILTER (WHERE metric = 'decision' AND key = ANY(?)), 0)::bigint AS reached
     FROM daily_counts WHERE environment_id = ? AND day >= ? AND metric IN ('impression', 'decision') AND device <> 'bot'`,
    [
      aim === 'accept_all' ? ['accept_all'] : ['accept_all', 'reject_all', 'save_preferences'],
      environmentId,
      addDays(dayOf('UTC', now.getTime()), -DAYS),
    ],
  );
  const { shown, reached } = rows[0] as { shown: number; reached: number };
  if (shown < ENOUGH || reached > TOO_MANY * shown) return UNKNOWN_RATE;
  return Math.round(Math.max(0.05, reached / shown) * 1000) / 1000;
}
