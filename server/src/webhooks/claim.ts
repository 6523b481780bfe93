import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { DeliveryRow, EventRow, WebhookRow } from '../db/models';

/** How long a process may work on a delivery before another one may take it over, in milliseconds. */
export const LEASE = 30_000;
/** Deliveries of one healthy webhook in flight, over all processes. */
const MAX_IN_FLIGHT = 8;

/** A delivery that this process alone may send, until its lease ends. */
export interface Claimed {
  delivery: DeliveryRow;
  webhook: WebhookRow;
  lease: string;
  payload: string;
}

const leased = (now: Date) => (query: { where: (sql: string, op: string, value: Date) => unknown }) =>
  query.where('lease_until', '>', now);

/**
 * Claims what is due for a webhook in a short transaction: the webhook's row is locked first, so that no two processes claim for the
 * same webhook, then its deliveries are leased. Nothing stays locked while they are sent.
 */
export async function claim(db: Knex, webhookId: string, most: number): Promise<Claimed[]> {
  return db.transaction(async (trx) => {
    const webhook = await WebhookRow.query(trx).findById(webhookId).forNoKeyUpdate().skipLocked();
    if (webhook === undefined || webhook.status === 'disabled') return [];
    const now = new Date();
    const free = await freePlaces(trx, webhook, now, most);
    if (free === 0) return [];
    const due = await dueDeliveries(trx, webhook, now, free);
    if (due.length === 0) return [];
    const lease = randomUUID();
    await DeliveryRow.query(trx)
      .where({ environment_id: webhook.environment_id })
      .whereIn(
        'delivery_id',
        due.map(({ delivery_id }) => delivery_id),
      )
      .patch({ lease, lease_until: new Date(now.getTime() + LEASE) });
    const payloads = await readPayloads(trx, due);
    return due.flatMap((delivery) => {
      const payload = delivery.payload ?? payloads.get(delivery.event_id);
      return payload === undefined ? [] : [{ delivery, webhook, lease, payload }];
    });
  });
}

const waiting = (trx: Knex, { environment_id, webhook_id }: WebhookRow) =>
  DeliveryRow.query(trx).where({ environment_id, webhook_id, state: 'pending' });

/** How many more may be sent: one at a time while failing, and while what waited for a reactivation goes out in order. */
async function freePlaces(trx: Knex, webhook: WebhookRow, now: Date, most: number): Promise<number> {
  const inFlight = await waiting(trx, webhook).where(leased(now)).resultSize();
  if (webhook.status === 'failing') {
    if (webhook.retry_at !== null && webhook.retry_at > now) return 0;
    return inFlight === 0 ? 1 : 0;
  }
  if (await hasBacklog(trx, webhook)) return inFlight === 0 ? 1 : 0;
  return Math.max(0, Math.min(MAX_IN_FLIGHT - inFlight, most));
}

async function hasBacklog(trx: Knex, webhook: WebhookRow): Promise<boolean> {
  if (webhook.reactivated_at === null) return false;
  const old = await waiting(trx, webhook)
    .where('created_at', '<', webhook.reactivated_at)
    .select('delivery_id')
    .first();
  if (old !== undefined) return true;
  // Looked for once only: from now on the webhook is like any other.
  await webhook.$query(trx).patch({ reactivated_at: null });
  return false;
}

/** The fewest attempts first, then the oldest: one poisonous event cannot keep the others back. */
function dueDeliveries(trx: Knex, webhook: WebhookRow, now: Date, limit: number): Promise<DeliveryRow[]> {
  const query = waiting(trx, webhook)
    .where((free) => free.whereNull('lease_until').orWhere('lease_until', '<=', now))
    .orderBy(['attempts', 'created_at', 'delivery_id'])
    .limit(limit)
    .forUpdate()
    .skipLocked();
  // While failing, the webhook's own retry_at is the clock.
  if (webhook.status === 'active') query.where('due_at', '<=', now);
  return query.execute();
}

async function readPayloads(trx: Knex, due: DeliveryRow[]): Promise<Map<string, string>> {
  const [first] = due;
  if (first === undefined) return new Map();
  const events = await EventRow.query(trx)
    .where({ environment_id: first.environment_id })
    .whereIn(
      'event_id',
      due.map(({ event_id }) => event_id),
    )
    .whereIn(
      'occurred_at',
      due.map(({ event_at }) => event_at),
    )
    .select('event_id', 'payload');
  return new Map(events.map(({ event_id, payload }) => [event_id, payload]));
}

/** The webhooks that may have something to send now; each is found by one look into an index. */
export async function webhooksWithWork(db: Knex): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { webhook_id: string }[] }>(
    `SELECT w.webhook_id FROM webhooks w
     WHERE w.status <> 'disabled' AND (w.retry_at IS NULL OR w.retry_at <= now()) AND EXISTS (
       SELECT 1 FROM deliveries d
       WHERE d.environment_id = w.environment_id AND d.webhook_id = w.webhook_id AND d.state = 'pending'
         AND (d.due_at <= now() OR w.status = 'failing') AND (d.lease_until IS NULL OR d.lease_until <= now()))
     ORDER BY w.webhook_id`,
  );
  return rows.map(({ webhook_id }) => webhook_id);
}
