import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Logger } from '../logger';
import type { Vault } from '../vault';
import { type Claimed, LEASE } from './claim';
import { activeSecrets } from './secrets';
import { sendWebhook, type Transport } from './send';
import { type Sent, settle } from './settle';
import { signatureHeaders } from './signature';

/** How long, and how often, a result is tried to be written while the database is away, in milliseconds: no longer than the lease. */
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
export async function send(
  { vault, transport }: AttemptOptions,
  { delivery, webhook, payload }: Claimed,
): Promise<Sent> {
  const startedAt = new Date();
  const body = Buffer.from(payload, 'utf8');
  const headers = signatureHeaders({
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
  const outcome = await sendWebhook(transport, { url, method, headers, body });
  return { ...outcome, startedAt, endedAt: new Date() };
}

/** Writes, counts and logs what came of it. */
export async function record(options: AttemptOptions, claimed: Claimed, sent: Sent): Promise<void> {
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

/** A database that is away for a moment must not make a receiver get everything twice. */
async function settleForSure(
  { db, schedule, transport }: AttemptOptions,
  claimed: Claimed,
  sent: Sent,
): Promise<boolean> {
  for (const end = Date.now() + WRITE_LIMIT; ; await delay(WRITE_AGAIN)) {
    try {
      return await settle(db, claimed, sent, schedule);
    } catch (error) {
      if (Date.now() > end || transport.closed.aborted) throw error;
    }
  }
}
