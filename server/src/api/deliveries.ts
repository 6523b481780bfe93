import { randomUUID } from 'node:crypto';
import type { operations } from '../../../spec/generated/api';
import type { Context } from '../context';
import { databaseTime } from '../db/clock';
import { DeliveryRow, type EnvironmentRow, WebhookRow } from '../db/models';
import { newId, timeOfId } from '../domain/ids';
import type { EventName } from '../domain/types';
import { notFound } from '../errors';
import { LEASE } from '../webhooks/claim';
import { exampleEvent } from '../webhooks/example-payload';
import type { Handler } from './handler';
import { readPage, SHAPE_TIME, SHAPE_UUID } from './paging';
import { readPayloads, viewDelivery } from './webhook-view';

async function findWebhook(
  { db }: Context,
  environment: EnvironmentRow,
  webhook_id: string,
): Promise<WebhookRow> {
  const row = await WebhookRow.query(db).findOne({
    environment_id: environment.id,
    webhook_id: webhook_id.toLowerCase(),
  });
  if (row === undefined) throw notFound('This webhook');
  return row;
}

export const listDeliveries: Handler<operations['listDeliveries']> = async (
  context,
  { environment, params, query },
) => {
  const { db } = context;
  const webhook = await findWebhook(context, environment, params.webhook_id);
  const rows = DeliveryRow.query(db).where({
    environment_id: environment.id,
    webhook_id: webhook.webhook_id,
  });
  const { state } = query;
  if (state === 'held' || state === 'pending') {
    // The same rows by two names: which one it is, the webhook's status says.
    if ((state === 'held') !== (webhook.status === 'disabled')) return { items: [], next_cursor: null };
    rows.where({ state: 'pending' });
  } else if (state !== undefined) rows.where({ state });
  const page = await readPage({
    query: rows,
    order: ['created_at', 'delivery_id'],
    direction: 'desc',
    shapes: [SHAPE_TIME, SHAPE_UUID],
    limit: query.limit,
    cursor: query.cursor,
    toItem: (row) => row,
  });
  const payloadOf = await readPayloads(db, page.items);
  const items = page.items.flatMap((row) => {
    const payload = payloadOf(row);
    return payload === undefined ? [] : [viewDelivery(row, webhook, payload)];
  });
  return { ...page, items };
};

interface NewDelivery {
  event_id: string;
  event: EventName;
  event_at: Date;
  kind: 'test' | 'redelivery';
  payload: string;
  /** Stored with the delivery: a test has no event. */
  keepPayload: boolean;
}

/** Stores a delivery under a lease of this process, sends it at once, and returns what came of it. */
async function sendOnce({ db, dispatcher }: Context, webhook: WebhookRow, input: NewDelivery) {
  const { payload, keepPayload, ...fields } = input;
  const at = await databaseTime(db);
  const delivery_id = newId();
  const now = timeOfId(delivery_id);
  const lease = randomUUID();
  const delivery = await DeliveryRow.query(db).insertAndFetch({
    ...fields,
    environment_id: webhook.environment_id,
    delivery_id,
    webhook_id: webhook.webhook_id,
    state: 'pending',
    attempts: 0,
    due_at: now,
    created_at: now,
    lease,
    lease_until: new Date(at.getTime() + LEASE),
    payload: keepPayload ? payload : null,
  });
  await dispatcher.sendNow({ delivery, webhook, lease, payload, at });
  const written = await DeliveryRow.query(db).findById([webhook.environment_id, delivery_id]);
  if (written === undefined) throw notFound('This webhook');
  return viewDelivery(written, webhook, payload);
}

export const testWebhook: Handler<operations['testWebhook']> = async (
  context,
  { environment, params, body },
) => {
  const webhook = await findWebhook(context, environment, params.webhook_id);
  const first = webhook.events[0] === '*' ? 'dsar.created' : (webhook.events[0] as EventName);
  const { event_id, event, occurred_at, payload } = exampleEvent(environment, body?.event ?? first);
  return sendOnce(context, webhook, {
    event_id,
    event: event as EventName,
    event_at: new Date(occurred_at),
    kind: 'test',
    payload,
    keepPayload: true,
  });
};

export const redeliver: Handler<operations['redeliver']> = async (context, { environment, params }) => {
  const { db } = context;
  const webhook = await findWebhook(context, environment, params.webhook_id);
  const original = await DeliveryRow.query(db).findOne({
    environment_id: environment.id,
    delivery_id: params.delivery_id.toLowerCase(),
    webhook_id: webhook.webhook_id,
  });
  const payload = original && (await readPayloads(db, [original]))(original);
  if (original === undefined || payload === undefined) throw notFound('This delivery');
  const { event_id, event, event_at } = original;
  const keepPayload = original.payload !== null;
  return sendOnce(context, webhook, { event_id, event, event_at, kind: 'redelivery', payload, keepPayload });
};
