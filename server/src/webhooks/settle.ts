import type { Knex } from 'knex';
import { DeliveryRow, WebhookRow } from '../db/models';
import { type Attempt, deliveryAfter, webhookAfter } from '../domain/delivery-rules';
import type { Claimed } from './claim';

/** The result of sending a delivery, as its log keeps it. */
export interface Sent extends Attempt {
  status?: number | undefined;
  responseBody: string;
  durationMs: number;
}

/** A webhook that answers all the time is told of it in the database only so often, in milliseconds. */
const SUCCESS_NOTE = 10_000;

/**
 * Writes what came of a delivery, and what it means for its webhook, in one transaction; only under the lease that it was sent under.
 * Returns false when the lease was lost: then another process has the delivery, and this result is not told.
 */
export async function settle(
  db: Knex,
  { delivery, webhook, lease }: Claimed,
  sent: Sent,
  schedule: readonly number[],
): Promise<boolean> {
  const after = deliveryAfter(delivery.attempts, delivery.kind, sent, schedule, Math.random());
  return db.transaction(async (trx) => {
    // The webhook first, as when claiming: in this order nobody waits in a circle.
    const counts = delivery.kind === 'event';
    const changes = counts && (!sent.ok || needsNote(webhook, sent));
    const row = changes
      ? await WebhookRow.query(trx).findById(webhook.webhook_id).forNoKeyUpdate()
      : undefined;
    const written = await DeliveryRow.query(trx)
      .where({ environment_id: delivery.environment_id, delivery_id: delivery.delivery_id, lease })
      .patch({
        state: after.state,
        attempts: after.attempts,
        due_at: after.dueAt,
        lease: null,
        lease_until: null,
        last_attempt_at: sent.startedAt,
        delivered_at: after.state === 'delivered' ? sent.endedAt : null,
        duration_ms: sent.durationMs,
        response_status: sent.status ?? null,
        response_body: sent.responseBody,
        error: sent.error ?? null,
      });
    if (written === 0) return false;
    if (row !== undefined) await noteOnWebhook(trx, row, sent, schedule);
    return true;
  });
}

const needsNote = (
  { status, consecutive_failures, last_success_at }: WebhookRow,
  { endedAt }: Sent,
): boolean =>
  status !== 'active' ||
  consecutive_failures > 0 ||
  last_success_at === null ||
  endedAt.getTime() - last_success_at.getTime() > SUCCESS_NOTE;

async function noteOnWebhook(
  trx: Knex,
  row: WebhookRow,
  sent: Sent,
  schedule: readonly number[],
): Promise<void> {
  const { disabled_reason, ...state } = webhookAfter(row, sent, schedule, Math.random());
  await row.$query(trx).patch({
    ...pick(state),
    ...(sent.ok ? { last_success_at: sent.endedAt } : { last_error: sent.error ?? null }),
    ...(disabled_reason === undefined ? {} : { disabled_reason, disabled_at: sent.endedAt }),
  });
}

/** A disabled webhook's state is the whole row: only what the rules speak of is written. */
const pick = ({
  status,
  consecutive_failures,
  last_counted_at,
  retry_at,
}: ReturnType<typeof webhookAfter>) => ({
  status,
  consecutive_failures,
  last_counted_at,
  retry_at,
});

/** Gives a delivery back that was claimed but not sent. */
export async function release(db: Knex, { delivery, lease }: Claimed): Promise<void> {
  await DeliveryRow.query(db)
    .where({ environment_id: delivery.environment_id, delivery_id: delivery.delivery_id, lease })
    .patch({ lease: null, lease_until: null });
}
