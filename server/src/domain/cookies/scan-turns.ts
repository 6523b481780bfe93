import { createHash } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '../time';
import type { ScanEvery } from '../types';

const PERIOD: Record<Exclude<ScanEvery, 'off'>, number> = { daily: DAY_MS, weekly: 7 * DAY_MS };

/** Turns in a row that fail before the site has a warning. */
export const FAILURES_WARNED = 3;

/**
 * When a page's next turn is after an instant: always at the same minute of the day or week, which differs from page to
 * page, so that not all of a server's pages are scanned at once.
 */
export function nextTurn(every: Exclude<ScanEvery, 'off'>, page: string, after: Date): Date {
  const period = PERIOD[every];
  const hash = createHash('sha256').update(page).digest();
  const offset = (hash.readUInt32BE(0) % (period / MINUTE_MS)) * MINUTE_MS;
  const since = Math.floor((after.getTime() - offset) / period);
  return new Date((since + 1) * period + offset);
}
