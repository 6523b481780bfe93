import type { Knex } from 'knex';
import { type DeliveryRow, EventRow } from '../db/models';

/** The payloads of an environment's deliveries, each byte for byte as its event was compiled; undefined where the event is gone. */
export async function readPayloads(
  db: Knex,
  rows: readonly DeliveryRow[],
): Promise<(row: DeliveryRow) => string | undefined> {
  const [first] = rows;
  if (first === undefined) return () => undefined;
  // With the time, so that only its month's partition is read.
  const events = await EventRow.query(db)
    .where({ environment_id: first.environment_id })
    .whereIn(
      'event_id',
      rows.map(({ event_id }) => event_id),
    )
    .whereIn(
      'occurred_at',
      rows.map(({ event_at }) => event_at),
    )
    .select('event_id', 'payload');
  const byId = new Map(events.map(({ event_id, payload }) => [event_id, payload]));
  return (row) => row.payload ?? byId.get(row.event_id);
}
