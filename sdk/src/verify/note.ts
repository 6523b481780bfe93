import { EvidenceError } from '../errors.js';
import { fromBase64, hex, utf8 } from './bytes.js';
import { isName, isSignedBy, type Key, LOG_KEY, parseKey, WITNESS_KEY } from './keys.js';

/** Signature lines that a note may have. */
const MOST_SIGNATURES = 100;

/** A signature line of a note. */
export interface Signature {
  name: string;
  /** Eight hexadecimal digits. */
  id: string;
  /** What follows the id. */
  bytes: Uint8Array;
}

/** The head of a log, as a note says it. */
export interface Checkpoint {
  /** The name of the log. */
  origin: string;
  /** Leaves of the tree. */
  size: number;
  /** The hash of the tree: 32 bytes. */
  root: Uint8Array;
  /** The text that is signed, with its last newline. */
  text: string;
  signatures: Signature[];
}

const bad = (what: string): never => {
  throw new EvidenceError(`the checkpoint is no signed note: ${what}`);
};

/**
 * Reads a checkpoint without looking at its signatures (C2SP signed-note, tlog-checkpoint).
 * @throws {EvidenceError} when it is none
 */
export function readCheckpoint(note: string): Checkpoint {
  const end = note.lastIndexOf('\n\n') + 1;
  if (end === 0) bad('a blank line and signatures are missing');
  if (/[\0-\t\v-\x1f\x7f]/.test(note)) bad('it holds a control character');
  const text = note.slice(0, end);
  const [origin = '', size = '', root, ...rest] = text.slice(0, -1).split('\n');
  const hash = fromBase64(root, 32);
  if (!isName(origin)) bad('its first line is no name of a log');
  if (!/^(0|[1-9]\d{0,15})$/.test(size) || !Number.isSafeInteger(Number(size)))
    bad(`its second line is no size of a tree: "${size.slice(0, 40)}"`);
  if (hash === undefined || rest.length > 0) return bad('its third line is no hash, or not the last');
  return { origin, size: Number(size), root: hash, text, signatures: readSignatures(note.slice(end + 1)) };
}

function readSignatures(text: string): Signature[] {
  const lines = text.split('\n', MOST_SIGNATURES + 2);
  if (lines.pop() !== '') bad(`it is cut off, or has more than ${MOST_SIGNATURES} signatures`);
  if (new Set(lines).size < lines.length) bad('a signature line stands there twice');
  return lines.map((line) => {
    const [dash, name = '', base64, ...rest] = line.split(' ');
    const bytes = fromBase64(base64);
    if (dash !== '—' || !isName(name) || bytes === undefined || bytes.length < 5 || rest.length > 0)
      return bad(`"${line.slice(0, 60)}" is no signature line`);
    return { name, id: hex(bytes.subarray(0, 4)), bytes: bytes.subarray(4) };
  });
}

/** The lines of a note that name a key. */
export const linesOf = (key: Key, { signatures }: Checkpoint): Signature[] =>
  signatures.filter(({ name, id }) => name === key.name && id === key.id);

/** Whether a note bears a right signature of a log's key. */
export async function isSigned(checkpoint: Checkpoint, key: Key): Promise<boolean> {
  if (key.type !== LOG_KEY) return false;
  for (const { bytes } of linesOf(key, checkpoint))
    if (bytes.length === 64 && (await isSignedBy(key.publicKey, bytes, utf8(checkpoint.text)))) return true;
  return false;
}

/**
 * When a witness cosigned, in seconds since 1970 (C2SP tlog-cosignature); undefined without a right
 * cosignature of it.
 */
export async function cosignedAt(checkpoint: Checkpoint, key: Key): Promise<number | undefined> {
  if (key.type !== WITNESS_KEY) return undefined;
  for (const { bytes } of linesOf(key, checkpoint)) {
    if (bytes.length !== 72) continue;
    const time = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
    const message = utf8(`cosignature/v1\ntime ${time}\n${checkpoint.text}`);
    if (await isSignedBy(key.publicKey, bytes.subarray(8), message)) return Number(time);
  }
  return undefined;
}

/** A checkpoint that one of the keys has signed. */
export interface SignedCheckpoint extends Checkpoint {
  signedBy: Key;
}

/**
 * Reads a checkpoint that must be signed by the log with one of these keys.
 * @param note the whole note, as served at `/ledger/{token}/checkpoint`
 * @param keys verifier keys whose name is the log's origin
 * @throws {EvidenceError} when it is none, or none of the keys has signed it
 */
export async function verifyCheckpoint(
  note: string,
  keys: readonly (string | Key)[],
): Promise<SignedCheckpoint> {
  const checkpoint = readCheckpoint(note);
  for (const one of keys) {
    const key = typeof one === 'string' ? await parseKey(one) : one;
    if (key.name === checkpoint.origin && (await isSigned(checkpoint, key)))
      return { ...checkpoint, signedBy: key };
  }
  throw new EvidenceError(`the checkpoint of ${checkpoint.origin} is not signed by any of these keys`);
}
