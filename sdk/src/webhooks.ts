import { AvowError } from './errors.js';
import { decode, encode, importKey, standardKey } from './signing.js';
import type { Schemas } from './types.js';

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
  now?: Date | undefined;
}

/** It cannot be shown that the service sent this request: answer 401. The message says what to look at. */
export class WebhookVerificationError extends AvowError {
  override name = 'WebhookVerificationError';
  readonly code: 'missing_signature' | 'bad_signature' | 'expired' | 'bad_payload';

  constructor(code: WebhookVerificationError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

type Secret = string | readonly string[];

/**
 * The event, once its signatures are verified: `X-Service-Signature` always, those of Standard Webhooks when they are present.
 * @param rawBody the body as received; parsed and written again, it is another one
 * @param secret the webhook's secret as shown, `whsec_…`; several while it changes
 * @throws {WebhookVerificationError} when the request must be refused
 * @throws {AvowError} when a secret is not one of a webhook
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: Secret,
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  // A copy, since some servers use the memory again; and what is verified is what is parsed.
  const body = new Blob([rawBody as BlobPart]);
  const own = [demand(headers, 'x-service-signature'), find(headers, 'x-service-signature-next')];
  await check(secret, encode, own.flatMap(fromHex), body);

  if (STANDARD.some((name) => find(headers, name))) {
    const [id, timestamp = '', signatures = ''] = STANDARD.map((name) => demand(headers, name));
    const signed = new Blob([`${id}.${timestamp}.`, body]);
    await check(secret, standardKey, signatures.split(' ').flatMap(fromBase64), signed);
    // So written, it also refuses what is not a number.
    if (!(Math.abs(now.getTime() / 1000 - Number(timestamp)) <= toleranceSeconds)) {
      fail('expired', `sent over ${toleranceSeconds} s from now: a replay, or a wrong clock`);
    }
  }
  return parse(await body.text());
}

const STANDARD = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/**
 * The event's id, the same on every retry. Read it after `verifyWebhook`, which verifies it too.
 * @throws {WebhookVerificationError} when there is none: a replay could not be told
 */
export const webhookId = (headers: WebhookHeaders): string => demand(headers, 'webhook-id');

/** Resolves when one of the signatures is right; `subtle.verify` compares in constant time. */
async function check(secret: Secret, toKey: typeof encode, signatures: BufferSource[], signed: Blob) {
  for (const one of [secret].flat()) {
    const key = await importKey(one, toKey);
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, await signed.arrayBuffer())) return;
    }
  }
  fail('bad_signature', 'wrong signature: give the raw body, not a parsed one, and the secret of this webhook');
}

function parse(text: string): WebhookEvent {
  let payload: WebhookEvent | undefined;
  try {
    payload = JSON.parse(text);
  } catch {}
  return typeof payload?.event === 'string' ? payload : fail('bad_payload', 'signed, but not an event');
}

const demand = (headers: WebhookHeaders, name: string): string =>
  find(headers, name) || fail('missing_signature', `no header ${name}`);

/** '' without one. Repeated ones are joined, as fetch does: then they fit nothing that was signed. */
const find = (headers: WebhookHeaders, name: string): string =>
  typeof headers.get === 'function'
    ? (headers.get(name) ?? '')
    : Object.entries(headers)
        .map(([key, value]) => (key.toLowerCase() === name ? value : []))
        .flat()
        .join(', ');

const fromHex = (header: string) =>
  /^sha256=[\da-f]{64}$/.test(header)
    ? [Uint8Array.from(header.slice(7).match(/../g) as string[], (byte) => Number(`0x${byte}`))]
    : [];

/** Only the one way of writing 32 bytes: the last digit before `=` has two bits to spare. */
const fromBase64 = (signature: string) =>
  /^v1,[A-Za-z\d+/]{42}[AEIMQUYcgkosw048]=$/.test(signature) ? [decode(signature.slice(3))] : [];

function fail(code: WebhookVerificationError['code'], message: string): never {
  throw new WebhookVerificationError(code, message);
}
