import type { PoolClient } from 'pg';
import { INSERT_DELIVERIES, INSERT_EVENTS } from '../db/outbox';
import { timeOfId } from '../domain/ids';
import { conflict } from '../errors';
import type { DecisionRow, Entry, Stored } from './entries';
import type { Results } from './group-queue';
import {
  ADD_DAILY_COUNTS,
  ADD_HOURLY_COUNTS,
  CLAIM_KEYS,
  INSERT_DECISIONS,
  READ_DECISIONS,
  READ_KEYS,
  UPSERT_CHOICES,
} from './statements';
import { tally } from './tally';

/** Counts what the group cost, for the metrics and the benchmark. */
export interface Cost {
  statements: number;
}

/**
 * Stores a group in one transaction: keys, decisions, latest choices and counts, always in this order, so that two processes never
 * wait for each other in a circle. Either all of it is committed or nothing.
 */
export async function commitGroup(
  client: PoolClient,
  entries: Entry[],
  slot: number,
  cost: Cost,
): Promise<Results<Stored>> {
  const run = <Row>(
    statement: { name: string; text: string } | string,
    values: unknown[] = [],
  ): Promise<Row[]> => {
    cost.statements += 1;
    return typeof statement === 'string'
      ? client.query(statement).then(({ rows }) => rows as Row[])
      : client.query({ ...statement, values }).then(({ rows }) => rows as Row[]);
  };
  await run('BEGIN');
  try {
    const { fresh, results } = await claimKeys(run, entries);
    const decisions = fresh.flatMap(({ decision }) => decision ?? []);
    if (decisions.length > 0) {
      await run(INSERT_DECISIONS, [JSON.stringify(decisions)]);
      await run(UPSERT_CHOICES, [JSON.stringify(latestBySession(decisions))]);
    }
    const counts = tally(fresh, slot);
    if (counts.daily.length > 0) {
      await run(ADD_DAILY_COUNTS, [JSON.stringify(counts.daily)]);
      await run(ADD_HOURLY_COUNTS, [JSON.stringify(counts.hourly)]);
    }
    const outbox = fresh.flatMap((entry) => entry.outbox ?? []);
    if (outbox.length > 0) {
      await run(INSERT_EVENTS, [JSON.stringify(outbox.map(({ event }) => event))]);
      await run(INSERT_DELIVERIES, [JSON.stringify(outbox.flatMap(({ deliveries }) => deliveries))]);
    }
    await run('COMMIT');
    return results;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

type Run = <Row>(statement: { name: string; text: string }, values: unknown[]) => Promise<Row[]>;

const keyOf = ({ site, dedupe }: Entry): string => `${site.id}|${dedupe?.scope}|${dedupe?.key}`;

/** Tells new requests from repetitions, and finds the first answer of each repetition. */
async function claimKeys(run: Run, entries: Entry[]): Promise<{ fresh: Entry[]; results: Results<Stored> }> {
  const first = new Map<string, Entry>();
  for (const entry of entries) {
    if (entry.dedupe !== undefined && !first.has(keyOf(entry))) first.set(keyOf(entry), entry);
  }
  const earlier = first.size === 0 ? new Map<string, Earlier>() : await earlierOf(run, first);
  const fresh = entries.filter(
    (entry) =>
      entry.dedupe === undefined || (first.get(keyOf(entry)) === entry && !earlier.has(keyOf(entry))),
  );
  const results = entries.map((entry): Stored | Error => {
    const original = entry.dedupe && first.get(keyOf(entry));
    if (entry.dedupe === undefined || original === undefined)
      return { decision: entry.decision, repeated: false };
    const before = earlier.get(keyOf(entry)) ?? {
      bodyHash: original.dedupe?.bodyHash,
      decision: original.decision,
    };
    if (before.bodyHash !== entry.dedupe.bodyHash) {
      return conflict('This key was used for another body: take a new key for a new request.');
    }
    if (entry.decision !== undefined && before.decision === undefined) {
      return conflict('The record that this key made was erased: take a new key for a new request.');
    }
    return { decision: before.decision, repeated: original !== entry || earlier.has(keyOf(entry)) };
  });
  return { fresh, results };
}

interface Earlier {
  bodyHash: string | undefined;
  decision: DecisionRow | undefined;
}

async function earlierOf(run: Run, first: Map<string, Entry>): Promise<Map<string, Earlier>> {
  const now = new Date().toISOString();
  const rows = [...first.keys()].sort().map((name) => {
    const { site, dedupe, decision } = first.get(name) as Entry;
    return {
      environment_id: site.id,
      scope: dedupe?.scope,
      key: dedupe?.key,
      body_hash: dedupe?.bodyHash,
      resource_id: decision?.consent_id ?? null,
      created_at: now,
    };
  });
  const claimed = await run<{ environment_id: string; scope: string; key: string }>(CLAIM_KEYS, [
    JSON.stringify(rows),
  ]);
  const mine = new Set(claimed.map(({ environment_id, scope, key }) => `${environment_id}|${scope}|${key}`));
  const earlier = new Map<string, Earlier>();
  for (const [name, entry] of first) {
    if (!mine.has(name)) earlier.set(name, await readEarlier(run, entry));
  }
  return earlier;
}

/** Repetitions are rare: each is read by itself. */
async function readEarlier(run: Run, { site, dedupe }: Entry): Promise<Earlier> {
  const [row] = await run<{ body_hash: string; resource_id: string | null }>(READ_KEYS, [
    site.id,
    dedupe?.scope,
    [dedupe?.key],
  ]);
  if (row?.resource_id == null) return { bodyHash: row?.body_hash, decision: undefined };
  const [stored] = await run<StoredRow>(READ_DECISIONS, [
    site.id,
    [row.resource_id],
    [timeOfId(row.resource_id)],
  ]);
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

/** An upsert may touch a row once: of several decisions of one session the last counts. Sorted against circular waits. */
function latestBySession(decisions: DecisionRow[]): DecisionRow[] {
  const latest = new Map<string, DecisionRow>();
  for (const decision of decisions) latest.set(`${decision.environment_id}|${decision.session_id}`, decision);
  return [...latest.keys()].sort().map((key) => latest.get(key) as DecisionRow);
}
