import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookRow } from '../db/models';
import type { Vault } from '../security/vault';

/** `next` is set while a rotation overlaps. */
export interface Secrets {
  current: string;
  next?: string;
}

export interface SignedAttempt {
  eventId: string;
  event: string;
  deliveryId: string;
  /** From 1. */
  attempt: number;
  /** A test delivery that was requested, not a real event. */
  test: boolean;
  /** Unix time of this attempt, in seconds. */
  timestampSeconds: number;
  /** The body exactly as sent. */
  body: Buffer;
  secrets: Secrets;
}

const PREFIX = 'whsec_';

/** A secret in the form of Standard Webhooks: `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/**
 * The headers that prove the origin of an event, in two formats: X-Service-Signature over the body, keyed
 * with the secret as shown; and Standard Webhooks 1.0 over `id.timestamp.body`, keyed with the bytes after
 * `whsec_` (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
 */
export function signatureHeaders(signed: SignedAttempt): Record<string, string> {
  const { current, next } = signed.secrets;
  const secrets = next === undefined ? [current] : [current, next];
  return {
    'X-Service-Signature': bodySignature(current, signed.body),
    ...(next === undefined ? {} : { 'X-Service-Signature-Next': bodySignature(next, signed.body) }),
    'webhook-id': signed.eventId,
    'webhook-timestamp': String(signed.timestampSeconds),
    'webhook-signature': secrets.map((secret) => standardSignature(secret, signed)).join(' '),
    'X-Service-Event': signed.event,
    'X-Service-Delivery': signed.deliveryId,
    'X-Service-Attempt': String(signed.attempt),
    ...(signed.test ? { 'X-Service-Test': 'true' } : {}),
  };
}

function bodySignature(secret: string, body: Buffer): string {
  return `sha256=${createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('hex')}`;
}

function standardSignature(secret: string, { eventId, timestampSeconds, body }: SignedAttempt): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${eventId}.${timestampSeconds}.`).update(body).digest('base64')}`;
}

type SealedSecrets = Pick<WebhookRow, 'secret' | 'next_secret' | 'next_secret_from'>;

/** The secrets that sign at a given time: the current one, and the next one while a rotation overlaps. */
export function activeSecrets(vault: Vault, row: SealedSecrets, now: Date): Secrets {
  const { secret, next_secret, next_secret_from } = row;
  if (next_secret === null) return { current: vault.open(secret) };
  if (next_secret_from !== null && next_secret_from <= now) return { current: vault.open(next_secret) };
  return { current: vault.open(secret), next: vault.open(next_secret) };
}
