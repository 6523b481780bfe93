import type { Knex } from 'knex';
import { toArrays } from '../db/arrays';
import { WebhookRow } from '../db/models';
import { type DeliveryInsert, type EventInsert, INSERT_DELIVERIES, INSERT_EVENTS } from '../db/outbox';
import type { SetStatement } from '../db/set-statement';
import { newId } from '../domain/ids';

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

/**
 * Stores an event and its deliveries in the transaction of the change that it reports: after a rollback there is neither, after the
 * commit both (transactional outbox). Returns the webhooks that have something to do once it is committed.
 */
export async function emit(trx: Knex.Transaction, event: EventInsert): Promise<string[]> {
  const subscribers = await WebhookRow.query(trx)
    .where({ environment_id: event.environment_id })
    .select('webhook_id', 'events');
  const deliveries = deliveriesOf(event, subscribers);
  await run(trx, INSERT_EVENTS, [event]);
  if (deliveries.length > 0) await run(trx, INSERT_DELIVERIES, deliveries);
  return deliveries.map(({ webhook_id }) => webhook_id);
}

/** The statements are PostgreSQL's own, with numbered places in order; knex knows question marks. */
const run = <Row>(
  trx: Knex.Transaction,
  { text, columns }: SetStatement<Row>,
  rows: readonly Row[],
): Knex.Raw => trx.raw(text.replace(/\$\d+/g, '?'), toArrays(rows, columns));
