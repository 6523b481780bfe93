import { BODY, encode, importKey, mac, type Scheme, STANDARD } from './signature.js';
import type { Schemas } from './types.js';

/** A request as the service sends it. */
export interface SignedEvent {
  body: string;
  headers: Record<string, string>;
}

/** What a test may set in a request. */
export interface SignOptions {
  /** The event's id, `webhook-id`; use the same one again to simulate a retry. Default: a new UUID. */
  id?: string | undefined;
  /** When it is sent, rounded down to a second. Default: now. */
  timestamp?: Date | number | undefined;
  /** Signs with this new secret too, as the service does while a secret is being rotated. */
  nextSecret?: string | undefined;
  /** Marks it as a test delivery, as `testWebhook` does: see `isTestDelivery`. */
  test?: boolean | undefined;
}

/**
 * Signs an event as the service does, for the tests of a receiver.
 * @throws {AvowError} when a secret is not a webhook's secret
 */
export async function signTestEvent(
  payload: Schemas['EventPayload'],
  secret: string,
  { id = crypto.randomUUID(), timestamp = Date.now(), nextSecret, test = false }: SignOptions = {},
): Promise<SignedEvent> {
  const body = JSON.stringify(payload);
  const seconds = String(Math.floor(Number(timestamp) / 1000));
  const sign = async (scheme: Scheme, one: string, content: string) =>
    scheme.write(await mac(await importKey(one, scheme), encode(content)));
  const standard = (one: string) => sign(STANDARD, one, `${id}.${seconds}.${body}`);
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'X-Service-Signature': await sign(BODY, secret, body),
    'X-Service-Event': payload.event,
    'X-Service-Delivery': crypto.randomUUID(),
    'X-Service-Attempt': '1',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': await standard(secret),
  };
  if (test) headers['X-Service-Test'] = 'true';
  if (nextSecret !== undefined) {
    headers['X-Service-Signature-Next'] = await sign(BODY, nextSecret, body);
    headers['webhook-signature'] += ` ${await standard(nextSecret)}`;
  }
  return { body, headers };
}
