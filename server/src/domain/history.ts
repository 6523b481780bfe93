import { clock } from './clock';
import { DAY_MS } from './time';
import type { HistoryEntry } from './types';

/** Noted with the name of the file. */
export const DOWNLOADED = 'file downloaded';

/** A history for whoever gets no lists of files: their names may name people. */
export const withoutFileNames = (history: readonly HistoryEntry[]): HistoryEntry[] =>
  history.map((entry) => (entry.action === DOWNLOADED ? { ...entry, note: null } : entry));

/**
 * When the next step is taken, by a clock that may have been ahead for the steps before: none comes before the one before
 * it. A clock that was ahead by more than a day counts for nothing.
 */
export function nextTime(history: readonly HistoryEntry[]): Date {
  const now = clock.date();
  const last = Date.parse(history.at(-1)?.at ?? '');
  return last > now.getTime() && last - now.getTime() < DAY_MS ? new Date(last) : now;
}

/** A history with one more entry. */
export const withEntry = (
  history: readonly HistoryEntry[],
  caller: { userId: number; email: string; key?: { id: string } } | undefined,
  action: string,
  note?: string,
): HistoryEntry[] => [
  ...history,
  {
    ...{
      at: nextTime(history).toISOString(),
      actor: caller?.email ?? 'data subject',
      action,
      note: note ?? null,
    },
    // The address may change, and the account may lose its place here.
    ...(caller === undefined ? {} : { user_id: caller.userId }),
    ...(caller?.key === undefined ? {} : { key_id: caller.key.id }),
  },
];
