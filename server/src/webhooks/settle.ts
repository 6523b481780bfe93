import type { Knex } from 'knex';
import { databaseTime } from '../db/clock';
import { DeliveryRow, WebhookRow } from '../db/models';
import { type Attempt, deliveryAfter, webhookAfter } from '../domain/delivery-rules';
import type { Claimed } from './claim';

/** The result of sending a delivery, as its log keeps it. */
export interface Sent extends Attempt {
  status?: number | undefined;
  responseBody: string;
  durationMs: number;
}

/** A success is news to a webhook that was failing; to a healthy one it is noted only so often. */
const IS_NEWS = `(status <> 'active' OR consecutive_failures > 0 OR last_success_at IS NULL
  OR last_success_at < now() - interval '10 seconds')`;

/**
 * Writes what came of a delivery, and what it means for its webhook, in one transaction; only under the lease that it was sent under.
 * Returns false when the lease was lost: then another process has the delivery, and this result is not told.
 */
export async function settle(
  db: Knex,
  claimed: Claimed,
  sent: Sent,
  schedule: readonly number[],
): Promise<boolean> {
  if (sent.ok && (await settleQuietly(db, claimed, sent))) return true;
  return db.transaction(async (trx) => {
    // The webhook first, as when claiming: in this order nobody waits in a circle.
    const webhook = await concernedWebhook(trx, claimed, sent);
    const delivery = sent.ok ? claimed.delivery : await presentDelivery(trx, claimed);
    if (delivery === undefined) return false;
    const attempt = sent.ok && webhook === undefined ? sent : await onDatabaseClock(trx, claimed, sent);
    const after = deliveryAfter(delivery.attempts, delivery.kind, attempt, schedule, Math.random());
    const written = await underLease(trx, claimed).patch(result(after, sent));
    if (written === 0) return false;
    if (webhook !== undefined) await noteOnWebhook(trx, webhook, attempt, schedule);
    return true;
  });
}

/** The usual case in one statement: a success that is no news to the webhook. */
async function settleQuietly(db: Knex, claimed: Claimed, sent: Sent): Promise<boolean> {
  const { attempts } = claimed.delivery;
  const after = { state: 'delivered' as const, attempts: attempts + 1, dueAt: sent.endedAt };
  const { webhook_id } = claimed.webhook;
  const written = await underLease(db, claimed)
    .whereNotExists(WebhookRow.query().findById(webhook_id).whereRaw(IS_NEWS))
    .patch(result(after, sent));
  return written > 0;
}

const result = (after: ReturnType<typeof deliveryAfter>, sent: Sent) => ({
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

/** The webhook under its lock, unless the result changes nothing about it: tests and redeliveries never do. */
async function concernedWebhook(
  trx: Knex,
  { delivery, webhook }: Claimed,
  { ok }: Sent,
): Promise<WebhookRow | undefined> {
  if (delivery.kind !== 'event') return undefined;
  const query = WebhookRow.query(trx).findById(webhook.webhook_id).forNoKeyUpdate();
  // As it is now, not as it was when claimed: a success must end failures that were counted in the meantime.
  return ok ? query.whereRaw(IS_NEWS) : query;
}

const underLease = (trx: Knex, { delivery: { environment_id, delivery_id }, lease }: Claimed) =>
  DeliveryRow.query(trx).where({ environment_id, delivery_id, lease });

/** Read again, because a reactivation gives new attempts to deliveries in flight too. */
const presentDelivery = (trx: Knex, claimed: Claimed): Promise<DeliveryRow | undefined> =>
  underLease(trx, claimed).forUpdate().first().execute();

/** What later times are compared with must come from one clock, whatever this process's clock says. */
const onDatabaseClock = async <A extends Attempt>(trx: Knex, { at }: Claimed, attempt: A): Promise<A> => ({
  ...attempt,
  startedAt: at,
  endedAt: await databaseTime(trx),
});

async function noteOnWebhook(
  trx: Knex,
  { webhook_id, ...state }: WebhookRow,
  attempt: Attempt,
  schedule: readonly number[],
): Promise<void> {
  const after = webhookAfter(state, attempt, schedule, Math.random());
  const { status, consecutive_failures, last_counted_at, retry_at, disabled_reason } = after;
  const disabledNow = status === 'disabled' && state.status !== 'disabled';
  await WebhookRow.query(trx)
    .findById(webhook_id)
    .patch({
      ...{ status, consecutive_failures, last_counted_at, retry_at },
      ...(attempt.ok ? { last_success_at: attempt.endedAt } : { last_error: attempt.error ?? null }),
      ...(disabledNow ? { disabled_reason: disabled_reason ?? null, disabled_at: attempt.endedAt } : {}),
    });
}

/** Gives a delivery back that was claimed but not sent. */
export async function release(db: Knex, claimed: Claimed): Promise<void> {
  await underLease(db, claimed).patch({ lease: null, lease_until: null });
}
