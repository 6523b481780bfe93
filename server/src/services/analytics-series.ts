import { type Sums, sumsOf } from '../db/sum-counts';
import { categoryRates, decisionCounts } from '../domain/analytics';
import type { Range } from '../domain/analytics-range';
import { daySeries, hourSeries, startOfDay } from '../domain/calendar';
import { ValidationError } from '../domain/errors';
import { Memory } from '../domain/memory';
import type { AnalyticsInterval } from '../domain/types';

/** Points of all groups together, at most. */
const MAX_POINTS = 25_000;
/** Points and their categories together, at most: with the bound above about 12 MiB of JSON. */
const MAX_ENTRIES = 100_000;

export type Dimension = 'language' | 'banner_version' | 'device';

export interface Question {
  interval?: AnalyticsInterval;
  group_by?: Dimension;
  bots?: boolean;
}

type Start = { name: string; start: string };
type Point = { start: string } & ReturnType<typeof decisionCounts> & {
    categories: ReturnType<typeof categoryRates>;
  };

/** Yields after each point, so that others have their turn in between. */
function* points(starts: readonly Start[], rows: readonly Sums[]): Generator<undefined, Point[]> {
  const byBucket = new Map(rows.map(({ bucket, sums }) => [bucket, sums]));
  const made: Point[] = [];
  for (const { name, start } of starts) {
    const sums = sumsOf(byBucket.get(name) ?? []);
    made.push({ start, ...decisionCounts(sums), categories: categoryRates(sums) });
    yield;
  }
  return made;
}

/** Throws if the points and their categories are too many for one answer, before any point is made. */
function* checkEntries(points: number, rows: readonly Sums[], { group_by }: Question): Generator<undefined> {
  let entries = points;
  for (const { sums } of rows) {
    const keys = sums.flatMap(([metric, key]) => (metric === 'granted' || metric === 'refused' ? [key] : []));
    entries += new Set(keys).size;
    yield;
  }
  if (entries <= MAX_ENTRIES) return;
  const message = `makes ${entries} points and categories in total, more than ${MAX_ENTRIES}: use a wider interval, a shorter range or no group`;
  throw ValidationError.of(group_by === undefined ? 'query.from' : 'query.group_by', message, 'range');
}

const isPlain = (row: Sums): boolean =>
  row.language === null && row.banner_version === null && row.device === null;

/** Days that a process remembers the first instant of. */
const STARTS = new Memory<{ size: number; start: string }>(20_000);

export function firstInstant(zone: string, day: string): string {
  const known = STARTS.get(`${zone} ${day}`);
  if (known !== undefined) return known.start;
  const start = new Date(startOfDay(zone, day)).toISOString();
  STARTS.set(`${zone} ${day}`, { size: 1, start });
  return start;
}

/** The time series of the whole site and, if requested, of each group: piece by piece. */
export function* seriesOf(
  zone: string,
  { from, to }: Range,
  { rows, hours }: { rows: readonly Sums[]; hours: readonly Sums[] },
  question: Question,
): Generator<undefined, { series: Point[]; groups: { key: string; series: Point[] }[] }> {
  const { interval = 'day', group_by } = question;
  if (interval === 'hour') {
    const starts = yield* hourSeries(zone, startOfDay(zone, from), startOfDay(zone, to));
    yield* checkEntries(starts.length, hours, question);
    return {
      series: yield* points(
        starts.map((start) => ({ name: start, start })),
        hours,
      ),
      groups: [],
    };
  }
  const starts: Start[] = [];
  for (const name of daySeries(interval, from, to)) {
    starts.push({ name, start: firstInstant(zone, name) });
    yield;
  }
  const inTime = rows.filter(({ bucket }) => bucket !== null);
  const plain = inTime.filter(isPlain);
  const grouped = new Map<string, Sums[]>();
  for (const row of inTime) {
    if (group_by === undefined || row[group_by] === null) continue;
    const key = String(row[group_by]);
    const group = grouped.get(key);
    if (group === undefined) grouped.set(key, [row]);
    else group.push(row);
    yield;
  }
  if (grouped.size * starts.length > MAX_POINTS) {
    const message = `makes ${grouped.size} groups of ${starts.length} points, more than ${MAX_POINTS} in total: use a wider interval or a shorter range`;
    throw ValidationError.of('query.group_by', message, 'range');
  }
  yield* checkEntries((1 + grouped.size) * starts.length, inTime, question);
  const series = yield* points(starts, plain);
  const groups: { key: string; series: Point[] }[] = [];
  for (const [key, own] of grouped) groups.push({ key, series: yield* points(starts, own) });
  return { series, groups };
}
