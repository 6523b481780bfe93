import { type Sums, sumsOf } from '../db/sum-counts';
import { categoryRates, decisionCounts, interactionCounts, type Sum } from '../domain/analytics';
import type { Range } from '../domain/analytics-range';
import { type MadeJson, makeJson } from '../domain/made-json';
import type { DecisionCounts } from '../domain/types';
import { type Dimension, firstInstant, type Question, seriesOf } from './analytics-series';

/** What was counted in the range, in the period before it, and of programs alone if the rest is without them. */
export interface Counted {
  rows: readonly Sums[];
  hours: readonly Sums[];
  totals: readonly Sum[];
  previous: readonly Sum[];
  robots: readonly Sum[];
}

type Group = { key: string } & DecisionCounts;

/** Groups of one dimension, at most: only a site that publishes every day for years has more versions. */
const MAX_GROUPS = 1000;

/** The rows that are summed by one dimension alone, those with the most decisions first. */
function* breakdown(rows: readonly Sums[], dimension: Dimension): Generator<undefined, Group[]> {
  const groups: Group[] = [];
  for (const row of rows) {
    if (row.bucket === null && row[dimension] !== null)
      groups.push({ key: String(row[dimension]), ...decisionCounts(sumsOf(row.sums)) });
    yield;
  }
  return groups
    .sort((a, b) => b.decisions - a.decisions || b.impressions - a.impressions)
    .slice(0, MAX_GROUPS);
}

type Report = ReturnType<typeof reportOf> extends Generator<undefined, infer Made> ? Made : never;

/** The report, piece by piece. */
function* reportOf(zone: string, range: Range, counted: Counted, question: Question) {
  const { rows, totals, previous, robots } = counted;
  const from = firstInstant(zone, range.from);
  const series = yield* seriesOf(zone, range, counted, question);
  return {
    from,
    to: firstInstant(zone, range.to),
    time_zone: zone,
    interval: question.interval ?? ('day' as const),
    totals: decisionCounts(totals),
    categories: categoryRates(totals),
    interactions: interactionCounts(totals),
    previous: { from: firstInstant(zone, range.before), to: from, ...decisionCounts(previous) },
    ...series,
    by_language: yield* breakdown(rows, 'language'),
    by_banner_version: yield* breakdown(rows, 'banner_version'),
    by_device: [
      ...(yield* breakdown(rows, 'device')),
      ...(robots.length > 0 ? [{ key: 'bot', ...decisionCounts(robots) }] : []),
    ],
  };
}

function* listJson(items: Iterable<object>): Generator<string> {
  let before = '[';
  for (const item of items) {
    yield before + JSON.stringify(item);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

function* reportJson({ series, groups, ...head }: Report): Generator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"series":`;
  yield* listJson(series);
  let before = ',"groups":[';
  for (const group of groups) {
    yield `${before}{"key":${JSON.stringify(group.key)},"series":`;
    yield* listJson(group.series);
    before = '},';
  }
  yield groups.length === 0 ? ',"groups":[]}' : '}]}';
}

/** The report as JSON: neither its figures nor its text are made in one go. */
export function* analyticsJson(
  ...about: Parameters<typeof reportOf>
): Generator<undefined, MadeJson<Report>> {
  return yield* makeJson<Report>(reportJson(yield* reportOf(...about)));
}
