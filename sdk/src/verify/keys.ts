import { EvidenceError } from '../errors.js';
import { type Bytes, fromBase64, hex, sha256, utf8 } from './bytes.js';

/** The signature types of Ed25519 in notes: of a log's own key, and of a witness's. */
export const LOG_KEY = 1;
export const WITNESS_KEY = 4;

/** A key that verifies signatures under one name (C2SP signed-note). */
export interface Key {
  /** Its text: `name+id+base64`, which a key has in one way only. */
  vkey: string;
  name: string;
  /** Eight hexadecimal digits that signature lines know it by. */
  id: string;
  /** 1: the key of a log; 4: the key of a witness. */
  type: 1 | 4;
  /** The 32 bytes of the Ed25519 key. */
  publicKey: Uint8Array;
}

/** A name has neither spaces nor a plus sign, and is not empty. */
const NAME = /^[^\s\u0085+]+$/u;

export const isName = (name: string): boolean => NAME.test(name);

/**
 * Reads a verifier key.
 * @throws {EvidenceError} when it is none, when its id is not its own, or when it is not of Ed25519
 */
export async function parseKey(vkey: string): Promise<Key> {
  const [name = '', id = '', ...rest] = String(vkey).split('+');
  // Base64 may hold plus signs.
  const bytes = fromBase64(rest.join('+'));
  if (!isName(name) || !/^[0-9a-f]{8}$/.test(id) || bytes === undefined)
    throw new EvidenceError('a key is written name+id+base64: the whole line');
  const type = bytes[0];
  if (bytes.length !== 33 || (type !== LOG_KEY && type !== WITNESS_KEY))
    throw new EvidenceError(`the key ${name}+${id} is not of Ed25519`);
  const hash = await sha256(utf8(`${name}\n`), bytes);
  if (hex(hash.subarray(0, 4)) !== id)
    throw new EvidenceError(`the key ${name}+${id} has another id than its bytes make`);
  return { vkey, name, id, type, publicKey: bytes.subarray(1) };
}

/** The base point of RFC 8032 §5.1 as a key: a runtime that cannot import it lacks the algorithm. */
const PROBE = 'WGZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmY=';

const load = (bytes: Bytes): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify']);

/** Whether this runtime has cryptography at all. */
export const hasHashes = (): boolean => globalThis.crypto?.subtle !== undefined;

/** Why this runtime cannot verify; undefined where it can. */
export async function whyNot(): Promise<string | undefined> {
  if (!hasHashes()) return 'cryptography needs https, or this page saved to a disk';
  try {
    await load(fromBase64(PROBE) as Bytes);
    return undefined;
  } catch {
    return 'this runtime lacks Ed25519: take another';
  }
}

/** Whether a signature of Ed25519 is right. False for a public key that is no point of the curve. */
export async function isSignedBy(key: Uint8Array, signature: Uint8Array, message: Bytes): Promise<boolean> {
  try {
    // Copies: a view of a shared buffer is refused.
    return await crypto.subtle.verify('Ed25519', await load(key.slice()), signature.slice(), message);
  } catch (error) {
    if ((await whyNot()) !== undefined) throw error;
    return false;
  }
}

/** What an old key signs to endorse its successor. */
export const successionText = (origin: string, vkey: string): Bytes =>
  utf8(`avow-ledger-key-v1\n${origin}\n${vkey}\n`);
