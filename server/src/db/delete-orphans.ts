import { DAY_MS } from '../domain/time';
import { CHUNK } from './delete-outlived';
import { eraseEventsIn } from './erase-trace';
import type { ErasureNote } from './erasure-log';

/** The shortest time that the contract lets a site keep answered requests: events of younger ones are not looked at. */
const LEAST_DAYS = 30;
/** Requests whose events one transaction erases. */
const BATCH = 1_000;

/** How far a pass has come: the key of the last event that it looked at. */
interface Place {
  event: string;
  at: string;
  id: string;
}
interface Looked {
  n: number;
  last: Place | null;
  orphans: string[];
}

/**
 * Erases events of requests that are gone, which earlier versions left with the address. Their index is read in order,
 * so many at a time: no statement grows with what the site has. Resolves with how many; stops after each look but the
 * last, so that other sites take turns with this one.
 */
export async function* deleteOrphans(
  note: ErasureNote,
  now: Date,
  signal: AbortSignal | undefined,
): AsyncGenerator<void, number> {
  const before = new Date(now.getTime() - LEAST_DAYS * DAY_MS);
  let total = 0;
  for (const event of ['dsar.created', 'dsar.resolved']) {
    let place: Place | null = { event, at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };
    while (place !== null && !signal?.aborted) {
      const looked: Looked = await look(note, place, before);
      for (let from = 0; from < looked.orphans.length; from += BATCH) {
        const subjects = looked.orphans.slice(from, from + BATCH);
        const gone = await note.inOne(async (trx) => ({
          ...(await eraseEventsIn(trx, note.environmentId, subjects)),
        }));
        total += gone.events ?? 0;
      }
      place = looked.n < CHUNK ? null : looked.last;
      if (place !== null) yield;
    }
  }
  return total;
}

async function look(
  { db, environmentId }: ErasureNote,
  { event, at, id }: Place,
  before: Date,
): Promise<Looked> {
  const { rows } = await db.raw<{ rows: { id: string; at: string; subject: string; orphan: boolean }[] }>(
    `SELECT e.event_id AS id, e.occurred_at::text AS at, e.subject_id AS subject, r.request_id IS NULL AS orphan
     FROM (SELECT occurred_at, event_id, subject_id FROM events
           WHERE environment_id = :environmentId AND event = :event AND occurred_at < :before
             AND (occurred_at, event_id) > (:at::timestamptz, :id::uuid)
           ORDER BY occurred_at, event_id LIMIT :most) e
       LEFT JOIN dsar_requests r ON r.environment_id = :environmentId AND r.request_id = e.subject_id
     ORDER BY e.occurred_at, e.event_id`,
    { environmentId, event, at, id, before, most: CHUNK },
  );
  const last = rows.at(-1);
  return {
    n: rows.length,
    last: last === undefined ? null : { event, at: last.at, id: last.id },
    orphans: [...new Set(rows.filter(({ orphan }) => orphan).map(({ subject }) => subject))],
  };
}
