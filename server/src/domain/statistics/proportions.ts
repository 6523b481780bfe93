import { twoSided, Z_80, Z_95 } from './normal';

/** Successes among trials; at least one trial. */
export interface Proportion {
  successes: number;
  trials: number;
}

export interface Interval {
  from: number;
  to: number;
}

const rateOf = ({ successes, trials }: Proportion): number => successes / trials;

/** The score interval of a proportion at 95 % (Wilson 1927; method 3 of Newcombe, Stat Med 1998; 17: 857–872). */
export function wilson(one: Proportion): Interval {
  const { trials: n } = one;
  const p = rateOf(one);
  const z2 = Z_95 ** 2;
  const centre = p + z2 / (2 * n);
  const half = Z_95 * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n));
  const whole = 1 + z2 / n;
  return { from: Math.max(0, (centre - half) / whole), to: Math.min(1, (centre + half) / whole) };
}

/** The rate of `b` minus that of `a` at 95 %, of their score intervals (method 10 of Newcombe, Stat Med 1998; 17: 873–890). */
export function difference(a: Proportion, b: Proportion): Interval & { difference: number } {
  const [ofA, ofB] = [wilson(a), wilson(b)];
  const [p, q] = [rateOf(a), rateOf(b)];
  return {
    difference: q - p,
    from: q - p - Math.hypot(q - ofB.from, ofA.to - p),
    to: q - p + Math.hypot(ofB.to - q, p - ofA.from),
  };
}

/** The two-sided p-value of the pooled test of two proportions: the chi-squared test without correction. */
export function pValue(a: Proportion, b: Proportion): number {
  const pooled = (a.successes + b.successes) / (a.trials + b.trials);
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / a.trials + 1 / b.trials));
  // All of both, or none of both: there is no difference.
  return error === 0 ? 1 : twoSided((rateOf(b) - rateOf(a)) / error);
}

/**
 * Trials of `a`, and `ratio` times as many of `b`, that tell rate `q` from rate `p` (Fleiss, Levin & Paik, Statistical
 * Methods for Rates and Proportions, 3rd ed., § 4.3, without the correction for continuity). Default power 80 %, at a
 * significance level of 5 %, two-sided.
 */
export function trialsOfA(p: number, q: number, ratio = 1, power = Z_80): number {
  const mean = (p + ratio * q) / (1 + ratio);
  const same = Z_95 * Math.sqrt((1 + 1 / ratio) * mean * (1 - mean));
  const apart = power * Math.sqrt(p * (1 - p) + (q * (1 - q)) / ratio);
  return (same + apart) ** 2 / (q - p) ** 2;
}
