import { WebhookVerificationError } from './errors.js';
import { BODY, encode, importKey, mac, type Scheme, STANDARD } from './signature.js';
import type { Schemas } from './types.js';

export { AvowError, WebhookVerificationError } from './errors.js';
export { type SignedEvent, type SignOptions, signTestEvent } from './signing.js';

/** What a webhook receives, told apart by `event`; `WebhookEvent<'dsar.created'>` is one of them. */
export type WebhookEvent<Name extends Schemas['EventName'] = Schemas['EventName']> = Extract<
  Schemas['EventPayload'],
  { event: Name }
>;

/** Headers as a fetch handler or as Node has them; names in any case. */
export type WebhookHeaders = Pick<Headers, 'get'> | Record<string, string | string[] | undefined>;

export interface VerifyOptions {
  /** How many seconds `webhook-timestamp` may be away from now. Default 300; Infinity for no limit. */
  toleranceSeconds?: number | undefined;
  /** Stands in for the present time, in tests. */
  now?: Date | number | undefined;
}

type Secrets = string | readonly string[];

/**
 * The event, once its signatures are verified: `X-Service-Signature`, which says nothing of the time, and that
 * of Standard Webhooks, whose three headers must be there.
 * @param rawBody the body as received; parsed and written again, it is another one
 * @param secret the webhook's secret as shown, `whsec_…`; several while it changes
 * @throws {WebhookVerificationError} when the request must be refused
 * @throws {AvowError} when a secret is not one of a webhook
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: Secrets,
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  // A copy: some servers reuse the memory while this waits.
  const body = new Blob([rawBody as BlobPart]);
  const own = [demand(headers, 'x-service-signature'), find(headers, 'x-service-signature-next')];
  await check(BODY, secret, own, body);

  // Always: whoever recorded a request could leave them out, and send it again for ever.
  const [id, timestamp, signatures = ''] = NAMES.map((name) => demand(headers, name));
  // Bounded: each is compared by two more signatures, and the service sends two at most.
  await check(STANDARD, secret, signatures.split(' ', 10), new Blob([`${id}.${timestamp}.`, body]));
  // Written this way, it also refuses NaN.
  if (!(Math.abs(Number(now) / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    fail('expired', `sent over ${toleranceSeconds} s from now: a replay, or a wrong clock`);
  }
  return parse(await body.text());
}

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/**
 * The event's id, the same on every retry. Read it after `verifyWebhook`, which verifies it too.
 * @throws {WebhookVerificationError} when there is none
 */
export const webhookId = (headers: WebhookHeaders): string => demand(headers, 'webhook-id');

/**
 * Whether it is an example that `testWebhook` sent, whose records do not exist. Not signed: never let it skip
 * `verifyWebhook`, only work that an example must not do.
 */
export const isTestDelivery = (headers: WebhookHeaders): boolean =>
  find(headers, 'x-service-test') === 'true';

/** Resolves when one of the secrets makes one of the signatures. */
async function check(scheme: Scheme, secret: Secrets, signatures: string[], content: Blob): Promise<void> {
  for (const one of [secret].flat()) {
    const key = await importKey(one, scheme);
    const expected = encode(scheme.write(await mac(key, await content.arrayBuffer())));
    for (const signature of signatures) {
      // As written, not decoded: there is one way to write it. Signed once more, `verify` compares them in
      // constant time.
      if (await crypto.subtle.verify('HMAC', key, await mac(key, encode(signature)), expected)) return;
    }
  }
  fail('bad_signature', 'wrong signature: give the raw body and the secret of this webhook');
}

function parse(body: string): WebhookEvent {
  try {
    const payload = JSON.parse(body);
    if (typeof payload.event === 'string') return payload;
  } catch {}
  return fail('bad_payload', 'no event');
}

const demand = (headers: WebhookHeaders, name: string): string =>
  find(headers, name) || fail('missing_signature', `no header ${name}`);

/** '' without one. Repeated ones are joined, as fetch does, and fit nothing that was signed. */
const find = (headers: WebhookHeaders, name: string): string =>
  (typeof headers.get === 'function' && headers.get(name)) ||
  Object.entries(headers)
    .filter(([key]) => key.toLowerCase() === name)
    .map(([, value]) => value)
    .join();

function fail(code: WebhookVerificationError['code'], message: string): never {
  throw new WebhookVerificationError(message, { code });
}
