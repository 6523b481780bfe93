import { DAY_MS, HOUR_MS, MINUTE_MS } from './time';

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
  /** For how long failures count after the latest one and its wait, in milliseconds. */
  window: number;
}

/** A quarter of an hour. */
const WINDOW = 15 * MINUTE_MS;

/**
 * What is counted: by account and network, by network, by block of networks, and by account. From a network
 * that the account has logged in from lately only the first counts. The waits of a block and of an account
 * stay short, since others share them: whoever guesses from everywhere gets one try a minute. A code has a million
 * values, of which three are right, and only who has the password may guess: for a day, from everywhere, that is some
 * forty of them.
 */
export const DELAY_RULES = {
  pair: { free: 10, first: MINUTE_MS, longest: 15 * MINUTE_MS, window: WINDOW },
  network: { free: 50, first: MINUTE_MS, longest: 15 * MINUTE_MS, window: WINDOW },
  block: { free: 200, first: 1_000, longest: MINUTE_MS, window: WINDOW },
  account: { free: 50, first: 1_000, longest: MINUTE_MS, window: WINDOW },
  code: { free: 10, first: MINUTE_MS, longest: HOUR_MS, window: DAY_MS },
} satisfies Record<string, DelayRule>;

/** When no failures of a rule can still count that are made now. */
const LATEST = Math.max(...Object.values(DELAY_RULES).map(({ longest, window }) => longest + window));

/** Milliseconds until the next attempt is allowed; 0 when it is allowed now. */
export const waitOf = ({ waitUntil }: Failures, now: number): number =>
  Math.max(0, (waitUntil?.getTime() ?? 0) - now);

/**
 * The failures that still count. A window that ends later than any can was dated by a wrong clock and is
 * reset.
 */
export function stillCounted(before: Failures | undefined, now: number, tolerance: number): Failures {
  const end = before?.windowEnd.getTime() ?? 0;
  if (before !== undefined && end > now && end <= now + LATEST + tolerance) return before;
  return { failures: 0, waitUntil: null, windowEnd: new Date(now) };
}

/** The failures with one more, made now. */
export function withOneMore(
  before: Failures,
  { free, first, longest, window }: DelayRule,
  now: number,
): Failures {
  const failures = before.failures + 1;
  if (failures === 1) return { ...before, failures, windowEnd: new Date(now + window) };
  if (failures < free) return { ...before, failures };
  // The exponent is bounded: beyond it every wait is the longest.
  const wait = Math.min(first * 2 ** Math.min(failures - free, 20), longest);
  const waitUntil = new Date(now + wait);
  return { failures, waitUntil, windowEnd: new Date(now + wait + window) };
}
