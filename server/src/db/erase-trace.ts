import type { Knex } from 'knex';
import { OF_SESSIONS } from './consent-records';
import { eraseConsentsOf } from './consent-words';

/** Rows that one statement erases, so that no lock is held for long. */
const BATCH = 1_000;

/** How many rows a call may still erase. */
export interface Budget {
  left: number;
}

/** Rows of one table that belong to a person, found by an indexed column. */
export interface TraceRows {
  table: 'consents' | 'session_choices' | 'form_consents';
  column: string;
  values: readonly string[];
}

/** The columns of each table's key after the environment. */
const KEYS: Record<Exclude<TraceRows['table'], 'consents'>, readonly string[]> = {
  session_choices: ['session_id'],
  form_consents: ['recorded_at', 'form_consent_id'],
};

/** Erases in separately committed batches until nothing or no budget is left. */
export async function eraseRows(
  db: Knex,
  environment_id: string,
  { table, column, values }: TraceRows,
  budget: Budget,
): Promise<number> {
  if (table === 'consents')
    return inBatches(budget, (limit) => eraseConsentsOf(db, environment_id, values, limit));
  const keys = KEYS[table];
  return inBatches(budget, async (limit) => {
    const some = db(table).where({ environment_id }).whereIn(column, values).select(keys).limit(limit);
    return db(table)
      .where({ environment_id })
      .whereIn([...keys], some)
      .delete();
  });
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

/** The number of events and deliveries, erased or present. */
export interface EventCounts {
  events: number;
  deliveries: number;
}

/** Erases the events of sessions and requests with their deliveries, sent or not. */
export async function eraseEventsOf(
  db: Knex,
  environmentId: string,
  subjects: readonly string[],
  budget: Budget,
): Promise<EventCounts> {
  let deliveries = 0;
  const events = await inBatches(budget, async (limit) => {
    const { rows } = await db.raw<{ rows: EventCounts[] }>(
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
    const counts = rows[0] as EventCounts;
    deliveries += counts.deliveries;
    return counts.events;
  });
  return { events, deliveries };
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

async function inBatches(budget: Budget, erase: (limit: number) => Promise<number>): Promise<number> {
  let total = 0;
  while (budget.left > 0) {
    const limit = Math.min(BATCH, budget.left);
    const erased = await erase(limit);
    total += erased;
    budget.left -= erased;
    if (erased < limit) break;
  }
  return total;
}
