import { AvowError } from './errors.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** How a family of headers is signed: the bytes of a secret's key, and how a signature is written. */
export interface Scheme {
  bytes: (secret: string) => Bytes;
  write: (signature: Bytes) => string;
}

export const encode = (text: string): Bytes => new TextEncoder().encode(text);

/** `X-Service-Signature`: over the body, keyed with the secret as shown. */
export const BODY: Scheme = {
  bytes: encode,
  write: (bytes) => bytes.reduce((hex, byte) => hex + (byte + 256).toString(16).slice(1), 'sha256='),
};

/**
 * `webhook-signature` of Standard Webhooks: over `id.timestamp.body`, keyed with the bytes behind `whsec_`.
 */
export const STANDARD: Scheme = {
  bytes: (secret) => Uint8Array.from(atob(secret.replace('whsec_', '')), (char) => char.charCodeAt(0)),
  write: (bytes) => `v1,${btoa(String.fromCharCode(...bytes))}`,
};

/**
 * @throws {AvowError} for an empty or cut-off secret, with which anybody could sign, and for one that is not
 * Base64 where it must be
 */
export async function importKey(secret: string, { bytes }: Scheme): Promise<CryptoKey> {
  try {
    const raw = bytes(secret);
    // Standard Webhooks asks for 24 bytes: fewer are a cut-off secret, or undefined or null as text.
    if (raw.length < 24) throw 0;
    const hmac = { name: 'HMAC', hash: 'SHA-256' };
    return await crypto.subtle.importKey('raw', raw, hmac, false, ['sign', 'verify']);
  } catch {
    throw new AvowError('give the secret of this webhook');
  }
}

export const mac = async (key: CryptoKey, content: BufferSource): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.sign('HMAC', key, content));
