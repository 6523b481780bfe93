import type { IncomingMessage } from 'node:http';
import { MAX_FORM_FIELDS } from '../contract/bounds';
import type { Operation } from '../contract/operations';
import {
  invalidJson,
  payloadTooLarge,
  tooManyPieces,
  unsupportedMediaType,
  ValidationError,
} from '../domain/errors';
import { wireBytes } from '../domain/wire-bytes';
import type { Exchange } from './exchange';
import { limitBody, type Sender } from './limits';
import { findBadStrings } from './strings';

/** A body as it came, and what it says. */
export interface Body {
  raw: Buffer;
  json: unknown;
}

/** Which bodies are taken. */
type BodyRules = Pick<Operation, 'bodyTypes' | 'bodyRequired' | 'bodyLimit'>;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** The media type without parameters, in lower case. */
export const mediaType = (request: IncomingMessage): string => {
  const header = request.headers['content-type'] ?? '';
  return COMMON_TYPES.get(header) ?? header.split(';', 1)[0]?.trim().toLowerCase() ?? '';
};

/** What browsers send, so that it need not be taken apart each time; all of it is UTF-8. */
const COMMON_TYPES = new Map([
  ['application/json', 'application/json'],
  ['application/json; charset=utf-8', 'application/json'],
  ['text/plain;charset=UTF-8', 'text/plain'],
]);

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/**
 * Reads and parses the body of a request, which counts by its size. Throws 413, 415, 429, `invalid_json`, or
 * `validation_failed` for what cannot be stored. An operation without a body ignores an empty one and refuses any other.
 */
export async function readBody(
  exchange: Exchange,
  rules: BodyRules,
  sender?: Sender,
): Promise<Body | undefined> {
  // A caller whose line is slow is waited for, as long as the server's limits allow.
  exchange.waitsSince = Number.POSITIVE_INFINITY;
  try {
    return await read(exchange.request, rules, sender);
  } finally {
    exchange.waitsSince = performance.now();
  }
}

async function read(
  request: IncomingMessage,
  { bodyTypes, bodyRequired, bodyLimit }: BodyRules,
  sender: Sender | undefined,
): Promise<Body | undefined> {
  if (bodyTypes.length === 0) {
    if (hasBody(request))
      throw ValidationError.of('body', 'this operation takes no body: leave it out', 'unexpected');
    return undefined;
  }
  if (!bodyRequired && !hasBody(request)) return undefined;
  checkType(request, bodyTypes);
  if (Number(request.headers['content-length'] ?? 0) > bodyLimit) throw payloadTooLarge(bodyLimit);
  const raw = await collect(request, bodyLimit);
  if (sender !== undefined) limitBody(sender, raw.length);
  const json = mediaType(request) === FORM ? parseForm(raw) : parseJson(raw);
  // The validator takes null for no body at all.
  if (json === null) throw ValidationError.of('body', 'must be object', 'type');
  return { raw, json };
}

/** Throws 415 for a body of which it is plain before it is read that it cannot be. */
export function checkType(request: IncomingMessage, types: string[]): void {
  const { headers } = request;
  if (!types.includes(mediaType(request)) && (hasBody(request) || headers['content-type'] !== undefined)) {
    throw unsupportedMediaType(types);
  }
  if (!COMMON_TYPES.has(headers['content-type'] ?? '')) checkCharset(headers['content-type'] ?? '', types);
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw unsupportedMediaType(types);
}

function checkCharset(header: string, types: string[]): void {
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(header)?.[1];
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) throw unsupportedMediaType(types);
}

/** Each chunk of a body costs a call, however small it is: so many pass, or one for each so many bytes of the limit. */
const MIN_CHUNKS = 4_096;
const BYTES_OF_CHUNK = 64;

/** A body of known length has no chunks: its pieces are what the line brings, however slow it is. */
const mostPieces = ({ headers }: IncomingMessage, limit: number): number =>
  headers['transfer-encoding'] === undefined ? Infinity : Math.max(MIN_CHUNKS, limit / BYTES_OF_CHUNK);

/**
 * What the chunks of a body may bring besides it: the size and end of each, and two readings of the connection. A chunk's
 * extension may be 16 KB, and the parser drops it.
 */
const BYTES_OF_FRAME = 16;
const READINGS = 2 * 64 * 1024;

/** Whether the body's chunks have brought more than what frames so many of them. */
function framesOf({ socket, headers }: IncomingMessage, limit: number, pieces: number): () => boolean {
  if (headers['transfer-encoding'] === undefined) return () => false;
  const most = limit + pieces * BYTES_OF_FRAME + READINGS;
  const brought = wireBytes(socket);
  // The connection brought other requests before.
  brought();
  let wire = 0;
  return () => {
    wire += brought();
    return wire > most;
  };
}

function collect(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const most = mostPieces(request, limit);
    let pieces = 0;
    const isOverFramed = framesOf(request, limit, most);
    const broken = (): void => reject(invalidJson('The connection ended before the body did.'));
    // It tells nobody any more.
    if (request.destroyed) return broken();
    // One buffer that doubles: a body in many small chunks takes no more memory than its size.
    let whole: Buffer | undefined;
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      pieces += 1;
      if (size > limit || pieces > most || isOverFramed()) {
        request.removeAllListeners('data');
        request.resume();
        reject(pieces > most ? tooManyPieces(most) : payloadTooLarge(limit));
        return;
      }
      if (whole === undefined) whole = chunk;
      else {
        if (size > whole.length) whole = Buffer.concat([whole], Math.max(size, whole.length * 2));
        chunk.copy(whole, size - chunk.length);
      }
    });
    request.on('end', () => resolve((whole ?? Buffer.alloc(0)).subarray(0, size)));
    // Not the connection's own error, which would be taken for one of the database's connection.
    request.on('error', broken);
    request.on('close', () => {
      // This runs after every request: create the error, whose stack is costly, only when needed.
      if (!request.complete) broken();
    });
  });
}

/** What other servers send as a form, for instance a provider of log-ins. */
const FORM = 'application/x-www-form-urlencoded';

function parseForm(raw: Buffer): unknown {
  const mark = '&'.charCodeAt(0);
  let parts = 1;
  // Counted first: to take thousands apart takes many times as long.
  for (let at = raw.indexOf(mark); at !== -1; at = raw.indexOf(mark, at + 1))
    if (++parts > MAX_FORM_FIELDS)
      throw ValidationError.of('body', `must have at most ${MAX_FORM_FIELDS} fields`, 'maxProperties');
  // Of a name that comes twice the last one counts, as in JSON.
  const fields = Object.fromEntries(new URLSearchParams(decode(raw)));
  const errors = findBadStrings(fields, 'body');
  if (errors.length > 0) throw new ValidationError(errors);
  return fields;
}

function parseJson(raw: Buffer): unknown {
  if (raw.length === 0) throw invalidJson('The body is empty: send a JSON object.');
  const text = decode(raw);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalidJson('The body is not valid JSON: check its commas, quotes and brackets (RFC 8259).');
  }
  // Only an escape can bring a NUL or a lone surrogate into valid UTF-8, and only brackets can nest.
  if (text.includes('\\u') || text.includes('[[') || text.length > 4096) {
    const errors = findBadStrings(json, 'body');
    if (errors.length > 0) throw new ValidationError(errors);
  }
  return json;
}

function decode(raw: Buffer): string {
  try {
    return decoder.decode(raw);
  } catch {
    throw invalidJson('The body is not UTF-8: encode it as UTF-8.');
  }
}
