import type { Knex } from 'knex';
import type { WebhookKey } from '../db/models';
import type { SetStatement } from '../db/set-statement';
import { toArrays } from '../db/set-statement';
import { newId } from '../domain/ids';
import { type DeliveryInsert, type EventInsert, INSERT_DELIVERIES, INSERT_EVENTS } from './statements';
import { type PresentSubscriber, readSubscribers, type Subscriber, subscribes } from './subscribers';

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

/** An event with its deliveries. */
export interface Outbox {
  event: EventInsert;
  deliveries: DeliveryInsert[];
}

/**
 * The event with a delivery for each webhook that gets one. Who is paused or disabled costs nothing: the version of
 * the subscriptions says later who was left out.
 */
export function outboxFor(event: EventInsert, subscribers: readonly PresentSubscriber[]): Outbox {
  const left = subscribers.find((one) => one.missing !== null && subscribes(one, event.event));
  return {
    event: { ...event, subscriptions: left?.missing ?? null },
    deliveries: deliveriesOf(
      event,
      subscribers.filter(({ missing }) => missing === null),
    ),
  };
}

/** The same without leaving anybody out, for when it is not known who may be. */
export const outboxForAll = (event: EventInsert, subscribers: readonly Subscriber[]): Outbox => ({
  event: { ...event, subscriptions: null },
  deliveries: deliveriesOf(event, subscribers),
});

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
  compiled: EventInsert,
): Promise<void> {
  // What the event tells of is written already: whoever looks for late events sees that some may come.
  const subscribers = await readSubscribers(trx, [compiled.environment_id]);
  const { event, deliveries } = outboxFor(compiled, subscribers);
  await insert(trx, INSERT_EVENTS, [event]);
  await insert(trx, INSERT_DELIVERIES, deliveries);
  afterCommit(() => dispatcher.wake(deliveries));
}

/** The statements are PostgreSQL's own, with numbered places in order; knex knows question marks. */
async function insert<Row>(
  trx: Knex.Transaction,
  { text, columns }: SetStatement<Row>,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length > 0) await trx.raw(text.replace(/\$\d+/g, '?'), toArrays(rows, columns));
}
