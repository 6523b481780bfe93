import { clock } from '../domain/clock';
import { conflict } from '../domain/errors';
import { timeOfId } from '../domain/ids';
import { DAY_MS, HOUR_MS } from '../domain/time';
import type { Step } from './batch';
import type { DecisionRow, Dedupe, Entry, RecordedEntry } from './entries';
import type { Results } from './group-queue';
import { CLAIM_KEYS, type KeyRow, READ_DECISION, READ_KEY } from './statements';
import type { Transaction } from './transaction';

/** What a group stores, and what each of its entries is answered. */
export interface ClaimedKeys {
  fresh: Entry[];
  results: Results<RecordedEntry>;
}

type Keyed = Entry & { dedupe: Dedupe };

/** What a key was used for before this group. */
interface Earlier {
  bodyHash: string | undefined;
  decision: DecisionRow | undefined;
}

const isKeyed = (entry: Entry): entry is Keyed => entry.dedupe !== undefined;
const nameOf = (environmentId: string, scope: string, key: string): string =>
  `${environmentId}|${scope}|${key}`;

/** Tells new requests, which are to be stored, from repetitions, which get the answer of the first. */
export async function claimKeys(transaction: Transaction, entries: Entry[]): Promise<ClaimedKeys> {
  const names = new Map<Entry, string>();
  const firsts = new Map<string, Keyed>();
  for (const entry of entries.filter(isKeyed)) {
    const name = nameOf(entry.site.id, entry.dedupe.scope, entry.dedupe.key);
    names.set(entry, name);
    if (!firsts.has(name)) firsts.set(name, entry);
  }
  const earlier = await findEarlier(transaction, firsts);
  const isFresh = (entry: Entry): boolean => {
    const name = names.get(entry);
    return name === undefined || (firsts.get(name) === entry && !earlier.has(name));
  };
  const results = entries.map((entry) => {
    if (!isKeyed(entry) || isFresh(entry)) return { decision: entry.decision, repeated: false };
    const name = names.get(entry) as string;
    return repeat(entry, earlier.get(name) ?? ofEntry(firsts.get(name) as Keyed));
  });
  return { fresh: entries.filter(isFresh), results };
}

const ofEntry = ({ dedupe, decision }: Keyed): Earlier => ({ bodyHash: dedupe.bodyHash, decision });

/** The answer of a repetition is that of the first request. */
function repeat({ dedupe, decision }: Keyed, earlier: Earlier): RecordedEntry | Error {
  if (earlier.bodyHash !== dedupe.bodyHash) {
    return conflict('This key was used for another body: take a new key for a new request.');
  }
  if (decision !== undefined && earlier.decision === undefined) {
    return conflict('The record that this key made was erased: take a new key for a new request.');
  }
  return { decision: earlier.decision, repeated: true };
}

/** Claims the keys, in order to avoid deadlocks, and reads the results of those that were claimed before. */
async function findEarlier(
  transaction: Transaction,
  firsts: ReadonlyMap<string, Keyed>,
): Promise<Map<string, Earlier>> {
  const now = clock.now();
  const rows = [...firsts.keys()].sort().map((name) => toRow(firsts.get(name) as Keyed, now));
  const claimed = await transaction.claim(CLAIM_KEYS, rows);
  const mine = new Set(claimed.map(({ environment_id, scope, key }) => nameOf(environment_id, scope, key)));
  const taken = [...firsts].filter(([name]) => !mine.has(name));
  return taken.length === 0 ? new Map() : readEarlier(transaction, taken);
}

const toRow = ({ site, dedupe, decision }: Keyed, now: number): KeyRow => ({
  environment_id: site.id,
  scope: dedupe.scope,
  key: dedupe.key,
  body_hash: `\\x${dedupe.bodyHash}`,
  resource_id: decision?.consent_id ?? null,
  // To the hour, because the index stores what expires together under one key.
  expires_at: new Date(Math.ceil((now + (dedupe.days ?? 1) * DAY_MS) / HOUR_MS) * HOUR_MS).toISOString(),
});

interface TakenRow {
  body_hash: string;
  resource_id: string | null;
}

/** Reads what keys were used for, and the decisions that they made. */
async function readEarlier(
  transaction: Transaction,
  taken: [name: string, entry: Keyed][],
): Promise<Map<string, Earlier>> {
  const keys = taken.map(([, { site, dedupe }]) => ({
    ...READ_KEY,
    values: [site.id, dedupe.scope, dedupe.key],
  }));
  const rows = (await transaction.read<TakenRow>(keys)).map(([row]) => row);
  const made = rows.flatMap((row, index) =>
    row?.resource_id == null ? [] : [toRead(taken[index]?.[1] as Keyed, row.resource_id)],
  );
  const decisions = new Map<string, DecisionRow>();
  if (made.length > 0) {
    for (const [row] of await transaction.read<StoredRow>(made))
      if (row !== undefined) decisions.set(row.consent_id, toDecision(row));
  }
  return new Map(
    taken.map(([name], index) => {
      const row = rows[index];
      return [name, { bodyHash: row?.body_hash, decision: decisions.get(row?.resource_id ?? '') }];
    }),
  );
}

/** The time is in the id, so that only one month's partition is read. */
const toRead = ({ site }: Keyed, consentId: string): Step => ({
  ...READ_DECISION,
  values: [site.id, consentId, timeOfId(consentId).toISOString()],
});

type StoredRow = Omit<DecisionRow, 'recorded_at' | 'expires_at'> & { recorded_at: Date; expires_at: Date };

const toDecision = (row: StoredRow): DecisionRow => ({
  ...row,
  recorded_at: row.recorded_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
});
