import type { Knex } from 'knex';
import type { Sum } from '../domain/analytics';

/** All sums of one point in time, of one dimension, or of both; what they are not by is null. */
export interface Sums {
  /** The first day of its week or month, or its day; the start of its hour for hourly counts. */
  bucket: string | null;
  language: string | null;
  banner_version: number | null;
  device: string | null;
  /** As JSON: a row for each of them would cost many times as much to read. */
  sums: Counted[];
}

/** A sum: of what, and how many. */
type Counted = [metric: string, key: string, n: number];

const COUNTED = 'json_agg(json_build_array(metric, key, n))';

/** Categories in one answer: a site has at most 30 at a time, but a decision may name those of any earlier settings. */
const MAX_CATEGORIES = 100;
const MAX_INTERACTIONS = 1000;

const COUNTS = "metric IN ('impression', 'decision', 'opted_in')";
const RATES = "(metric IN ('granted', 'refused'))";
/** The keys of the categories that were decided about most often. */
const MOST_DECIDED = `SELECT key FROM sums WHERE ${RATES} GROUP BY key ORDER BY sum(n) DESC, key LIMIT ${MAX_CATEGORIES}`;
const MOST_DONE = `SELECT key FROM sums WHERE metric = 'interaction' ORDER BY n DESC, key LIMIT ${MAX_INTERACTIONS}`;

export const sumsOf = (counted: readonly Counted[]): Sum[] =>
  counted.map(([metric, key, n]) => ({ metric, key, n }));

const TRUNCATED = {
  day: 'day',
  week: "date_trunc('week', day::timestamp)::date",
  month: "date_trunc('month', day::timestamp)::date",
};

interface Days {
  environmentId: string;
  /** `YYYY-MM-DD` */
  from: string;
  /** `YYYY-MM-DD`, left out */
  to: string;
  /** Whether programs are left out, or only they are counted; default: everybody. */
  bots?: 'without' | 'only' | undefined;
}

const VISITORS = { without: " AND device <> 'bot'", only: " AND device = 'bot'" };
const whoOf = ({ bots }: Days): string => (bots === undefined ? '' : VISITORS[bots]);

/**
 * Sums daily counts by point in time, and by each dimension, in one pass; of categories only those named. With `group`
 * the points are split by that dimension too.
 */
export async function sumDailyCounts(
  db: Knex,
  days: Days & { categories: string[] },
  interval: keyof typeof TRUNCATED,
  group?: 'language' | 'banner_version' | 'device',
): Promise<Sums[]> {
  const { environmentId, from, to, categories } = days;
  const split = group === undefined ? '' : `, (bucket, metric, key, ${group})`;
  const { rows } = await db.raw<{ rows: Sums[] }>(
    `SELECT bucket, language, banner_version, device, ${COUNTED} AS sums FROM (
       SELECT bucket, metric, key, language, banner_version, device, sum(n)::bigint AS n
       FROM (SELECT ${TRUNCATED[interval]} AS bucket, metric, CASE WHEN metric <> 'interaction' THEN key ELSE '' END AS key, language, banner_version, device, n
             FROM daily_counts WHERE environment_id = ? AND day >= ? AND day < ?${whoOf(days)}
             AND metric <> 'test' AND (NOT ${RATES} OR key = ANY(?))) AS counts
       GROUP BY GROUPING SETS ((bucket, metric, key), (metric, key, language), (metric, key, banner_version), (metric, key, device)${split})
     ) AS summed GROUP BY bucket, language, banner_version, device ORDER BY bucket, language, banner_version, device`,
    [environmentId, from, to, categories],
  );
  return rows;
}

/** Sums daily counts of a whole period: of categories and of interactions only the most frequent. */
export async function sumPeriod(db: Knex, days: Days): Promise<Sum[]> {
  const { environmentId, from, to } = days;
  const { rows } = await db.raw<{ rows: Sum[] }>(
    `WITH sums AS (
       SELECT metric, key, sum(n)::bigint AS n FROM daily_counts
       WHERE environment_id = ? AND day >= ? AND day < ?${whoOf(days)} GROUP BY metric, key
     ) SELECT metric, key, n FROM sums
     WHERE ${COUNTS} OR ${RATES} AND key IN (${MOST_DECIDED}) OR metric = 'interaction' AND key IN (${MOST_DONE})
     ORDER BY metric, key`,
    [environmentId, from, to],
  );
  return rows;
}

/** Sums hourly counts by hour: of categories only the most frequent. */
export async function sumHourlyCounts(
  db: Knex,
  environmentId: string,
  from: Date,
  to: Date,
): Promise<Sums[]> {
  const { rows } = await db.raw<{ rows: (Omit<Sums, 'bucket'> & { bucket: Date })[] }>(
    `WITH sums AS (
       SELECT hour, metric, key, sum(n)::bigint AS n FROM hourly_counts
       WHERE environment_id = ? AND hour >= ? AND hour < ? GROUP BY hour, metric, key
     ) SELECT hour AS bucket, ${COUNTED} AS sums FROM sums
     WHERE ${COUNTS} OR ${RATES} AND key IN (${MOST_DECIDED})
     GROUP BY hour ORDER BY hour`,
    [environmentId, from, to],
  );
  return rows.map((row) => ({ ...row, bucket: row.bucket.toISOString() }));
}
