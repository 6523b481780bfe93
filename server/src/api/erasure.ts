import type { Knex } from 'knex';
import { DeliveryRow, EventRow } from '../db/models';

/** Erases what was kept to notify receivers of a subject: its events and their deliveries, sent or not. */
export async function eraseEvents(trx: Knex, environment_id: string, subject_id: string): Promise<void> {
  const events = await EventRow.query(trx)
    .delete()
    .where({ environment_id, subject_id })
    .returning('event_id');
  const ids = (events as EventRow[]).map(({ event_id }) => event_id);
  if (ids.length > 0)
    await DeliveryRow.query(trx).delete().where({ environment_id }).whereIn('event_id', ids);
}
