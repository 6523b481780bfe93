import { type Caller, senderOf } from '../api/handler';
import { MemberTurns } from '../domain/fair-turns';
import { limitDownloads } from './limits';
import type { RateLimiter } from './rate-limit';

/**
 * Downloads at once: each holds what it is made of for as long as the client reads, and reads on without a turn. Most
 * places of a group are for the first of an account, so that few accounts do not take them all.
 */
const DOWNLOADS = new MemberTurns({ account: 3, group: 12, further: 4 });

/** Sends a download when it is its reader's turn. Rejects with 429 and 503. */
export async function inTurnOfDownloads(
  limiter: RateLimiter | undefined,
  caller: Caller,
  send: () => Promise<void>,
): Promise<void> {
  limitDownloads(limiter, caller);
  await DOWNLOADS.take(senderOf(caller), send, caller.patience);
}

/** Whether somebody waits for a place such as the reader has. */
export const isAwaited = (caller: Caller): boolean => DOWNLOADS.isCrowded(senderOf(caller));
