import type { Knex } from 'knex';
import type { PlacedStep } from '../../domain/ledger/step-order';

/** A statement that was kept, because the row that it is about can change. */
export interface Kept {
  kind: string;
  site: string;
  imported_on?: string;
  record: Record<string, unknown>;
}

export function readKept(statement: string | null): Kept | undefined {
  try {
    const kept = JSON.parse(statement ?? '');
    return typeof kept?.record === 'object' && kept.record !== null ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** What a statement says; nothing when it is none, which the audit tells. */
export const recordIn = (statement: string | null): Record<string, unknown> =>
  readKept(statement)?.record ?? {};

/** Which of the kinds whose rows change. */
type KeptKind = 'dsar' | 'breach' | 'erasure';

/** Everything that was sealed of some rows, by their id, the oldest first. */
export async function sealedOf(
  db: Knex,
  environment_id: string,
  kind: KeptKind,
  subjects: readonly string[],
): Promise<Map<string, Record<string, unknown>[]>> {
  const found = new Map<string, Record<string, unknown>[]>();
  if (subjects.length === 0) return found;
  const facts: { subject: string; statement: string | null }[] = await db('ledger_facts')
    .where({ environment_id, kind })
    .whereIn('subject', [...subjects])
    .orderBy('fact_id')
    .select('subject', 'statement');
  for (const { subject, statement } of facts) {
    const some = found.get(subject) ?? [];
    some.push(recordIn(statement));
    found.set(subject, some);
  }
  return found;
}

/** How much was sealed of a row. */
export interface SealedSize {
  statements: number;
  bytes: number;
}

/** How much was sealed of some rows, by their id. */
export async function sealedSizes(
  db: Knex,
  environment_id: string,
  kind: KeptKind,
  subjects: readonly string[],
): Promise<Map<string, SealedSize>> {
  if (subjects.length === 0) return new Map();
  const rows: { subject: string; statements: number; bytes: number }[] = await db('ledger_facts')
    .where({ environment_id, kind })
    .whereIn('subject', [...subjects])
    .groupBy('subject')
    .select('subject', db.raw('count(*)::int AS statements'))
    .select(db.raw('coalesce(sum(octet_length(statement)), 0)::float8 AS bytes'));
  return new Map(rows.map(({ subject, ...size }) => [subject, size]));
}

/** Of what was sealed so much is read at once, and one statement that is larger. */
export const AT_ONCE: SealedSize = { statements: 200, bytes: 2 ** 20 };

/** How long a statement is, as a column: PostgreSQL does not read it for that. */
export const STATEMENT_BYTES = 'coalesce(octet_length(statement), 0) AS bytes';

/** One statement that was sealed of a row. */
export interface KeptFact {
  subject: string;
  fact_id: string;
  at: Date;
  blinding: string;
  statement: string | null;
}

/** The ids of what was sealed of some rows, in parts of which each fits in memory: row by row, the oldest first. */
export async function partsSealed(
  db: Knex,
  environment_id: string,
  kind: KeptKind,
  subjects: readonly string[],
): Promise<string[][]> {
  const all: { fact_id: string; bytes: number }[] = await db('ledger_facts')
    .where({ environment_id, kind })
    .whereIn('subject', [...subjects])
    .orderBy(['subject', 'fact_id'])
    .select('fact_id', db.raw(STATEMENT_BYTES));
  return [...partsOf(all, ({ bytes }) => ({ statements: 1, bytes }))].map((part) =>
    part.map(({ fact_id }) => fact_id),
  );
}

/** Everything that was sealed of some rows, in parts that fit in memory: row by row, the oldest first. */
export async function* readSealed(
  db: Knex,
  environment_id: string,
  kind: KeptKind,
  subjects: readonly string[],
): AsyncGenerator<KeptFact[]> {
  for (const ids of await partsSealed(db, environment_id, kind, subjects)) {
    const facts: KeptFact[] = await db('ledger_facts')
      .where({ environment_id })
      .whereIn('fact_id', ids)
      .orderBy(['subject', 'fact_id'])
      .select('subject', 'fact_id', 'at', 'blinding', 'statement');
    yield facts;
  }
}

/** Cuts a list into parts of which each is read at once. */
export function* partsOf<Item>(all: readonly Item[], sizeOf: (item: Item) => SealedSize): Generator<Item[]> {
  let part: Item[] = [];
  let room = AT_ONCE;
  for (const item of all) {
    const { statements, bytes } = sizeOf(item);
    if (part.length > 0 && (statements > room.statements || bytes > room.bytes)) {
      yield part;
      part = [];
      room = AT_ONCE;
    }
    part.push(item);
    room = { statements: room.statements - statements, bytes: room.bytes - bytes };
  }
  if (part.length > 0) yield part;
}

/** A statement as a step of what it is about, in its place. */
export function placedStep({ fact_id, statement }: Pick<KeptFact, 'fact_id' | 'statement'>): PlacedStep {
  const kept = readKept(statement);
  return { fact_id, step: kept?.record ?? {}, isImported: kept?.imported_on !== undefined };
}

/** What was sealed last of some rows, by their id. */
export async function lastSealedOf(
  db: Knex,
  environment_id: string,
  kind: KeptKind,
  subjects: readonly string[],
): Promise<Map<string, PlacedStep>> {
  if (subjects.length === 0) return new Map();
  const { rows } = await db.raw<{ rows: Pick<KeptFact, 'subject' | 'fact_id' | 'statement'>[] }>(
    `SELECT DISTINCT ON (subject) subject, fact_id, statement FROM ledger_facts
     WHERE environment_id = :environment_id AND kind = :kind AND subject = ANY (:subjects)
     ORDER BY subject, fact_id DESC`,
    { environment_id, kind, subjects: subjects as never },
  );
  return new Map(rows.map((row) => [row.subject, placedStep(row)]));
}
