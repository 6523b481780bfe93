import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import type { WebhookKey } from '../db/models';
import { DeliveryRow, WebhookRow } from '../db/models';
import { type Leased, leaseDeliveries } from './lease-deliveries';
import { completeUntil, firstSpan } from './missed-spans';

/** How long a process may work on a delivery before another one may take it over, in milliseconds. */
export const LEASE = 30_000;
/** Deliveries of one healthy webhook in flight, over all processes. */
const MAX_IN_FLIGHT = 8;

/** A delivery that this process alone may send, until its lease ends. */
export interface ClaimedDelivery {
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

/** A locked webhook and the database's time, the only clock by which leases and due times are compared. */
type Locked = WebhookRow & { now: Date };

/**
 * Claims what is due for a webhook in a short transaction: the webhook's row is locked first, so that no two
 * processes claim for the same webhook, then its deliveries are leased. Nothing stays locked while they are
 * sent.
 */
export async function claim(db: Knex, key: WebhookKey, { most, failing }: Room): Promise<ClaimedDelivery[]> {
  return db.transaction(async (trx) => {
    const webhook = await lockWebhook(trx, key);
    if (webhook === undefined || !mayBeTried(webhook, failing)) return [];
    const lease = randomUUID();
    const at = webhook.now;
    const until = new Date(at.getTime() + LEASE);
    // Only one that was reactivated or resumed can have missed something.
    const span = webhook.reactivated_at === null ? undefined : await firstSpan(trx, webhook);
    const isFailing = webhook.status === 'failing';
    const inOrder = !isFailing && (span !== undefined || (await mustGoInOrder(trx, webhook)));
    const inFlight = isFailing || inOrder ? 1 : MAX_IN_FLIGHT;
    const leased = await leaseDeliveries(
      trx,
      webhook,
      { token: lease, now: at, until },
      { inOrder, inFlight, most, before: span === undefined ? null : completeUntil(span) },
    );
    await removeUnsendable(trx, webhook, leased);
    return leased.flatMap(({ delivery, payload }) =>
      payload === null ? [] : [{ delivery, webhook, lease, payload, at }],
    );
  });
}

/** Also undefined while another process claims for the webhook. */
async function lockWebhook(
  trx: Knex,
  { environment_id, webhook_id }: WebhookKey,
): Promise<Locked | undefined> {
  const row = await WebhookRow.query(trx)
    .findById([environment_id, webhook_id])
    .select('webhooks.*', trx.raw('clock_timestamp() AS now'))
    .forNoKeyUpdate()
    .skipLocked();
  return row as Locked | undefined;
}

const mayBeTried = ({ status, paused_at, retry_at, now }: Locked, failing: boolean): boolean =>
  paused_at === null &&
  (status === 'active' || (status === 'failing' && failing && (retry_at === null || retry_at <= now)));

/** One at a time, oldest first, while held deliveries that were never tried go out after a reactivation. */
async function mustGoInOrder(
  trx: Knex,
  { reactivated_at, environment_id, webhook_id }: WebhookRow,
): Promise<boolean> {
  if (reactivated_at === null) return false;
  const oldest = await DeliveryRow.query(trx)
    .where({ environment_id, webhook_id, state: 'pending', attempts: 0 })
    .orderBy(['created_at', 'delivery_id'])
    .select('due_at')
    .first();
  if (oldest !== undefined && oldest.due_at <= reactivated_at) return true;
  // Looked for once only: from now on the webhook is like any other.
  await WebhookRow.query(trx).findById([environment_id, webhook_id]).patch({ reactivated_at: null });
  return false;
}

/** If the event was erased or has expired there is nothing to send, and it must not block the others. */
async function removeUnsendable(trx: Knex, { environment_id }: WebhookRow, leased: Leased[]): Promise<void> {
  const gone = leased.filter(({ payload }) => payload === null);
  if (gone.length === 0) return;
  const ids = gone.map(({ delivery }) => delivery.delivery_id);
  await DeliveryRow.query(trx).delete().where({ environment_id }).whereIn('delivery_id', ids);
}
