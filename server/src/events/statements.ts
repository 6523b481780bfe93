import { insertRows } from '../db/set-statement';

/** An event that is to be stored. Times are ISO 8601 strings. */
export interface EventInsert {
  environment_id: string;
  event_id: string;
  occurred_at: string;
  event: string;
  subject_id: string;
  payload: string;
  /** The version of the site's subscriptions, when paused or disabled webhooks got no delivery of it. */
  subscriptions: string | null;
}

/** A delivery that is to be stored. Times are ISO 8601 strings. */
export interface DeliveryInsert {
  environment_id: string;
  delivery_id: string;
  webhook_id: string;
  event_id: string;
  event: string;
  event_at: string;
  kind: 'event';
  state: 'pending';
  attempts: number;
  due_at: string;
  created_at: string;
}

/** The set-based statements of the transactional outbox. */
export const INSERT_EVENTS = insertRows<EventInsert>('avow_insert_events', 'events', {
  environment_id: 'uuid',
  event_id: 'uuid',
  occurred_at: 'timestamptz',
  event: 'text',
  subject_id: 'uuid',
  payload: 'text',
  subscriptions: 'bigint',
});

/** Shows others that a transaction will store events, before it waits for anything. */
export const ANNOUNCE_EVENTS = {
  name: 'avow_announce_events',
  text: 'LOCK TABLE ONLY events IN ROW EXCLUSIVE MODE',
  values: [],
};

export const INSERT_DELIVERIES = insertRows<DeliveryInsert>('avow_insert_deliveries', 'deliveries', {
  environment_id: 'uuid',
  delivery_id: 'uuid',
  webhook_id: 'uuid',
  event_id: 'uuid',
  event: 'text',
  event_at: 'timestamptz',
  kind: 'text',
  state: 'text',
  attempts: 'integer',
  due_at: 'timestamptz',
  created_at: 'timestamptz',
});

/** The present version of a site's subscriptions; none before somebody missed an event. */
export const READ_SUBSCRIPTIONS = {
  name: 'avow_read_subscriptions',
  returns: true,
  text: 'SELECT version::text AS version FROM subscription_versions WHERE environment_id = $1',
};
