import { AvowError } from './errors.js';
import type { Schemas } from './types.js';

/** One request as the service sends it. */
export interface SignedEvent {
  body: string;
  headers: Record<string, string>;
}

/** What a test may choose of a request. */
export interface SignOptions {
  /** The event's id, `webhook-id`; give it again to play a retry. Default: a new UUID. */
  id?: string | undefined;
  /** When it is sent, to whole seconds. Default: now. */
  timestamp?: Date | undefined;
  /** Signs as during a rotation: with this new secret too. */
  nextSecret?: string | undefined;
}

/**
 * Signs an event as the service does, for the tests of a receiver.
 * @throws {AvowError} when a secret is not one of a webhook
 */
export async function signTestEvent(
  payload: Schemas['EventPayload'],
  secret: string,
  { id = crypto.randomUUID(), timestamp = new Date(), nextSecret }: SignOptions = {},
): Promise<SignedEvent> {
  const secrets = nextSecret === undefined ? [secret] : [secret, nextSecret];
  const body = JSON.stringify(payload);
  const seconds = String(Math.floor(timestamp.getTime() / 1000));
  const own = await signAll(secrets, encode, body);
  const standard = await signAll(secrets, standardKey, `${id}.${seconds}.${body}`);
  const [current, next] = own.map((bytes) => `sha256=${hex(bytes)}`);
  const headers = {
    'Content-Type': 'application/json',
    'X-Service-Signature': String(current),
    ...(next !== undefined && { 'X-Service-Signature-Next': next }),
    'X-Service-Event': payload.event,
    'X-Service-Delivery': crypto.randomUUID(),
    'X-Service-Attempt': '1',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': standard.map((bytes) => `v1,${base64(bytes)}`).join(' '),
  };
  return { body, headers };
}

export type Bytes = Uint8Array<ArrayBuffer>;

/** The key of `X-Service-Signature`, which is over the body: the secret as shown. */
export const encode = (text: string): Bytes => new TextEncoder().encode(text);

/** The key of `webhook-signature`, which is over `id.timestamp.body`: the bytes behind `whsec_`. */
export const standardKey = (secret: string): Bytes => decode(secret.replace('whsec_', ''));

export const decode = (base64: string): Bytes => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));

/** @throws {AvowError} for a secret that cannot be one of a webhook: anybody could sign with an empty one */
export async function importKey(secret: string, bytes: (secret: string) => Bytes): Promise<CryptoKey> {
  try {
    if (!secret.replace('whsec_', '')) throw 0;
    const hmac = { name: 'HMAC', hash: 'SHA-256' };
    return await crypto.subtle.importKey('raw', bytes(secret), hmac, false, ['sign', 'verify']);
  } catch {
    throw new AvowError('give the secret of this webhook: whsec_…');
  }
}

function signAll(secrets: string[], key: typeof encode, content: string): Promise<Uint8Array[]> {
  const sign = async (secret: string) =>
    crypto.subtle.sign('HMAC', await importKey(secret, key), encode(content));
  return Promise.all(secrets.map(async (secret) => new Uint8Array(await sign(secret))));
}

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));
