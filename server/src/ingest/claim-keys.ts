import { clock } from '../domain/clock';
import { bodyIn, DECISION_DAYS, ERASED, erasedKey, keyIn } from '../domain/decision-keys';
import { conflict } from '../domain/errors';
import { timeOfId } from '../domain/ids';
import { DAY_MS, toHour } from '../domain/time';
import type { Step } from './batch';
import type { DecisionRow, Dedupe, Entry, RecordedEntry } from './entries';
import type { KeyUse } from './key-use';
import {
  CLAIM_KEYS,
  FIND_KEYS,
  FIND_KEYS_OF_SITE,
  FIND_RECORDS,
  FIND_RECORDS_OF_SITE,
  type KeyRow,
  READ_DECISION,
  READ_KEY,
} from './statements';
import { type Look, type Transaction, toStep } from './transaction';

type Keyed = Entry & { dedupe: Dedupe };
/** A decision whose key belongs to its session. */
type Reported = Keyed & { decision: DecisionRow };

/** What a key was used for before. */
export interface Earlier {
  /** The hash of the body, or its beginning. */
  body: string | undefined;
  decision: DecisionRow | undefined;
}

const isKeyed = (entry: Entry): entry is Keyed => entry.dedupe !== undefined;
const isReported = (entry: Entry): entry is Reported =>
  entry.dedupe?.ofSession === true && entry.decision !== undefined;
const nameOf = (environmentId: string, scope: string, key: string): string =>
  `${environmentId}|${scope}|${key}`;

/** The first entry with the key of each: itself for most. */
export function firstsOf(entries: readonly Entry[]): Map<Entry, Entry> {
  const firsts = new Map<string, Entry>();
  return new Map(
    entries.map((entry) => {
      if (!isKeyed(entry)) return [entry, entry];
      const { scope, key } = entry.dedupe;
      const session = isReported(entry) ? `|${entry.decision.session_id}` : '';
      const name = `${nameOf(entry.site.id, scope, key)}${session}`;
      const first = firsts.get(name) ?? entry;
      firsts.set(name, first);
      return [entry, first];
    }),
  );
}

/** What an entry's key is used for when the entry is the first of its group. */
export const firstUse = ({ dedupe, decision }: Entry): Earlier => ({ body: dedupe?.bodyHash, decision });

/** The answer of a repetition is that of the first request. */
export function repeat({ dedupe, decision }: Entry, earlier: Earlier): RecordedEntry | Error {
  if (earlier.body === undefined || !dedupe?.bodyHash.startsWith(earlier.body)) {
    return conflict('This key was used for another body: take a new key for a new request.');
  }
  if (decision !== undefined && earlier.decision === undefined) {
    return conflict('The record that this key made was erased: take a new key for a new request.');
  }
  return { decision: earlier.decision, repeated: true };
}

/** What was found of a key, before the decision that it made is read. */
interface Found {
  body: string | undefined;
  consentId: string | null | undefined;
}

/** Where keys are looked for, and whether by statements of one site each. */
export interface KeyLook {
  use: KeyUse;
  bySite: boolean;
}

/** Decisions that one statement asks for; with their site when it may ask for no other. */
interface Part {
  reported: Reported[];
  site: string[];
}

/**
 * Stores the latest choices, and finds the entries whose keys were used before. A choice's row is locked until the
 * commit: of two processes with one report the second sees the record of the first. Keys and choices are in order, to
 * avoid deadlocks.
 */
export async function findEarlier(
  transaction: Transaction,
  entries: readonly Entry[],
  choices: readonly Look[],
  { use, bySite }: KeyLook,
): Promise<Map<Entry, Earlier>> {
  const keyed = entries.filter(isKeyed);
  const reported = use.inRecords ? keyed.filter(isReported) : [];
  if (keyed.length === 0 && !choices.some(({ step }) => step.returns)) {
    for (const { step } of choices) transaction.add(step);
    return new Map();
  }
  const found = new Map<Entry, Found>();
  const taken: Keyed[] = [];
  const looks = [
    ...claims(use.inRows ? keyed : keyed.filter((entry) => !isReported(entry)), taken),
    ...choices,
    // Records first: an erasure makes a key of a record, which is then found as one or the other.
    ...partsOf(reported, bySite).flatMap((part) => [findRecords(part, found), findKeys(part, use, found)]),
  ];
  const rows = await transaction.read(looks.map(({ step }) => step));
  for (const [index, { take }] of looks.entries()) take(rows[index] ?? []);
  await readTaken(transaction, taken, found);
  return withDecisions(transaction, found);
}

/**
 * When choices are sent, by the database's clock as it is known here; none when that says nothing: it was set back, or
 * a node of a cluster stores them, by whose clock nothing is dated.
 */
export const sentAt = (atNode: boolean): string | null =>
  atNode || clock.wasSetBack() ? null : clock.date().toISOString();

