import { AvowError } from './errors.js';

type Bytes = Uint8Array<ArrayBuffer>;

/** How a kind of header is signed: the key of a secret, and the text of a signature. */
export interface Scheme {
  bytes: (secret: string) => Bytes;
  write: (signature: Bytes) => string;
}

export const encode = (text: string): Bytes => new TextEncoder().encode(text);

/** `X-Service-Signature`: signs the body; the key is the secret as shown. */
export const BODY: Scheme = {
  bytes: encode,
  write: (bytes) => bytes.reduce((hex, byte) => hex + (byte + 256).toString(16).slice(1), 'sha256='),
};

/**
 * `webhook-signature` of Standard Webhooks: signs `id.timestamp.body`; the key is the Base64 after `whsec_`.
 */
export const STANDARD: Scheme = {
  bytes: (secret) => Uint8Array.from(atob(secret.replace('whsec_', '')), (char) => char.charCodeAt(0)),
  write: (bytes) => `v1,${btoa(String.fromCharCode(...bytes))}`,
};

/**
 * @throws {AvowError} when the secret is empty or cut off, so that anybody could guess it, or is not Base64
 * where it must be
 */
export async function importKey(secret: string, { bytes }: Scheme): Promise<CryptoKey> {
  try {
    const raw = bytes(secret);
    // Standard Webhooks requires 24 bytes: fewer mean a cut-off secret, or the text "undefined" or "null".
    if (raw.length < 24) throw 0;
    const hmac = { name: 'HMAC', hash: 'SHA-256' };
    return await crypto.subtle.importKey('raw', raw, hmac, false, ['sign', 'verify']);
  } catch {
    throw new AvowError('give the secret of this webhook');
  }
}

export const mac = async (key: CryptoKey, content: BufferSource): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.sign('HMAC', key, content));
