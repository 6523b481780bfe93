import { MINUTE_MS } from './time';

/** Failures that are counted together. */
export interface Failures {
  failures: number;
  waitUntil: Date | null;
  /** When they are forgotten. */
  windowEnd: Date;
}

/** The number of failures after which each further attempt must wait twice as long as the one before. */
export interface DelayRule {
  free: number;
  /** The first wait and the longest one, in milliseconds. */
  first: number;
  longest: number;
}

/**
 * What is counted: by account and network, by network, by block of networks, and by account. From a network
 * that the account has logged in from lately only the first counts. The waits of a block and of an account
 * stay short, since others share them: whoever guesses from everywhere gets one try a minute.
 */
export const DELAY_RULES = {
  pair: { free: 10, first: MINUTE_MS, longest: 15 * MINUTE_MS },
  network: { free: 50, first: MINUTE_MS, longest: 15 * MINUTE_MS },
  block: { free: 200, first: 1_000, longest: MINUTE_MS },
  account: { free: 50, first: 1_000, longest: MINUTE_MS },
} satisfies Record<string, DelayRule>;

/** Failures are forgotten a quarter of an hour after the first, or after the latest wait. */
const WINDOW = 15 * MINUTE_MS;

/** Milliseconds until the next attempt is allowed; 0 when it is allowed now. */
export const waitOf = ({ waitUntil }: Failures, now: number): number =>
  Math.max(0, (waitUntil?.getTime() ?? 0) - now);

/**
 * The failures that still count. A window that ends later than any can was dated by a wrong clock and is
 * reset.
 */
export function stillCounted(before: Failures | undefined, now: number, tolerance: number): Failures {
  const end = before?.windowEnd.getTime() ?? 0;
  const latest = now + WINDOW + DELAY_RULES.pair.longest + tolerance;
  if (before !== undefined && end > now && end <= latest) return before;
  return { failures: 0, waitUntil: null, windowEnd: new Date(now + WINDOW) };
}

/** The failures with one more, made now. */
export function withOneMore(before: Failures, { free, first, longest }: DelayRule, now: number): Failures {
  const failures = before.failures + 1;
  if (failures < free) return { ...before, failures };
  // The exponent is bounded: beyond it every wait is the longest.
  const wait = Math.min(first * 2 ** Math.min(failures - free, 20), longest);
  const waitUntil = new Date(now + wait);
  return { failures, waitUntil, windowEnd: new Date(now + wait + WINDOW) };
}
