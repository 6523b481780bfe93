import { INSERT_DELIVERIES, INSERT_EVENTS } from '../events/statements';
import { type ClaimedKeys, claimKeys } from './claim-keys';
import type { Entry, RecordedEntry } from './entries';
import type { Results } from './group-queue';
import type { Session } from './session';
import {
  ADD_DAILY_COUNTS,
  ADD_HOURLY_COUNTS,
  INSERT_DECISIONS,
  type StoredDecision,
  UPSERT_CHOICES,
} from './statements';
import { tally } from './tally';
import { type Cost, Transaction } from './transaction';
import { stored } from './words';

/**
 * Stores a group in one transaction: keys, decisions, latest choices and counts, always in this order, so
 * that two processes never deadlock. All of it is committed, or nothing.
 */
export async function commitGroup(
  session: Session,
  entries: Entry[],
  slot: number,
  cost: Cost,
  hasty = false,
): Promise<Results<RecordedEntry>> {
  const transaction = new Transaction(session, cost, hasty);
  try {
    const keyed = entries.some(({ dedupe }) => dedupe !== undefined);
    const { fresh, results } = keyed ? await claimKeys(transaction, entries) : allFresh(entries);
    const decisions = fresh.flatMap(({ decision, words }) =>
      decision === undefined ? [] : stored(decision, words, session),
    );
    const { daily, hourly } = tally(fresh, slot);
    transaction.write(INSERT_DECISIONS, decisions);
    transaction.write(UPSERT_CHOICES, latestBySession(decisions));
    transaction.write(ADD_DAILY_COUNTS, daily);
    transaction.write(ADD_HOURLY_COUNTS, hourly);
    const outbox = fresh.flatMap((entry) => entry.outbox ?? []);
    transaction.write(
      INSERT_EVENTS,
      outbox.map(({ event }) => event),
    );
    transaction.write(
      INSERT_DELIVERIES,
      outbox.flatMap(({ deliveries }) => deliveries),
    );
    await transaction.commit();
    return results;
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

const allFresh = (entries: Entry[]): ClaimedKeys => ({
  fresh: entries,
  results: entries.map(({ decision }) => ({ decision, repeated: false })),
});

/**
 * An upsert may touch a row only once: of several decisions of one session the last counts. Sorted to avoid
 * deadlocks.
 */
function latestBySession(decisions: StoredDecision[]): StoredDecision[] {
  const latest = new Map<string, StoredDecision>();
  for (const decision of decisions) latest.set(`${decision.environment_id}|${decision.session_id}`, decision);
  return [...latest.keys()].sort().map((key) => latest.get(key) as StoredDecision);
}