/** Claims keys by rows of their own; adds to `taken` the entries whose keys were claimed before. */
function claims(keyed: Keyed[], taken: Keyed[]): Look[] {
  if (keyed.length === 0) return [];
  const now = clock.now();
  const named = keyed.map(
    (entry) => [nameOf(entry.site.id, entry.dedupe.scope, entry.dedupe.key), entry] as const,
  );
  const rows = [...new Map(named)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => toRow(entry, now));
  const take = (claimed: KeyRow[]): void => {
    const mine = new Set(claimed.map(({ environment_id, scope, key }) => nameOf(environment_id, scope, key)));
    taken.push(...named.filter(([name]) => !mine.has(name)).map(([, entry]) => entry));
  };
  return [{ step: toStep(CLAIM_KEYS, rows), take }];
}

const toRow = ({ site, dedupe, decision }: Keyed, now: number): KeyRow => ({
  environment_id: site.id,
  scope: dedupe.scope,
  key: dedupe.key,
  body_hash: `\\x${dedupe.bodyHash}`,
  resource_id: decision?.consent_id ?? null,
  expires_at: new Date(toHour(now + (dedupe.days ?? 1) * DAY_MS)).toISOString(),
});

function partsOf(reported: Reported[], bySite: boolean): Part[] {
  if (reported.length === 0) return [];
  if (!bySite) return [{ reported, site: [] }];
  const sites = new Map<string, Reported[]>();
  for (const entry of reported) {
    const own = sites.get(entry.site.id);
    if (own === undefined) sites.set(entry.site.id, [entry]);
    else own.push(entry);
  }
  return [...sites].map(([site, own]) => ({ reported: own, site: [site] }));
}

function findRecords({ reported, site }: Part, found: Map<Entry, Found>): Look {
  const now = clock.now();
  const rows = reported.map(({ site: { id }, decision: { session_id, consent_id } }) => ({
    ...{ environment_id: id, session_id, key: keyIn(consent_id) },
  }));
  const window = [-DECISION_DAYS, 1].map((days) => new Date(now + days * DAY_MS).toISOString());
  return {
    step: toStep(site.length === 0 ? FIND_RECORDS : FIND_RECORDS_OF_SITE, rows, [...window, ...site]),
    take: (records: { n: number; consent_id: string }[]) => {
      for (const { n, consent_id } of records)
        found.set(reported[n - 1] as Entry, { body: bodyIn(consent_id), consentId: consent_id });
    },
  };
}

/** Keys of erased records, and those that were claimed by rows before the records held them. */
function findKeys({ reported, site }: Part, { inRows }: KeyUse, found: Map<Entry, Found>): Look {
  const asked = reported.flatMap((entry) => {
    const { decision, dedupe } = entry;
    const environment_id = entry.site.id;
    const erased = {
      entry,
      environment_id,
      scope: ERASED,
      key: erasedKey(decision.session_id, decision.consent_id),
    };
    return inRows ? [erased] : [erased, { entry, environment_id, scope: dedupe.scope, key: dedupe.key }];
  });
  return {
    step: toStep(site.length === 0 ? FIND_KEYS : FIND_KEYS_OF_SITE, asked, site),
    take: (rows: (TakenRow & { n: number })[]) => {
      for (const { n, body_hash, resource_id } of rows) {
        const { entry } = asked[n - 1] as (typeof asked)[number];
        if (!found.has(entry)) found.set(entry, { body: body_hash, consentId: resource_id });
      }
    },
  };
}

interface TakenRow {
  body_hash: string;
  resource_id: string | null;
}

/** Reads what keys were used for that others have claimed. */
async function readTaken(transaction: Transaction, taken: Keyed[], found: Map<Entry, Found>): Promise<void> {
  const unread = taken.filter((entry) => !found.has(entry));
  if (unread.length === 0) return;
  const rows = await transaction.read<TakenRow>(
    unread.map(({ site, dedupe }) => ({ ...READ_KEY, values: [site.id, dedupe.scope, dedupe.key] })),
  );
  for (const [index, entry] of unread.entries()) {
    const [row] = rows[index] ?? [];
    found.set(entry, { body: row?.body_hash, consentId: row?.resource_id });
  }
}

/** Reads the decisions that keys have made. */
async function withDecisions(
  transaction: Transaction,
  found: ReadonlyMap<Entry, Found>,
): Promise<Map<Entry, Earlier>> {
  const made = [...found].flatMap(([{ site }, { consentId }]) =>
    consentId == null ? [] : [toRead(site.id, consentId)],
  );
  const decisions = new Map<string, DecisionRow>();
  if (made.length > 0) {
    for (const [row] of await transaction.read<StoredRow>(made))
      if (row !== undefined) decisions.set(row.consent_id, toDecision(row));
  }
  return new Map(
    [...found].map(([entry, { body, consentId }]) => [
      entry,
      { body, decision: decisions.get(consentId ?? '') },
    ]),
  );
}

/** The time is in the id, so that only one month's partition is read. */
const toRead = (environmentId: string, consentId: string): Step => ({
  ...READ_DECISION,
  values: [environmentId, consentId, timeOfId(consentId).toISOString()],
});

type StoredRow = Omit<DecisionRow, 'recorded_at' | 'expires_at'> & { recorded_at: Date; expires_at: Date };

const toDecision = (row: StoredRow): DecisionRow => ({
  ...row,
  recorded_at: row.recorded_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
});
