import { createHash, type KeyObject } from 'node:crypto';
import { publicKeyOf } from './note';

// Notes, verifier keys and checkpoints of others: C2SP signed-note and tlog-checkpoint. Everything here is bounded
// by the length of its text, and undefined stands for what these formats do not allow.

/** Signature lines of a note that are read; verifiers must read 16. */
const MOST_SIGNATURES = 100;
/** Of a signature line. A name has neither spaces (of Unicode) nor a plus sign. */
const LINE = /^— ([^\s\u0085+]+) ([A-Za-z0-9+/]+={0,2})$/u;
const SIZE = /^(?:0|[1-9]\d{0,15})$/;

/** The signature types of verifier keys that Avow knows. */
export const LOG_KEY = 1;
export const COSIGNING_KEY = 4;

export interface NoteSignature {
  name: string;
  /** 4 bytes in hex. */
  id: string;
  /** What follows the key id. */
  bytes: Buffer;
  /** Without its newline. */
  line: string;
}

export interface OpenNote {
  /** What is signed, with its last newline. */
  text: string;
  signatures: NoteSignature[];
}

/** A key that verifies signatures of one name. */
export interface VerifierKey {
  name: string;
  id: string;
  type: number;
  publicKey: KeyObject;
}

export interface Checkpoint {
  origin: string;
  size: number;
  root: Buffer;
}

/** The bytes of a text in standard base64; undefined when it is not exactly that. */
export function readBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

/** A tree's size in decimal, without leading zeroes. */
export function readSize(text: string): number | undefined {
  const size = SIZE.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(size) ? size : undefined;
}

export function openNote(note: string): OpenNote | undefined {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n') || /[\u0000-\u0009\u000b-\u001f]/.test(note)) return undefined;
  const signatures = readSignatures(note.slice(end + 2));
  return signatures === undefined ? undefined : { text: note.slice(0, end + 1), signatures };
}

/**
 * As `openNote`, but of each key only the first line is read: older witnesses stored a line as often as it was sent
 * to them.
 */
export function openRepeating(note: string): OpenNote | undefined {
  const end = note.lastIndexOf('\n\n') + 2;
  const keys = new Set<string>();
  const isFirst = (line: string): boolean => {
    const signature = readSignature(line);
    const before = keys.size;
    if (signature !== undefined) keys.add(`${signature.name} ${signature.id}`);
    return signature === undefined || keys.size > before;
  };
  return openNote(note.slice(0, end) + note.slice(end).split('\n').filter(isFirst).join('\n'));
}

/** Signature lines, each with its newline, at least one, and none of them twice. */
export function readSignatures(text: string): NoteSignature[] | undefined {
  const lines = text.split('\n', MOST_SIGNATURES + 2);
  if (lines.pop() !== '' || lines.length === 0 || lines.length > MOST_SIGNATURES) return undefined;
  if (new Set(lines).size < lines.length) return undefined;
  const signatures = lines.map(readSignature);
  return signatures.every((one) => one !== undefined) ? signatures : undefined;
}

function readSignature(line: string): NoteSignature | undefined {
  const [, name, base64 = ''] = LINE.exec(line) ?? [];
  const bytes = readBase64(base64);
  if (name === undefined || bytes === undefined || bytes.length < 5) return undefined;
  return { name, id: bytes.toString('hex', 0, 4), bytes: bytes.subarray(4), line };
}

/** The first three lines of a checkpoint's text; lines of extension may follow, none is empty. */
export function readCheckpoint(text: string): Checkpoint | undefined {
  const lines = text.split('\n');
  if (lines.pop() !== '' || lines.length < 3 || lines.includes('')) return undefined;
  const [origin = '', sizeText = '', rootText = ''] = lines;
  const [size, root] = [readSize(sizeText), readBase64(rootText)];
  if (size === undefined || root?.length !== 32) return undefined;
  return { origin, size, root };
}

/** The id of an Ed25519 key: 4 bytes in hex. */
export function keyIdOf(name: string, type: number, key: Uint8Array): string {
  const hash = createHash('sha256').update(`${name}\n`).update(Uint8Array.of(type)).update(key);
  return hash.digest('hex').slice(0, 8);
}

/** The verifier key `name+id+base64(type || key)` of an Ed25519 key of 32 bytes. */
export const vkeyOf = (name: string, type: number, key: Uint8Array): string =>
  `${name}+${keyIdOf(name, type, key)}+${Buffer.concat([Uint8Array.of(type), key]).toString('base64')}`;

/** Reads a verifier key of Ed25519 (types 1 and 4). */
export function readVkey(text: string): VerifierKey | undefined {
  // The last part may hold plus signs.
  const [, name = '', id = '', base64 = ''] = /^([^\s\u0085+]+)\+([0-9a-f]{8})\+(\S+)$/u.exec(text) ?? [];
  const bytes = readBase64(base64);
  const [type, key] = [bytes?.[0], bytes?.subarray(1)];
  if (key?.length !== 32 || (type !== LOG_KEY && type !== COSIGNING_KEY)) return undefined;
  if (keyIdOf(name, type, key) !== id) return undefined;
  return { name, id, type, publicKey: publicKeyOf(key) };
}
