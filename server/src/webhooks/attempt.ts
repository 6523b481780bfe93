import type { Knex } from 'knex';
import { writeForSure } from '../db/write-for-sure';
import { clock } from '../domain/clock';
import type { Logger } from '../observability/logger';
import { SealedByAnother, type Vault } from '../security/vault';
import { type ClaimedDelivery, LEASE } from './claim';
import { openHeaders } from './custom-headers';
import { sendWebhook, type Transport } from './send';
import { type Sent, settle } from './settle';
import { activeSecrets, signatureHeaders } from './signature';

/** How long a result is written again while the database is unreachable, in milliseconds. */
const WRITE_LIMIT = LEASE / 2;

export interface AttemptOptions {
  db: Knex;
  log: Logger;
  vault: Vault;
  transport: Transport;
  /** Seconds to wait after each failed attempt. */
  schedule: readonly number[];
  onDelivery?(result: DeliveryResult, seconds: number): void;
}

/** What became of an attempt; `unsendable`: this server could not even make the request. */
export type DeliveryResult = 'delivered' | 'failed' | 'fenced' | 'unsendable';

/** A delivery that this server could not send for a reason of its own; the message is for its owner. */
export class Unsendable extends Error {
  override name = 'Unsendable';

  constructor(override readonly cause: unknown) {
    const isKey = cause instanceof SealedByAnother;
    const reason = isKey
      ? "it cannot open the webhook's secret or headers: whoever runs it restores SECRETS_KEY, or you change the secret and the headers"
      : 'it failed to make the request: its log says why';
    super(`This server sent nothing, because ${reason}.`);
  }
}

/** Sends a claimed delivery, signed as of now. Throws `Unsendable`. */
export async function sendClaimed(options: AttemptOptions, claimed: ClaimedDelivery): Promise<Sent> {
  const startedAt = clock.date();
  const { url, method } = claimed.webhook;
  const body = Buffer.from(claimed.payload, 'utf8');
  const headers = headersFor(options.vault, claimed, body, startedAt);
  const outcome = await sendWebhook(options.transport, { url, method, headers, body });
  return { ...outcome, startedAt, endedAt: clock.date() };
}

/** What is stored of a delivery that was to be sent once and could not be. */
export function notSent({ message }: Unsendable): Sent {
  const at = clock.date();
  return {
    ok: false,
    gone: false,
    startedAt: at,
    endedAt: at,
    responseBody: '',
    durationMs: 0,
    error: message,
  };
}

function headersFor(vault: Vault, claimed: ClaimedDelivery, body: Buffer, now: Date): Record<string, string> {
  try {
    return openedHeaders(vault, claimed, body, now);
  } catch (error) {
    throw new Unsendable(error);
  }
}

function openedHeaders(
  vault: Vault,
  { delivery, webhook }: ClaimedDelivery,
  body: Buffer,
  now: Date,
): Record<string, string> {
  const signature = signatureHeaders({
    eventId: delivery.event_id,
    event: delivery.event,
    deliveryId: delivery.delivery_id,
    attempt: delivery.attempts + 1,
    // A redelivery of a test is one too: only they hold a payload of their own.
    test: delivery.payload !== null,
    timestampSeconds: Math.floor(now.getTime() / 1000),
    body,
    secrets: activeSecrets(vault, webhook, now),
  });
  return { ...Object.fromEntries(openHeaders(vault, webhook)), ...signature };
}

/** Stores, counts and logs the result. */
export async function record(options: AttemptOptions, claimed: ClaimedDelivery, sent: Sent): Promise<void> {
  const { db, schedule, transport, log, onDelivery } = options;
  const mine = await writeForSure(
    () => settle(db, claimed, sent, schedule),
    WRITE_LIMIT,
    () => transport.closed.aborted,
  );
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
