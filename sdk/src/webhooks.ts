import { WebhookVerificationError } from './errors.js';
import { BODY, encode, importKey, mac, type Scheme, STANDARD } from './signature.js';
import type { Schemas } from './types.js';

export { AvowError, WebhookVerificationError } from './errors.js';
export { type SignedEvent, type SignOptions, signTestEvent } from './signing.js';

/**
 * The events that a webhook receives, discriminated by `event`; `WebhookEvent<'dsar.created'>` is one of
 * them.
 */
export type WebhookEvent<Name extends Schemas['EventName'] = Schemas['EventName']> = Extract<
  Schemas['EventPayload'],
  { event: Name }
>;

/** Headers as in a fetch handler or in Node; names in upper or lower case. */
export type WebhookHeaders = Pick<Headers, 'get'> | Record<string, string | string[] | undefined>;

export interface VerifyOptions {
  /**
   * The maximum difference between `webhook-timestamp` and now, in seconds. Default 300; Infinity for no
   * limit.
   */
  toleranceSeconds?: number | undefined;
  /** Replaces the current time, in tests. */
  now?: Date | number | undefined;
}

type Secrets = string | readonly string[];

/** The secrets of webhooks of several sites at one address, by the token of each site: `env_…`. */
export type SecretsBySite = Readonly<Record<string, Secrets>>;

/**
 * Verifies both signatures of a request and returns its event: `X-Service-Signature`, which does not cover
 * the time, and the one of Standard Webhooks, whose three headers must be present.
 * @param rawBody the body exactly as received: parsing and serialising it again would change its bytes
 * @param secret the webhook's secret as shown, `whsec_…`; an array while it is being rotated, or for several webhooks of one
 * site. Of several sites, by the token of each: in an array, whoever knows one secret can forge events of every site
 * @throws {WebhookVerificationError} when the request must be refused
 * @throws {AvowError} when a secret is not a webhook's secret
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: Secrets | SecretsBySite,
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  // A copy: some servers reuse the buffer while this awaits.
  const body = new Blob([rawBody as BlobPart]);
  // What is no JSON gets an error for a payload, which has no event.
  const payload = await new Response(body).json().catch(Object);
  // What a body says of its site only chooses the secrets: one of them must have signed it.
  const secrets = [secret]
    .flat()
    .flatMap((one: string | SecretsBySite) =>
      Object(one) === one
        ? valuesOf(one as SecretsBySite, (site) => site === payload?.environment)
        : (one as string),
    );
  const own = [
    requireHeader(headers, 'x-service-signature'),
    findHeader(headers, 'x-service-signature-next'),
  ];
  await check(BODY, secrets, own, body);

  // Never optional: an attacker who recorded a request could leave them out and replay it for ever.
  const [id, timestamp, signatures] = NAMES.map((name) => requireHeader(headers, name)) as [
    string,
    string,
    string,
  ];
  // At most 10: comparing each one costs two HMACs, and the service sends two at most.
  await check(STANDARD, secrets, signatures.split(' ', 10), new Blob([`${id}.${timestamp}.`, body]));
  // Written this way, the condition also refuses NaN.
  if (!(Math.abs(Number(now) / 1000 - Number(timestamp)) <= toleranceSeconds)) {
    fail('expired', `sent over ${toleranceSeconds} s from now`);
  }
  return typeof payload?.event === 'string' ? payload : fail('bad_payload', 'no event');
}

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/**
 * The event's id, the same on every retry. Call `verifyWebhook` first: it verifies the id too.
 * @throws {WebhookVerificationError} when there is none
 */
export const webhookId = (headers: WebhookHeaders): string => requireHeader(headers, 'webhook-id');

/**
 * Whether `testWebhook` sent this event; its records do not exist. The header is not signed: never skip
 * `verifyWebhook` because of it, only work that a test must not cause.
 */
export const isTestDelivery = (headers: WebhookHeaders): boolean =>
  findHeader(headers, 'x-service-test') === 'true';

/** Resolves when one of the signatures was made with one of the secrets. */
async function check(scheme: Scheme, secrets: string[], signatures: string[], content: Blob): Promise<void> {
  for (const each of secrets) {
    const key = await importKey(each, scheme);
    const expected = encode(scheme.write(await mac(key, await content.arrayBuffer())));
    for (const signature of signatures) {
      // Compares the texts, not decoded bytes: a signature has only one valid text. Both are signed once
      // more, so that `verify` compares them in constant time.
      if (await crypto.subtle.verify('HMAC', key, await mac(key, encode(signature)), expected)) return;
    }
  }
  fail('bad_signature', 'wrong signature: give the raw body and the secret of this webhook');
}

const requireHeader = (headers: WebhookHeaders, name: string): string =>
  findHeader(headers, name) || fail('missing_signature', `no header ${name}`);

/** The header, or ''. Repeated headers are joined, as fetch does, and then match no signature. */
const findHeader = (headers: WebhookHeaders, name: string): string =>
  (typeof headers.get === 'function' && headers.get(name)) ||
  valuesOf(headers as Record<string, string>, (key) => key.toLowerCase() === name).join();

const valuesOf = (from: SecretsBySite, isWanted: (key: string) => boolean): string[] =>
  Object.entries(from).flatMap(([key, value]) => (isWanted(key) ? value : []));

function fail(code: WebhookVerificationError['code'], message: string): never {
  throw new WebhookVerificationError(message, { code });
}
