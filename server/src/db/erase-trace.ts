import type { Knex } from 'knex';
import { OF_SESSIONS } from './consent-records';
import { eraseConsentsOf } from './erase-consents';
import type { ErasureNote } from './erasure-log';
import { eraseForms } from './ledger/erased';
import type { Gone } from './ledger/erased-notes';
import { type FormKey, firstThatFit, formKey, ofForms, weighForms } from './ledger/weigh';
import type { ErasedCounts } from './seal-erasures';

/** Rows that one statement erases, so that no lock is held for long. */
const BATCH = 1_000;
/** The maximum number of records that one call erases; the next call continues. */
export const MOST_ERASED = 20_000;

/** How many rows a call may still erase. */
export interface Budget {
  left: number;
}

/** Rows of one table that belong to a person, found by an indexed column. */
export interface TraceRows {
  table: 'consents' | 'session_choices' | 'form_consents';
  column: string;
  values: readonly string[];
  /**
   * Only form consents of no session, of these sessions, or, of those that pages sent, of one of the claimed: an
   * erasure takes no claim to a session that its answer does not list.
   */
  ofSessions?: { sessions: readonly string[]; claimed: readonly string[] };
}

/** The columns of each table's key after the environment. */
const KEYS: Record<Exclude<TraceRows['table'], 'consents'>, readonly string[]> = {
  session_choices: ['session_id'],
  form_consents: ['recorded_at', 'form_consent_id'],
};

/** The name under which a table's rows are counted. */
const COUNTED = { consents: 'consents', session_choices: 'choices', form_consents: 'form_consents' } as const;

/** What one statement or transaction erased. */
interface Batch {
  erased: number;
  /** Whether more was found than one may erase at once. */
  isCut?: boolean;
}

/** Erases in separately committed batches, each with its count, until nothing or no budget is left. */
export async function eraseRows(note: ErasureNote, rows: TraceRows, budget: Budget): Promise<number> {
  const { db, environmentId } = note;
  const kind = COUNTED[rows.table];
  if (rows.table !== 'session_choices') {
    return inBatches(budget, async (limit) => {
      let batch: Batch = { erased: 0 };
      await note.inOne(async (trx, gone) => {
        batch = await eraseSome(trx, environmentId, rows, { limit, gone });
        return { [kind]: batch.erased };
      });
      return batch;
    });
  }
  let erased = 0;
  if (await hasRows(db, environmentId, rows)) {
    await note.begin();
    erased = await inBatches(budget, async (limit) => {
      const batch = await eraseSome(db, environmentId, rows, { limit, gone: [] });
      await note.add({ [kind]: batch.erased });
      return batch;
    });
  }
  // After the choices: a request on its way may store one more, which nothing takes and which ends within a minute.
  await eraseLinks(db, environmentId, rows.values);
  return erased;
}

const eraseLinks = async (db: Knex, environment_id: string, sessions: readonly string[]): Promise<void> => {
  if (sessions.length > 0)
    await db('link_tokens').where({ environment_id }).whereIn('session_id', sessions).delete();
};

async function eraseSome(
  db: Knex,
  environment_id: string,
  { table, column, values, ofSessions }: TraceRows,
  { limit, gone }: { limit: number; gone: Gone },
): Promise<Batch> {
  if (table === 'consents')
    return { erased: await eraseConsentsOf(db, environment_id, values, { limit, gone }) };
  const keys = KEYS[table];
  const some = db(table).where({ environment_id }).whereIn(column, values).select(keys).limit(limit);
  if (ofSessions !== undefined)
    some.whereRaw(
      '(session_id IS NULL OR session_id = ANY (?::uuid[]) OR NOT by_owner AND session_id = ANY (?::uuid[]))',
      [[...ofSessions.sessions], [...ofSessions.claimed]],
    );
  if (table === 'form_consents') {
    const found: FormKey[] = await some
      .forUpdate()
      .clearSelect()
      .select(...formKey(db));
    const forms = await firstThatFit(found, weighForms(db, environment_id));
    gone.push(...(await eraseForms(db, environment_id, forms)));
    const erased: number = await db(table)
      .where({ environment_id })
      .whereRaw(...ofForms(forms.map(({ row }) => row)))
      .delete();
    return { erased, isCut: forms.length < found.length };
  }
  const erased: number = await db(table)
    .where({ environment_id })
    .whereIn([...keys], some)
    .delete();
  return { erased };
}

export async function countRows(
  db: Knex,
  environment_id: string,
  { table, column, values }: TraceRows,
): Promise<number> {
  const rows = db(table).where({ environment_id });
  if (table === 'consents') rows.whereRaw(OF_SESSIONS, { sessions: [...values] });
  else rows.whereIn(column, values);
  const row = await rows.count({ n: '*' }).first();
  return Number(row?.n ?? 0);
}

/** Whether there is such a row. */
export async function hasRows(
  db: Knex,
  environment_id: string,
  { table, column, values }: TraceRows,
): Promise<boolean> {
  if (values.length === 0) return false;
  const rows = db(table).where({ environment_id });
  if (table === 'consents') rows.whereRaw(OF_SESSIONS, { sessions: [...values] });
  else rows.whereIn(column, values);
  return (await rows.first(db.raw('1'))) !== undefined;
}

