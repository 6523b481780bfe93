export type Bytes = Uint8Array<ArrayBuffer>;

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

/** Throws `TypeError` for what is no UTF-8. */
export const textOf = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);

export function concat(parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export const equal = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);

export const hex = (bytes: Uint8Array): string =>
  bytes.reduce((text, byte) => text + (byte + 256).toString(16).slice(1), '');

export const toBase64 = (bytes: Uint8Array): string =>
  btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ''));

/** The bytes of a text in standard base64; undefined unless it is the one way to write them (RFC 4648 §3.5). */
export function fromBase64(text: unknown, length?: number): Bytes | undefined {
  try {
    const binary = atob(text as string);
    if (btoa(binary) !== text || (length !== undefined && binary.length !== length)) return undefined;
    return Uint8Array.from(binary, (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

export const digest = async (bytes: Bytes, algorithm = 'SHA-256'): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest(algorithm, bytes));

export const sha256 = (...parts: Uint8Array[]): Promise<Bytes> => digest(concat(parts));
