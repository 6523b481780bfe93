import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { DeliveryRow, WebhookRow } from '../db/models';
import { readPayloads } from './stored-payload';

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
  /** When it was claimed, by the database's clock. */
  at: Date;
}

/** What a process has room for. */
export interface Room {
  /** Deliveries, at most. */
  most: number;
  /** Whether one of a failing webhook may be among them. */
  failing: boolean;
}

/** A webhook under its lock, and the database's time then: leases and due times are compared by that clock alone. */
type Locked = WebhookRow & { now: Date };

/**
 * Claims what is due for a webhook in a short transaction: the webhook's row is locked first, so that no two processes claim for the
 * same webhook, then its deliveries are leased. Nothing stays locked while they are sent.
 */
export async function claim(db: Knex, webhookId: string, room: Room): Promise<Claimed[]> {
  return db.transaction(async (trx) => {
    const webhook = await lockWebhook(trx, webhookId);
    if (webhook === undefined || webhook.status === 'disabled') return [];
    const free = await freePlaces(trx, webhook, room);
    if (free === 0) return [];
    const due = await dueDeliveries(trx, webhook, free);
    const payloadOf = await readPayloads(trx, due);
    const sendable = due.filter((delivery) => payloadOf(delivery) !== undefined);
    await removeUnsendable(trx, due, sendable);
    const lease = randomUUID();
    await takeLease(trx, sendable, lease, new Date(webhook.now.getTime() + LEASE));
    return sendable.map((delivery) => {
      const payload = payloadOf(delivery) as string;
      return { delivery, webhook, lease, payload, at: webhook.now };
    });
  });
}

/** Undefined also while another process is at work on the webhook: that one sees what there is to do. */
async function lockWebhook(trx: Knex, webhookId: string): Promise<Locked | undefined> {
  const row = await WebhookRow.query(trx)
    .findById(webhookId)
    .select('webhooks.*', trx.raw('clock_timestamp() AS now'))
    .forNoKeyUpdate()
    .skipLocked();
  return row as Locked | undefined;
}

const waiting = (trx: Knex, { environment_id, webhook_id }: WebhookRow) =>
  DeliveryRow.query(trx).where({ environment_id, webhook_id, state: 'pending' });

/** How many more may be sent: one at a time while failing, and while what waited for a reactivation goes out in order. */
async function freePlaces(trx: Knex, webhook: Locked, { most, failing }: Room): Promise<number> {
  const { status, retry_at, now } = webhook;
  if (status === 'failing' && (!failing || (retry_at !== null && retry_at > now))) return 0;
  const inFlight = await waiting(trx, webhook).where('lease_until', '>', now).resultSize();
  const oneByOne = status === 'failing' || (await hasBacklog(trx, webhook));
  return Math.max(0, Math.min((oneByOne ? 1 : MAX_IN_FLIGHT) - inFlight, most));
}

/** Whether the oldest delivery that was not tried since the reactivation had waited for it. */
async function hasBacklog(trx: Knex, webhook: WebhookRow): Promise<boolean> {
  const { reactivated_at, webhook_id } = webhook;
  if (reactivated_at === null) return false;
  const oldest = await waiting(trx, webhook)
    .where({ attempts: 0 })
    .orderBy(['created_at', 'delivery_id'])
    .select('due_at')
    .first();
  if (oldest !== undefined && oldest.due_at <= reactivated_at) return true;
  // Looked for once only: from now on the webhook is like any other.
  await WebhookRow.query(trx).findById(webhook_id).patch({ reactivated_at: null });
  return false;
}

/** The fewest attempts first, then the oldest: one poisonous event cannot keep the others back. */
async function dueDeliveries(trx: Knex, webhook: Locked, limit: number): Promise<DeliveryRow[]> {
  const { status, now } = webhook;
  const query = waiting(trx, webhook)
    .where((free) => free.whereNull('lease_until').orWhere('lease_until', '<=', now))
    .orderBy(['attempts', 'created_at', 'delivery_id'])
    .limit(limit)
    .forUpdate()
    .skipLocked();
  // A first attempt is due at once. While failing, the webhook's own retry_at is the clock.
  if (status === 'active') query.where((due) => due.where('attempts', 0).orWhere('due_at', '<=', now));
  return query;
}

const rows = (trx: Knex, { environment_id }: DeliveryRow, deliveries: readonly DeliveryRow[]) =>
  DeliveryRow.query(trx)
    .where({ environment_id })
    .whereIn(
      'delivery_id',
      deliveries.map(({ delivery_id }) => delivery_id),
    );

async function takeLease(trx: Knex, deliveries: DeliveryRow[], lease: string, until: Date): Promise<void> {
  const [first] = deliveries;
  if (first !== undefined) await rows(trx, first, deliveries).patch({ lease, lease_until: until });
}

/** Where the event was erased or has outlived its retention nothing is left to send, and it must not block the others. */
async function removeUnsendable(trx: Knex, due: DeliveryRow[], sendable: DeliveryRow[]): Promise<void> {
  const gone = due.filter((delivery) => !sendable.includes(delivery));
  const [first] = gone;
  if (first !== undefined) await rows(trx, first, gone).delete();
}
