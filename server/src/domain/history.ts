import { clock } from './clock';
import { conflict } from './errors';
import type { HistoryEntry } from './types';

/** A history with one more entry. */
export const withEntry = (
  history: readonly HistoryEntry[],
  caller: { userId: number; email: string; key?: { id: string } } | undefined,
  action: string,
  note?: string,
): HistoryEntry[] => [
  ...history,
  {
    ...{ at: clock.date().toISOString(), actor: caller?.email ?? 'data subject', action, note: note ?? null },
    // The address may change, and the account may lose its place here.
    ...(caller === undefined ? {} : { user_id: caller.userId }),
    ...(caller?.key === undefined ? {} : { key_id: caller.key.id }),
  },
];

/** Characters of a history from which on nobody adds to it at will: it is read and sealed with each step. */
const FULL = 65_536;

/** Throws 409 when a history is full; what must be done with the record can still be done. */
export function refuseFull(history: readonly HistoryEntry[]): void {
  const length = history.reduce(
    (sum, { action, note }) => sum + action.length + (note?.length ?? 0) + 100,
    0,
  );
  if (length >= FULL)
    throw conflict('The history of this record is full: make a new record, which may name this one.');
}
