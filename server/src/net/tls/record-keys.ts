import { createDecipheriv, createHmac } from 'node:crypto';
import { Unreadable } from './der';

interface Suite {
  cipher: 'aes-128-gcm' | 'aes-256-gcm' | 'chacha20-poly1305';
  hash: string;
  keyBytes: number;
}

/** Of TLS 1.3, by their numbers (RFC 8446 §B.4): those that Node offers. */
const SUITES: Readonly<Record<number, Suite>> = {
  4865: { cipher: 'aes-128-gcm', hash: 'sha256', keyBytes: 16 },
  4866: { cipher: 'aes-256-gcm', hash: 'sha384', keyBytes: 32 },
  4867: { cipher: 'chacha20-poly1305', hash: 'sha256', keyBytes: 32 },
};
const TAG_BYTES = 16;

/** Opens what comes next; the header is of the record. Throws `Unreadable`. */
export type Open = (header: Buffer, body: Buffer) => Buffer;

/** Opens one record after the other of those that were protected with this secret (RFC 8446 §5.2). */
export function createOpen(number: number, secret: Buffer): Open {
  const suite = SUITES[number];
  if (suite === undefined) throw new Unreadable();
  const { cipher, hash, keyBytes } = suite;
  const key = expand(hash, secret, 'key', keyBytes);
  const first = expand(hash, secret, 'iv', 12);
  let sequence = 0;
  return (header, body) => {
    if (body.length < TAG_BYTES) throw new Unreadable();
    const nonce = Buffer.from(first);
    nonce.writeUInt32BE((nonce.readUInt32BE(8) ^ sequence) >>> 0, 8);
    sequence += 1;
    const end = body.length - TAG_BYTES;
    // The types know no name for all of them.
    const decipher = createDecipheriv(cipher as 'aes-128-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(header).setAuthTag(body.subarray(end));
    try {
      return Buffer.concat([decipher.update(body.subarray(0, end)), decipher.final()]);
    } catch {
      throw new Unreadable();
    }
  };
}

/** HKDF-Expand-Label (RFC 8446 §7.1), of no more than one hash. */
function expand(hash: string, secret: Buffer, label: string, length: number): Buffer {
  const name = Buffer.from(`tls13 ${label}`);
  const info = Buffer.concat([Buffer.from([0, length, name.length]), name, Buffer.from([0, 1])]);
  return createHmac(hash, secret).update(info).digest().subarray(0, length);
}
