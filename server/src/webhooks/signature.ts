import { createHmac, randomBytes } from 'node:crypto';

/** `next` is there while a rotation overlaps. */
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
  /** It is an example that somebody asked for, not something that happened. */
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
 * The headers that prove where an event comes from, in two dialects: X-Service-Signature over the body, keyed with the secret
 * as shown; and Standard Webhooks 1.0 over `id.timestamp.body`, keyed with the bytes behind `whsec_`
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
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
