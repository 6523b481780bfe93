import { clock } from './clock';
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
