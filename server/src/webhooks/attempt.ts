import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { clock } from '../domain/clock';
import type { Logger } from '../observability/logger';
import type { Vault } from '../security/vault';
import { type ClaimedDelivery, LEASE } from './claim';
import { openHeaders } from './custom-headers';
import { sendWebhook, type Transport } from './send';
import { type Sent, settle } from './settle';
import { activeSecrets, signatureHeaders } from './signature';

/**
 * How long and how often to retry writing a result while the database is unreachable, in milliseconds; no
 * longer than the lease.
 */
const WRITE_LIMIT = LEASE / 2;
const WRITE_AGAIN = 500;

export interface AttemptOptions {
  db: Knex;
  log: Logger;
  vault: Vault;
  transport: Transport;
  /** Seconds to wait after each failed attempt. */
  schedule: readonly number[];
  onDelivery?(result: 'delivered' | 'failed' | 'fenced', seconds: number): void;
}

/** Sends a claimed delivery, signed as of now. */
export async function sendClaimed(
  { vault, transport }: AttemptOptions,
  { delivery, webhook, payload }: ClaimedDelivery,
): Promise<Sent> {
  const startedAt = clock.date();
  const body = Buffer.from(payload, 'utf8');
  const signature = signatureHeaders({
    eventId: delivery.event_id,
    event: delivery.event,
    deliveryId: delivery.delivery_id,
    attempt: delivery.attempts + 1,
    // A redelivery of a test is one too: only they hold a payload of their own.
    test: delivery.payload !== null,
    timestampSeconds: Math.floor(startedAt.getTime() / 1000),
    body,
    secrets: activeSecrets(vault, webhook, startedAt),
  });
  const { url, method } = webhook;
  const headers = { ...Object.fromEntries(openHeaders(vault, webhook)), ...signature };
  const outcome = await sendWebhook(transport, { url, method, headers, body });
  return { ...outcome, startedAt, endedAt: clock.date() };
}

/** Stores, counts and logs the result. */
export async function record(options: AttemptOptions, claimed: ClaimedDelivery, sent: Sent): Promise<void> {
  const mine = await settleForSure(options, claimed, sent);
  const { log, onDelivery } = options;
  onDelivery?.(mine ? (sent.ok ? 'delivered' : 'failed') : 'fenced', sent.durationMs / 1000);
  const { delivery, webhook } = claimed;
  const line = {
    webhook_id: webhook.webhook_id,
    delivery_id: delivery.delivery_id,
    event: delivery.event,
    attempt: delivery.attempts + 1,
    status: sent.status,
    ms: sent.durationMs,
  };
  if (sent.ok && mine) log.debug(line, 'delivery');
  // Not as `error`, which is for what was thrown.
  else log.info({ ...line, reason: sent.error, fenced: !mine }, 'delivery');
}

/** A short database outage must not cause everything to be sent twice. */
async function settleForSure(
  { db, schedule, transport }: AttemptOptions,
  claimed: ClaimedDelivery,
  sent: Sent,
): Promise<boolean> {
  for (const end = performance.now() + WRITE_LIMIT; ; await delay(WRITE_AGAIN)) {
    try {
      return await settle(db, claimed, sent, schedule);
    } catch (error) {
      if (performance.now() > end || transport.closed.aborted) throw error;
    }
  }
}
