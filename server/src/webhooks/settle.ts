import type { Knex } from 'knex';
import { type QueryBuilder, raw } from 'objection';
import { databaseTime } from '../db/clock';
import { DeliveryRow, WebhookRow } from '../db/models';
import { clock } from '../domain/clock';
import {
  type Attempt,
  deliveryAfter,
  deliveryAfterMove,
  type WebhookChange,
  webhookAfter,
} from '../domain/delivery-rules';
import type { ClaimedDelivery } from './claim';

/** The result of sending a delivery, as its log keeps it. */
export interface Sent extends Attempt {
  status?: number | undefined;
  responseBody: string;
  durationMs: number;
}

/** A success resets a failing webhook at once; a healthy one records it only this often, in milliseconds. */
const CHANGES_WEBHOOK = `(status <> 'active' OR consecutive_failures > 0 OR last_success_at IS NULL
  OR last_success_at < ? OR unsendable_since IS NOT NULL)`;
const SUCCESS_KEPT = 10_000;
/** How long what this server itself could not send waits, in milliseconds. */
const POSTPONED = 60_000;

/**
 * Writes the result of a delivery and the new state of its webhook in one transaction, only under the lease
 * that it was sent with. Returns false when the lease was lost: another process has the delivery, and this
 * result is dropped.
 */
export async function settle(
  db: Knex,
  claimed: ClaimedDelivery,
  sent: Sent,
  schedule: readonly number[],
): Promise<boolean> {
  if (sent.ok && (await settleQuietly(db, claimed, sent))) return true;
  return db.transaction(async (trx) => {
    // Lock the webhook first, as claiming does, to avoid deadlocks.
    const webhook = await concernedWebhook(trx, claimed, sent);
    const delivery = sent.ok ? claimed.delivery : await currentDelivery(trx, claimed);
    if (delivery === undefined) return false;
    const attempt = sent.ok && webhook === undefined ? sent : await onDatabaseClock(trx, claimed, sent);
    // What another URL answered says nothing of the present one.
    const isMoved = webhook !== undefined && webhook.url !== claimed.webhook.url;
    const next =
      webhook === undefined || isMoved ? undefined : webhookAfter(webhook, attempt, schedule, Math.random());
    const held = (next ?? webhook)?.status === 'disabled' || (webhook?.paused_at ?? null) !== null;
    const { attempts, kind } = delivery;
    const after =
      isMoved && !sent.ok
        ? deliveryAfterMove(delivery, attempt, schedule, Math.random())
        : deliveryAfter(attempts, kind, attempt, schedule, Math.random(), held);
    const written = await underLease(trx, claimed).patch(result(after, sent));
    if (written === 0) return false;
    if (webhook !== undefined && next !== undefined) await noteOnWebhook(trx, webhook, next, attempt);
    return true;
  });
}

/** The usual case in one statement: a success that does not change the webhook. */
async function settleQuietly(db: Knex, claimed: ClaimedDelivery, sent: Sent): Promise<boolean> {
  const { attempts } = claimed.delivery;
  const after = { state: 'delivered' as const, attempts: attempts + 1, dueAt: sent.endedAt };
  const written = await underLease(db, claimed)
    .whereNotExists(changing(WebhookRow.query().findById(keyOf(claimed))))
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

/** Locks the webhook, unless the result cannot change it: tests and redeliveries never do. */
async function concernedWebhook(
  trx: Knex,
  claimed: ClaimedDelivery,
  { ok }: Sent,
): Promise<WebhookRow | undefined> {
  if (claimed.delivery.kind !== 'event') return undefined;
  const query = WebhookRow.query(trx).findById(keyOf(claimed)).forNoKeyUpdate();
  // The current state, not that at the claim: a success must also reset failures that were counted meanwhile.
  return ok ? changing(query) : query;
}

const keyOf = ({ webhook }: ClaimedDelivery): [string, string] => [
  webhook.environment_id,
  webhook.webhook_id,
];

/** Only while a success changes it. */
const changing = <Query extends QueryBuilder<WebhookRow, WebhookRow | undefined>>(query: Query): Query =>
  query.whereRaw(CHANGES_WEBHOOK, [new Date(clock.now() - SUCCESS_KEPT)]) as Query;

const underLease = (trx: Knex, { delivery: { environment_id, delivery_id }, lease }: ClaimedDelivery) =>
  DeliveryRow.query(trx).where({ environment_id, delivery_id, lease });

/** Read again, because a reactivation gives new attempts to deliveries in flight too. */
const currentDelivery = (trx: Knex, claimed: ClaimedDelivery): Promise<DeliveryRow | undefined> =>
  underLease(trx, claimed).forUpdate().first().execute();

/** Times that are compared later must come from one clock, never from this process's. */
const onDatabaseClock = async <A extends Attempt>(
  trx: Knex,
  { at }: ClaimedDelivery,
  attempt: A,
): Promise<A> => ({
  ...attempt,
  startedAt: at,
  endedAt: await databaseTime(trx),
});

async function noteOnWebhook(
  trx: Knex,
  { environment_id, webhook_id, status: before }: WebhookRow,
  { status, consecutive_failures, last_counted_at, retry_at, disabled_reason }: WebhookChange,
  attempt: Attempt,
): Promise<void> {
  const disabledNow = status === 'disabled' && before !== 'disabled';
  await WebhookRow.query(trx)
    .findById([environment_id, webhook_id])
    .patch({
      ...{ status, consecutive_failures, last_counted_at, retry_at },
      unsendable_since: null,
      ...(attempt.ok ? { last_success_at: attempt.endedAt } : { last_error: attempt.error ?? null }),
      ...(disabledNow ? { disabled_reason: disabled_reason ?? null, disabled_at: attempt.endedAt } : {}),
    });
}

/**
 * Puts off a delivery that this server itself cannot send, and says so. It is no attempt, and nothing against
 * the receiver. Without a token its lease keeps it from being claimed, whatever its attempts.
 */
export async function postpone(db: Knex, claimed: ClaimedDelivery, reason: string): Promise<void> {
  const error = `${reason} It tries again every minute.`;
  await db.transaction(async (trx) => {
    const now = await databaseTime(trx);
    const until = new Date(now.getTime() + POSTPONED);
    const unsendable_since = raw('coalesce(unsendable_since, ?)', [now]);
    await WebhookRow.query(trx).findById(keyOf(claimed)).patch({ last_error: error, unsendable_since });
    await underLease(trx, claimed).patch({ lease: null, lease_until: until, due_at: until, error });
  });
}

/** Releases a delivery that was claimed but not sent. */
export async function release(db: Knex, claimed: ClaimedDelivery): Promise<void> {
  await underLease(db, claimed).patch({ lease: null, lease_until: null });
}