/** Each of these sessions with the number of its consent records. */
export async function countSessions(
  db: Knex,
  environment_id: string,
  sessions: readonly string[],
): Promise<{ session_id: string; consents: number }[]> {
  if (sessions.length === 0) return [];
  const rows: { session_id: string; n: string }[] = await db('consents')
    .where({ environment_id })
    .whereRaw(OF_SESSIONS, { sessions: [...sessions] })
    .groupBy('session_id')
    .select('session_id', db.raw('count(*) AS n'));
  const counts = new Map(rows.map(({ session_id, n }) => [session_id, Number(n)]));
  return sessions.map((session_id) => ({ session_id, consents: counts.get(session_id) ?? 0 }));
}

/** The number of events and deliveries, erased or present. */
export interface EventCounts {
  events: number;
  deliveries: number;
}

/** Erases the events of sessions and requests with their deliveries, sent or not. */
export async function eraseEventsOf(
  note: ErasureNote,
  subjects: readonly string[],
  budget: Budget,
): Promise<EventCounts> {
  let deliveries = 0;
  const events = await inBatches(budget, async (limit) => {
    const counts = await note.inOne((trx) => eraseSomeEvents(trx, note.environmentId, subjects, limit));
    deliveries += counts.deliveries ?? 0;
    return { erased: counts.events ?? 0 };
  });
  return { events, deliveries };
}

/** The same of all of them, in a transaction of the caller's. */
export async function eraseEventsIn(
  trx: Knex.Transaction,
  environmentId: string,
  subjects: readonly string[],
): Promise<EventCounts> {
  const total = { events: 0, deliveries: 0 };
  if (subjects.length === 0) return total;
  await inBatches({ left: Number.POSITIVE_INFINITY }, async (limit) => {
    const { events = 0, deliveries = 0 } = await eraseSomeEvents(trx, environmentId, subjects, limit);
    total.events += events;
    total.deliveries += deliveries;
    return { erased: events };
  });
  return total;
}

async function eraseSomeEvents(
  trx: Knex,
  environmentId: string,
  subjects: readonly string[],
  limit: number,
): Promise<ErasedCounts> {
  const { rows } = await trx.raw<{ rows: [EventCounts] }>(
    `WITH gone AS (
         DELETE FROM events WHERE environment_id = :environmentId AND (occurred_at, event_id) IN (
           SELECT occurred_at, event_id FROM events
           WHERE environment_id = :environmentId AND subject_id = ANY(:subjects::uuid[]) LIMIT :limit)
         RETURNING event_id
       ), unsent AS (
         DELETE FROM deliveries WHERE environment_id = :environmentId
           AND event_id IN (SELECT event_id FROM gone) RETURNING 1
       ) SELECT (SELECT count(*) FROM gone)::int AS events, (SELECT count(*) FROM unsent)::int AS deliveries`,
    { environmentId, subjects: [...subjects], limit },
  );
  return { ...rows[0] };
}

export async function countEventsOf(
  db: Knex,
  environmentId: string,
  subjects: readonly string[],
): Promise<EventCounts> {
  const { rows } = await db.raw<{ rows: EventCounts[] }>(
    `WITH own AS (
       SELECT event_id FROM events
       WHERE environment_id = :environmentId AND subject_id = ANY(:subjects::uuid[])
     ) SELECT (SELECT count(*) FROM own)::int AS events,
       (SELECT count(*) FROM deliveries WHERE environment_id = :environmentId
          AND event_id IN (SELECT event_id FROM own))::int AS deliveries`,
    { environmentId, subjects: [...subjects] },
  );
  return rows[0] as EventCounts;
}

/** What a call erased of a session. */
export interface SessionCounts {
  /** Whether nothing is left. */
  complete: boolean;
  consents: number;
  form_consents: number;
}

/**
 * Erases everything of a session. Each batch is committed alone, and its choice last: the group commit of all sites
 * writes choices, and would wait for a transaction that holds one.
 */
export async function eraseSessionOf(note: ErasureNote, session: string): Promise<SessionCounts> {
  const { db, environmentId } = note;
  const budget = { left: MOST_ERASED };
  const rowsOf = (table: TraceRows['table']) => ({ table, column: 'session_id', values: [session] });
  const of = (table: TraceRows['table']): Promise<number> => eraseRows(note, rowsOf(table), budget);
  await eraseEventsOf(note, [session], budget);
  const consents = await of('consents');
  const form_consents = await of('form_consents');
  await of('session_choices');
  let complete = budget.left > 0;
  // What was sent meanwhile may have been stored after its table was erased.
  for (const table of ['consents', 'form_consents', 'session_choices'] as const)
    complete &&= !(await hasRows(db, environmentId, rowsOf(table)));
  await note.finish(complete);
  return { complete, consents, form_consents };
}

async function inBatches(budget: Budget, erase: (limit: number) => Promise<Batch>): Promise<number> {
  let total = 0;
  while (budget.left > 0) {
    const limit = Math.min(BATCH, budget.left);
    const { erased, isCut = false } = await erase(limit);
    total += erased;
    budget.left -= erased;
    if (erased < limit && !isCut) break;
  }
  return total;
}
