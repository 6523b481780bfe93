import type { HistoryEntry } from '../domain/types';
import type { Caller } from './handler';

/** A history with one line more. */
export const noted = (
  history: readonly HistoryEntry[],
  caller: Pick<Caller, 'email'> | undefined,
  action: string,
  note?: string,
): HistoryEntry[] => [
  ...history,
  { at: new Date().toISOString(), actor: caller?.email ?? 'data subject', action, note: note ?? null },
];
