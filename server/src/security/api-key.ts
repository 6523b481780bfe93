import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PREFIX = 'avow_';
const ID = 12;
/** 125 random bits. */
const SECRET = 21;
/** 64 bits in base 62. */
const TAG = 11;
const CHECKSUM = 6;
const SHAPE = /^avow_[0-9A-Za-z]{50}$/;

/** The text of a key and the public part that names it. */
export interface KeyText {
  id: string;
  text: string;
}

/** A new API key: prefix, id, secret, a tag that only this server can make, and checksum. */
export function newKey(secret: Buffer): KeyText {
  const id = randomText(ID);
  const named = `${PREFIX}${id}${randomText(SECRET)}`;
  const body = named + tagOf(secret, named);
  return { id, text: body + checksumOf(body) };
}

/** Whether a bearer token claims to be an API key. */
export const looksLikeKey = (token: string): boolean => token.startsWith(PREFIX);

/** The id of a key; undefined for a text that looks like none, or was mistyped, which its checksum tells. */
export function idOfKey(text: string): string | undefined {
  const body = text.slice(0, -CHECKSUM);
  if (!SHAPE.test(text) || text.slice(-CHECKSUM) !== checksumOf(body)) return undefined;
  return body.slice(PREFIX.length, PREFIX.length + ID);
}

/** Whether this server made a key of this shape: what is made up is refused without a look-up. */
export function isOwnKey(secret: Buffer, text: string): boolean {
  const body = text.slice(0, -CHECKSUM);
  return timingSafeEqual(Buffer.from(body.slice(-TAG)), Buffer.from(tagOf(secret, body.slice(0, -TAG))));
}

/** What is stored of a key: useless without the secret of the server. */
export const hashOfKey = (secret: Buffer, text: string): Buffer =>
  createHmac('sha256', secret).update(text).digest();

export const isHashOf = (hash: Buffer, secret: Buffer, text: string): boolean =>
  timingSafeEqual(hash, hashOfKey(secret, text));

const randomText = (length: number): string =>
  Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('');

const tagOf = (secret: Buffer, named: string): string =>
  inBase62(createHmac('sha256', secret).update(`avow key tag ${named}`).digest().readBigUInt64BE(), TAG);

/** CRC-32 of a text in base 62: scanners for secrets need not ask whether they have found one. */
export const checksumOf = (text: string): string => inBase62(BigInt(crc32(text)), CHECKSUM);

function inBase62(value: bigint, length: number): string {
  const base = BigInt(BASE62.length);
  let rest = value;
  let digits = '';
  for (let i = 0; i < length; i += 1) {
    digits = BASE62[Number(rest % base)] + digits;
    rest /= base;
  }
  return digits;
}
