import type { Knex } from 'knex';
import { DeliveryRow, EventRow, type WebhookKey, WebhookRow } from '../db/models';
import type { SetStatement } from '../db/set-statement';
import { toArrays } from '../db/set-statement';
import { newId } from '../domain/ids';
import { type DeliveryInsert, type EventInsert, INSERT_DELIVERIES, INSERT_EVENTS } from './statements';

/** A webhook as far as the outbox must know it. */
export type Subscriber = Pick<WebhookRow, 'webhook_id' | 'events'>;

export const subscribes = ({ events }: Subscriber, event: string): boolean =>
  events.includes('*') || events.includes(event);

/** One delivery for each webhook that subscribes to the event at this moment. */
export function deliveriesOf(event: EventInsert, subscribers: readonly Subscriber[]): DeliveryInsert[] {
  return subscribers
    .filter((subscriber) => subscribes(subscriber, event.event))
    .map(({ webhook_id }) => ({
      environment_id: event.environment_id,
      delivery_id: newId(),
      webhook_id,
      event_id: event.event_id,
      event: event.event,
      event_at: event.occurred_at,
      kind: 'event',
      state: 'pending',
      attempts: 0,
      due_at: event.occurred_at,
      created_at: event.occurred_at,
    }));
}

/** The transaction of a change, and what to do after its commit. */
export interface Change {
  trx: Knex.Transaction;
  afterCommit(work: () => void): void;
}

/**
 * Stores an event and its deliveries in the transaction of the change that it reports, so that either all or
 * none are committed (transactional outbox). After the commit, the webhooks with something to send are woken.
 */
export async function emit(
  dispatcher: { wake(webhooks: readonly WebhookKey[]): void },
  { trx, afterCommit }: Change,
  event: EventInsert,
): Promise<void> {
  const subscribers = await WebhookRow.query(trx)
    .where({ environment_id: event.environment_id })
    .select('webhook_id', 'events');
  const deliveries = deliveriesOf(event, subscribers);
  await run(trx, INSERT_EVENTS, [event]);
  if (deliveries.length > 0) await run(trx, INSERT_DELIVERIES, deliveries);
  afterCommit(() => dispatcher.wake(deliveries));
}

/** The statements are PostgreSQL's own, with numbered places in order; knex knows question marks. */
const run = <Row>(
  trx: Knex.Transaction,
  { text, columns }: SetStatement<Row>,
  rows: readonly Row[],
): Knex.Raw => trx.raw(text.replace(/\$\d+/g, '?'), toArrays(rows, columns));

/**
 * Erases what was stored to notify receivers about a subject: its events and their deliveries, sent or not.
 */
export async function eraseEvents(trx: Knex, environment_id: string, subject_id: string): Promise<void> {
  const events = await EventRow.query(trx)
    .delete()
    .where({ environment_id, subject_id })
    .returning('event_id');
  const ids = (events as EventRow[]).map(({ event_id }) => event_id);
  if (ids.length > 0)
    await DeliveryRow.query(trx).delete().where({ environment_id }).whereIn('event_id', ids);
}
