import { clock } from './clock';
import type { HistoryEntry } from './types';

/** A history with one more entry. */
export const withEntry = (
  history: readonly HistoryEntry[],
  caller: { email: string } | undefined,
  action: string,
  note?: string,
): HistoryEntry[] => [
  ...history,
  { at: clock.date().toISOString(), actor: caller?.email ?? 'data subject', action, note: note ?? null },
];
