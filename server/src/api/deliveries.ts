import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { Context } from '../context';
import { databaseTime } from '../db/clock';
import { DeliveryRow } from '../db/models';
import { readPage, SHAPE_TIME, SHAPE_UUID } from '../db/paging';
import { notFound } from '../domain/errors';
import { FairTurns, MemberTurns, OWNERS } from '../domain/fair-turns';
import { newId, timeOfId } from '../domain/ids';
import type { EventName } from '../domain/types';
import { exampleEvent } from '../events/examples';
import { findWebhook, lockWebhook } from '../services/find-webhook';
import { sessionView } from '../services/session-view';
import { isHolding, readPayloads, viewDelivery } from '../services/webhook-view';
import { LEASE } from '../webhooks/claim';
import { type Caller, type Handler, inOwnTurn, type OfAudit, type OfMember, senderOf } from './handler';

/** Deliveries that people ask for, at once: fewer than the names that deliveries may ask for. */
const SENDS = new FairTurns(32, OWNERS);
const SENDS_OF_MEMBER = new MemberTurns({ account: 4, group: 16 });

const inTurn = <Result>(caller: Caller, work: () => Promise<Result>): Promise<Result> =>
  SENDS_OF_MEMBER.take(
    senderOf(caller),
    () => SENDS.take(senderOf(caller), work, caller.patience),
    caller.patience,
  );

export const listDeliveries: Handler<'listDeliveries'> = async (context, request) => {
  const { db } = context;
  const { environment, params, query } = request;
  const webhook = await findWebhook(db, environment, params.webhook_id);
  const rows = DeliveryRow.query(db).where({
    environment_id: environment.id,
    webhook_id: webhook.webhook_id,
  });
  const { state } = query;
  if (state === 'held' || state === 'pending') {
    // Pending and held deliveries are the same rows; the webhook's state decides which of the two they are.
    if ((state === 'held') !== isHolding(webhook)) return { items: [], next_cursor: null };
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
  const sessions = await sessionView(context, request);
  const items = page.items.flatMap((row) => {
    const payload = payloadOf(row);
    return payload === undefined ? [] : [viewDelivery(row, webhook, payload, sessions)];
  });
  return { ...page, items };
};

interface NewDelivery {
  event_id: string;
  event: EventName;
  event_at: Date;
  kind: 'test' | 'redelivery';
  webhook_id: string;
  /** Reads what is sent in the transaction that stores the delivery: it may be erased while this waits. */
  read: (trx: Knex) => Promise<string>;
  /** The payload of a test, which has no event. */
  keepPayload: boolean;
}

/** Stores a delivery leased by this process, sends it at once, and returns the result. */
async function sendOnce(context: Context, request: OfMember & OfAudit, input: NewDelivery) {
  const { db, dispatcher } = context;
  const { audit, stay, environment } = request;
  const { read, keepPayload, webhook_id, ...fields } = input;
  const at = await databaseTime(db);
  const delivery_id = newId();
  const now = timeOfId(delivery_id);
  const lease = randomUUID();
  const row = {
    ...fields,
    environment_id: environment.id,
    delivery_id,
    webhook_id: webhook_id.toLowerCase(),
    state: 'pending' as const,
    attempts: 0,
    due_at: now,
    created_at: now,
    lease,
    lease_until: new Date(at.getTime() + LEASE),
  };
  const about = { resource: 'delivery' as const, resource_id: delivery_id };
  const { webhook, payload, delivery, receipt } = await db.transaction(async (trx) => {
    // Its address or secret may have changed since, or it is gone.
    const present = await lockWebhook(trx, environment, webhook_id);
    const text = await read(trx);
    const stored = await DeliveryRow.query(trx).insertAndFetch({
      ...row,
      payload: keepPayload ? text : null,
    });
    const written = await audit.write(trx, { about });
    await stay(trx);
    return { webhook: present, payload: text, delivery: stored, receipt: written };
  });
  await dispatcher.sendNow({ delivery, webhook, lease, payload, at });
  const sent = await DeliveryRow.query(db).findById([environment.id, delivery_id]);
  if (sent === undefined) throw notFound('This webhook');
  return receipt.with(viewDelivery(sent, webhook, payload, await sessionView(context, request)));
}

export const testWebhook: Handler<'testWebhook'> = async (context, request) => {
  const { environment, params, body } = request;
  const webhook = await inOwnTurn(context, request.caller, () =>
    findWebhook(context.db, environment, params.webhook_id),
  );
  const first = webhook.events[0] === '*' ? 'dsar.created' : (webhook.events[0] as EventName);
  const { event_id, event, occurred_at, payload } = exampleEvent(environment, body?.event ?? first);
  const { webhook_id } = params;
  const input = { event_id, event: event as EventName, event_at: new Date(occurred_at), webhook_id };
  const read = () => Promise.resolve(payload);
  return inTurn(request.caller, () =>
    sendOnce(context, request, { ...input, read, kind: 'test', keepPayload: true }),
  );
};

export const redeliver: Handler<'redeliver'> = async (context, request) => {
  const { environment, params, caller } = request;
  const { db } = context;
  const { webhook_id } = params;
  const look = async (on: Knex) => {
    const original = await DeliveryRow.query(on).findOne({
      environment_id: environment.id,
      delivery_id: params.delivery_id.toLowerCase(),
      webhook_id: webhook_id.toLowerCase(),
    });
    const payload = original && (await readPayloads(on, [original]))(original);
    if (original === undefined || payload === undefined) throw notFound('This delivery');
    return { original, payload };
  };
  const { original } = await inOwnTurn(context, caller, async () => {
    await findWebhook(db, environment, webhook_id);
    return look(db);
  });
  const { event_id, event, event_at } = original;
  const keepPayload = original.payload !== null;
  const read = async (trx: Knex) => (await look(trx)).payload;
  const input = { event_id, event, event_at, webhook_id, read, keepPayload };
  return inTurn(caller, () => sendOnce(context, request, { ...input, kind: 'redelivery' }));
};
