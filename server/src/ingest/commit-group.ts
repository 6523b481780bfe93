import { INSERT_AUDIT_EVENTS } from '../db/audit-events';
import { INSERT_PENDING, type Leaf, pendingRows } from '../db/ledger/pending';
import { clock } from '../domain/clock';
import { ANNOUNCE_EVENTS, INSERT_DELIVERIES, INSERT_EVENTS } from '../events/statements';
import { type Earlier, findEarlier, firstsOf, firstUse, type KeyLook, repeat, sentAt } from './claim-keys';
import type { DecisionRow, Entry, RecordedEntry } from './entries';
import { choiceLooks, Overtaken, withoutFollowers } from './follow-choices';
import type { Results } from './group-queue';
import { IN_ROWS } from './key-use';
import type { Session } from './session';
import { ADD_DAILY_COUNTS, ADD_HOURLY_COUNTS, INSERT_DECISIONS, type StoredDecision } from './statements';
import { leaveNobodyOut } from './subscriptions';
import { tally } from './tally';
import { type Cost, SHORT_LOCK, Transaction } from './transaction';
import { stored } from './words';

/** The secret by which what will be sealed is known as ours. */
interface Sealing {
  groupKey: Buffer;
}

/** How long a group's statement waits for a lock of somebody else. */
interface LockWait {
  shortWaits: boolean;
  /** Unless its waits are short, in milliseconds. */
  lock: number;
}

/**
 * Stores a group in one transaction: keys, latest choices, decisions and counts, always in this order, so that two
 * processes never deadlock. All of it is committed, or nothing.
 */
export async function commitGroup(
  session: Session,
  entries: Entry[],
  slot: number,
  cost: Cost,
  { groupKey, ...how }: Sealing & Partial<KeyLook & LockWait>,
): Promise<Results<RecordedEntry>> {
  const { shortWaits = false, lock = 0, use = IN_ROWS, bySite = false } = how;
  const firsts = firstsOf(entries);
  const earlier = new Map<Entry, Earlier>();
  let pending = entries.filter((entry) => firsts.get(entry) === entry);
  const overtaken = new Set<Entry>();
  while (pending.length > 0) {
    const transaction = new Transaction(session, cost, shortWaits);
    // A choice may be waited for: readers of events must see from the start that there will be some.
    if (!bySite && pending.some(({ outbox }) => outbox !== undefined)) transaction.first(ANNOUNCE_EVENTS);
    try {
      const decisions = decisionsOf(pending, session, shortWaits ? SHORT_LOCK : lock);
      const latest = latestBySession(withoutFollowers(decisions, pending));
      const late: Entry[] = [];
      const looks = choiceLooks(latest, { entries: pending, decisions }, { sent: sentAt(bySite), late });
      const found = await findEarlier(transaction, pending, looks, { use, bySite });
      for (const [entry, what] of found) earlier.set(entry, what);
      for (const entry of late) overtaken.add(entry);
      pending = pending.filter((entry) => !found.has(entry) && !overtaken.has(entry));
      // The latest choices of repetitions must not count: once more, without them.
      if ([...found.keys(), ...late].some(isDecision)) {
        await transaction.rollback();
        continue;
      }
      await writeRest(transaction, pending, decisions, { slot, groupKey });
      await transaction.commit();
      break;
    } catch (error) {
      await transaction.rollback();
      throw error;
    }
  }
  return entries.map((entry) => {
    if (overtaken.has(entry)) return new Overtaken();
    const first = firsts.get(entry) as Entry;
    const before = earlier.get(first) ?? (first === entry ? undefined : firstUse(first));
    return before === undefined ? { decision: entry.decision, repeated: false } : repeat(entry, before);
  });
}

type Decided = Entry & { decision: DecisionRow };
const isDecision = (entry: Entry): entry is Decided => entry.decision !== undefined;

function decisionsOf(entries: readonly Entry[], session: Session, lock: number): StoredDecision[] {
  const now = performance.now();
  return entries.flatMap((entry) =>
    isDecision(entry) ? stored(entry, session, waitOf(now - (entry.arrivedAt ?? now) + lock)) : [],
  );
}

/** Of decisions on the way at once for no longer than this, in milliseconds, either may be the latest choice. */
const AT_ONCE = 1_000;

/**
 * How long a decision may have waited when it is stored, in milliseconds, for the statement that compares times of
 * decisions; null when it compares none. Where the clock was set back, choices stored before may seem to be from now.
 */
const waitOf = (longest: number): string | null =>
  longest <= AT_ONCE || clock.wasSetBack() ? null : `${Math.ceil(longest)} ms`;

/** What the latest choices were only the first part of. */
async function writeRest(
  transaction: Transaction,
  entries: Entry[],
  decisions: StoredDecision[],
  { slot, groupKey }: Sealing & { slot: number },
): Promise<void> {
  const { daily, hourly } = tally(entries, slot);
  transaction.write(INSERT_DECISIONS, decisions);
  transaction.write(INSERT_PENDING, pendingRows(groupKey, entries.flatMap(leafOf)));
  transaction.write(ADD_DAILY_COUNTS, daily);
  transaction.write(ADD_HOURLY_COUNTS, hourly);
  // After the decisions: they show others that events may come, before it is read who misses them.
  await leaveNobodyOut(transaction, entries);
  const outbox = entries.flatMap((entry) => entry.outbox ?? []);
  transaction.write(
    INSERT_EVENTS,
    outbox.map(({ event }) => event),
  );
  transaction.write(
    INSERT_DELIVERIES,
    outbox.flatMap(({ deliveries }) => deliveries),
  );
  transaction.write(
    INSERT_AUDIT_EVENTS,
    entries.flatMap(({ audit }) => audit ?? []),
  );
}

function leafOf({ decision, sealed }: Entry): Leaf[] {
  if (decision === undefined || sealed === undefined) return [];
  const { environment_id, recorded_at } = decision;
  return [{ environment_id, at: recorded_at, commitment: sealed.commitment }];
}

/**
 * An upsert may touch a row only once: of several decisions of one session the last counts. Sorted to avoid
 * deadlocks.
 */
function latestBySession(decisions: StoredDecision[]): StoredDecision[] {
  const latest = new Map<string, StoredDecision>();
  for (const decision of decisions) latest.set(`${decision.environment_id}|${decision.session_id}`, decision);
  return [...latest.keys()].sort().map((key) => latest.get(key) as StoredDecision);
}
