import type { WebhookKey } from '../db/models';
import type { Logger } from '../observability/logger';
import type { Entry } from './entries';
import type { Share } from './group-queue';
import type { KeyUse } from './key-use';
import type { WordMemory } from './words';

/** Entries in one transaction, at most. */
export const MAX_GROUP = 500;
/** Decisions that may wait, at most: about 10 MB. */
export const MAX_WAITING = 5_000;
/** How long an entry may wait for its group, in milliseconds: less than a visitor waits. */
export const MAX_AGE = 3_500;
/**
 * Makers of sites take turns by the rows that they write: a request may bring a hundred interactions, each a row of its
 * own in the counts, and a decision one delivery for each webhook. What is only counted yields to decisions.
 */
export const SHARES = {
  of: ({ site, decision, counts, outbox }: Entry): Share =>
    decision === undefined
      ? { sender: site.maker, weight: Math.max(1, counts.length), yields: true }
      : { sender: site.maker, weight: 1 + (outbox?.deliveries.length ?? 0), yields: false },
  maxGroupWeight: 1_000,
  maxWaitingWeight: 50_000,
};

export interface LaneOptions {
  log: Logger;
  /** Called after each group: how many entries, how many statements. */
  onGroup?(entries: number, statements: number): void;
  /** Creates the partition of the current month if the jobs have not. */
  onMissingPartition(): Promise<void>;
  /** Called after a commit with the webhooks that have something to send. */
  onEvents?(webhooks: WebhookKey[]): void;
  maxWaiting?: number;
  /** Is told of each connection that stores decisions. */
  words?: Pick<WordMemory, 'storedBy'>;
  /** Says how event ids of decisions are recognised; otherwise by rows alone. */
  keys?: { readonly use: KeyUse };
  /** The secret by which what will be sealed is known as ours. */
  groupKey(): Buffer;
}
