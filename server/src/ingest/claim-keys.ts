import { timeOfId } from '../domain/ids';
import { conflict } from '../errors';
import type { DecisionRow, Dedupe, Entry, Stored } from './entries';
import type { Results } from './group-queue';
import { CLAIM_KEYS, type KeyRow, READ_DECISION, READ_KEY } from './statements';
import type { Transaction } from './transaction';

/** What a group stores, and what each of its entries is answered. */
export interface Claimed {
  fresh: Entry[];
  results: Results<Stored>;
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
export async function claimKeys(transaction: Transaction, entries: Entry[]): Promise<Claimed> {
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
function repeat({ dedupe, decision }: Keyed, earlier: Earlier): Stored | Error {
  if (earlier.bodyHash !== dedupe.bodyHash) {
    return conflict('This key was used for another body: take a new key for a new request.');
  }
  if (decision !== undefined && earlier.decision === undefined) {
    return conflict('The record that this key made was erased: take a new key for a new request.');
  }
  return { decision: earlier.decision, repeated: true };
}

/** Claims the keys, in order against circular waits, and reads what those were used for that cannot be claimed any more. */
async function findEarlier(
  transaction: Transaction,
  firsts: ReadonlyMap<string, Keyed>,
): Promise<Map<string, Earlier>> {
  const now = new Date().toISOString();
  const rows = [...firsts.keys()].sort().map((name) => toRow(firsts.get(name) as Keyed, now));
  const claimed = await transaction.claim(CLAIM_KEYS, rows);
  const mine = new Set(claimed.map(({ environment_id, scope, key }) => nameOf(environment_id, scope, key)));
  const taken = [...firsts].filter(([name]) => !mine.has(name));
  const found = await Promise.all(taken.map(([, entry]) => readEarlier(transaction, entry)));
  return new Map(taken.map(([name], index) => [name, found[index] as Earlier]));
}

const toRow = ({ site, dedupe, decision }: Keyed, now: string): KeyRow => ({
  environment_id: site.id,
  scope: dedupe.scope,
  key: dedupe.key,
  body_hash: `\\x${dedupe.bodyHash}`,
  resource_id: decision?.consent_id ?? null,
  created_at: now,
});

/** Repetitions are rare: each is read by itself. */
async function readEarlier(transaction: Transaction, { site, dedupe }: Keyed): Promise<Earlier> {
  const [row] = await transaction.read<{ body_hash: string; resource_id: string | null }>({
    ...READ_KEY,
    values: [site.id, dedupe.scope, dedupe.key],
  });
  if (row?.resource_id == null) return { bodyHash: row?.body_hash, decision: undefined };
  const [stored] = await transaction.read<StoredRow>({
    ...READ_DECISION,
    values: [site.id, row.resource_id, timeOfId(row.resource_id).toISOString()],
  });
  return {
    bodyHash: row.body_hash,
    decision: stored && {
      ...stored,
      recorded_at: stored.recorded_at.toISOString(),
      expires_at: stored.expires_at.toISOString(),
    },
  };
}

type StoredRow = Omit<DecisionRow, 'recorded_at' | 'expires_at'> & { recorded_at: Date; expires_at: Date };
