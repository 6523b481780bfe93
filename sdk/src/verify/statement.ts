import { EvidenceError } from '../errors.js';
import { type Bytes, fromBase64, sha256, utf8 } from './bytes.js';

/** Levels of objects and lists in a statement, at most. */
const DEEPEST = 64;

/** What a leaf says, as its statement has it. */
export interface Statement {
  avow: 1;
  kind: string;
  site: string;
  record: Record<string, unknown>;
  /** Of a record from before the log: when it was sealed. */
  imported_on?: string;
}

/**
 * The blinded hash of a statement, which is the entry of its leaf: SHA-256 of blinding and statement.
 * @param blinding 16 bytes, or their text in base64
 * @param statement the canonical text, exactly as it was sealed
 * @throws {EvidenceError} when the blinding is none
 */
export async function commitmentOf(blinding: string | Uint8Array, statement: string): Promise<Bytes> {
  const bytes = typeof blinding === 'string' ? fromBase64(blinding) : blinding;
  if (bytes?.length !== 16) throw new EvidenceError('a blinding has 16 bytes, written in base64');
  return sha256(bytes, utf8(statement));
}

/**
 * Reads a statement.
 * @throws {EvidenceError} when it is not canonical (RFC 8785) or no statement of version 1
 */
export function readStatement(text: string): Statement {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {}
  // Before its members are counted: those of a text are its characters.
  if (!isObject(value) || canonical(value) !== text) {
    throw new EvidenceError('the statement is no object in canonical form (RFC 8785)');
  }
  const { avow, kind, site, record, imported_on = '', ...others } = value as Partial<Statement>;
  const isText = [kind, site, imported_on].every((one) => typeof one === 'string');
  if (avow !== 1 || !isText || !isObject(record) || Object.keys(others)[0] !== undefined) {
    throw new EvidenceError('the statement is not of version 1, or has wrong members');
  }
  return value as unknown as Statement;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The canonical text of a value that was read from JSON (RFC 8785). */
function canonical(value: unknown, depth = 0): string {
  if (depth > DEEPEST) throw new EvidenceError(`the statement has more than ${DEEPEST} levels`);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1))}]`;
  if (isObject(value)) {
    // By UTF-16 code units, as `sort` does.
    const members = Object.keys(value).sort();
    return `{${members.map((name) => `${write(name)}:${canonical(value[name], depth + 1)}`)}}`;
  }
  return write(value as string);
}

function write(value: string): string {
  // RFC 8785 §3.2.2.2 has no text for half of a surrogate pair.
  if (/\p{Surrogate}/u.test(value)) throw new EvidenceError('the statement holds half of a character');
  return JSON.stringify(value);
}

/** Whose step a record is: the id of the request or breach, by its kind alone. */
export function subjectOf(kind: string, record: Record<string, unknown>): unknown {
  const [member, id] = kind === 'dsar' ? ['request', 'request_id'] : ['breach', 'breach_id'];
  return Object(record[member as string])[id as string];
}
