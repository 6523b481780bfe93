import type { IncomingMessage } from 'node:http';
import type { Operation } from '../contract/operations';
import { invalidJson, payloadTooLarge, unsupportedMediaType, ValidationError } from '../domain/errors';
import { findBadStrings } from './strings';

/** A body as it came, and what it says. */
export interface Body {
  raw: Buffer;
  json: unknown;
}

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
 * Reads and parses the body of a request. Throws 413, 415, `invalid_json`, or `validation_failed` for what
 * cannot be stored. An operation without a body ignores an empty one and refuses any other.
 */
export async function readBody(request: IncomingMessage, operation: Operation): Promise<Body | undefined> {
  const { bodyTypes, bodyRequired, bodyLimit } = operation;
  if (bodyTypes.length === 0) {
    if (hasBody(request))
      throw ValidationError.of('body', 'this operation takes no body: leave it out', 'unexpected');
    return undefined;
  }
  if (!bodyRequired && !hasBody(request)) return undefined;
  checkType(request, bodyTypes);
  if (Number(request.headers['content-length'] ?? 0) > bodyLimit) throw payloadTooLarge(bodyLimit);
  const raw = await collect(request, bodyLimit);
  const json = parseJson(raw);
  // The validator takes null for no body at all.
  if (json === null) throw ValidationError.of('body', 'must be object', 'type');
  return { raw, json };
}

function checkType(request: IncomingMessage, types: string[]): void {
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

function collect(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // One buffer that doubles: a body in many small chunks takes no more memory than its size.
    let whole: Buffer | undefined;
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        request.removeAllListeners('data');
        request.resume();
        reject(payloadTooLarge(limit));
        return;
      }
      if (whole === undefined) whole = chunk;
      else {
        if (size > whole.length) whole = Buffer.concat([whole], Math.max(size, whole.length * 2));
        chunk.copy(whole, size - chunk.length);
      }
    });
    request.on('end', () => resolve((whole ?? Buffer.alloc(0)).subarray(0, size)));
    const broken = (): void => reject(invalidJson('The connection ended before the body did.'));
    // Not the connection's own error, which would be taken for one of the database's connection.
    request.on('error', broken);
    request.on('close', () => {
      // This runs after every request: create the error, whose stack is costly, only when needed.
      if (!request.complete) broken();
    });
  });
}

function parseJson(raw: Buffer): unknown {
  if (raw.length === 0) throw invalidJson('The body is empty: send a JSON object.');
  let text: string;
  try {
    text = decoder.decode(raw);
  } catch {
    throw invalidJson('The body is not UTF-8: encode it as UTF-8.');
  }
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
