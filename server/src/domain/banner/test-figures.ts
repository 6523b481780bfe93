import {
  difference,
  type Interval,
  type Proportion,
  pValue,
  trialsOfA,
  wilson,
} from '../statistics/proportions';
import type { BannerTestFigures, TestRate, TestVerdict } from '../types';
import type { KeptTest } from './tests';

/** What was counted of one version. */
export interface VersionCounts {
  impressions: number;
  accept_all: number;
  reject_all: number;
  save_preferences: number;
  bots: number;
}

/** The largest p-value of a difference. */
const LEVEL = 0.05;

/** Impressions of each version that a test needs. */
export interface Planned {
  a: number;
  b: number;
}

/** In whichever direction more are needed, so that the smallest difference is found in both. */
export function planned({
  share,
  expected_rate: rate,
  smallest_difference,
}: Pick<KeptTest, 'share' | 'expected_rate' | 'smallest_difference'>): Planned {
  const ratio = share / (100 - share);
  const least = smallest_difference / 100;
  const others = [rate - least, rate + least].filter((other) => other > 0 && other < 1);
  const a = Math.max(...others.map((other) => trialsOfA(rate, other, ratio)));
  return { a: Math.ceil(a), b: Math.ceil(a * ratio) };
}

/** A test as the API shows it. */
export function figuresOf(test: KeptTest, a: VersionCounts, b: VersionCounts): BannerTestFigures {
  const { digest: _, a: hashOfA, b: hashOfB, ...plan } = test;
  const need = planned(test);
  const proportion = (counts: VersionCounts): Proportion => ({
    trials: counts.impressions,
    successes:
      test.aim === 'accept_all'
        ? Math.min(counts.accept_all, counts.impressions)
        : Math.min(decisionsOf(counts), counts.impressions),
  });
  const [ofA, ofB] = [proportion(a), proportion(b)];
  const isThere = a.impressions >= need.a && b.impressions >= need.b;
  const found = isThere ? difference(ofA, ofB) : null;
  const p_value = isThere ? pValue(ofA, ofB) : null;
  const verdict = verdictOf(p_value, found);
  return {
    ...plan,
    planned_impressions: need.a + need.b,
    a: versionFigures(hashOfA, a),
    b: versionFigures(hashOfB, b),
    difference: found,
    p_value,
    verdict,
    verdict_text: inWords(verdict, { a, b, need, found, p_value }),
  };
}

const decisionsOf = ({ accept_all, reject_all, save_preferences }: VersionCounts): number =>
  accept_all + reject_all + save_preferences;

const versionFigures = (bundle_hash: string, { bots, ...counts }: VersionCounts) => ({
  bundle_hash,
  ...counts,
  decisions: decisionsOf(counts as VersionCounts),
  bots,
  decision_rate: rateOf(decisionsOf(counts as VersionCounts), counts.impressions),
  accept_rate: rateOf(counts.accept_all, counts.impressions),
});

/** An impression may be lost on its way while its decision arrives: no rate is more than all. */
function rateOf(counted: number, trials: number): TestRate | null {
  if (trials === 0) return null;
  const successes = Math.min(counted, trials);
  return { rate: successes / trials, ...wilson({ successes, trials }) };
}

/** Both must say so, which are made differently and may not agree where it is close. */
function verdictOf(p: number | null, found: Difference | null): TestVerdict {
  if (p === null || found === null) return 'not_enough';
  if (p >= LEVEL || !excludesNone(found)) return 'no_difference';
  return found.difference > 0 ? 'b_better' : 'a_better';
}

const excludesNone = ({ from, to }: Interval): boolean => from > 0 || to < 0;

type Difference = Interval & { difference: number };

interface Found {
  a: VersionCounts;
  b: VersionCounts;
  need: Planned;
  p_value: number | null;
  found: Difference | null;
}

function inWords(verdict: TestVerdict, { a, b, need, found, p_value }: Found): string {
  // What one version has too many of says nothing of the other.
  const there = Math.min(a.impressions, need.a) + Math.min(b.impressions, need.b);
  if (verdict === 'not_enough' || found === null)
    return `Not enough yet: ${count(there)} of ${count(need.a + need.b)} impressions.`;
  const sign = verdict === 'a_better' ? -1 : 1;
  const ends = [sign * found.from, sign * found.to].sort((one, other) => one - other).map(points);
  if (verdict === 'no_difference') {
    const said = `No difference found: B minus A is ${points(found.difference)} percentage points (95 %: ${ends.join(' to ')}).`;
    const isClose = p_value !== null && p_value < LEVEL !== excludesNone(found);
    return isClose ? `${said} It is too close to call: interval and p-value do not agree.` : said;
  }
  const better = verdict === 'b_better' ? 'B' : 'A';
  return `${better} is better by ${points(Math.abs(found.difference))} percentage points (95 %: ${ends.join(' to ')}).`;
}

const count = (n: number): string => n.toLocaleString('en');
const points = (rate: number): string =>
  (100 * rate)
    .toFixed(1)
    .replace(/^-0\.0$/, '0.0')
    .replace('-', '−');
