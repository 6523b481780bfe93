import type { Download } from '../api/handler';
import { translateDatabaseError } from '../db/errors';
import { outageOf } from '../db/outage';
import { ApiError, type FieldError, MAX_ERRORS } from '../domain/errors';
import { beginning } from '../domain/text';
import { logFailure } from '../observability/failures';
import type { Logger } from '../observability/logger';
import { type Exchange, waitsNoMore } from './exchange';
import { fileNames } from './file-name';

/** Headers of every answer under `/api`. */
function baseHeaders(exchange: Exchange): Record<string, string> {
  const headers: Record<string, string> = {
    'X-Request-Id': exchange.requestId,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': exchange.open ? 'cross-origin' : 'same-origin',
  };
  if (exchange.open) {
    headers['Access-Control-Allow-Origin'] = '*';
    headers['Access-Control-Expose-Headers'] = 'X-Request-Id, Retry-After';
  } else {
    headers.Vary = 'Origin';
    if (exchange.consoleOrigin !== undefined) {
      headers['Access-Control-Allow-Origin'] = exchange.consoleOrigin;
      headers['Access-Control-Expose-Headers'] = 'X-Request-Id, Retry-After, Content-Disposition';
    }
  }
  return headers;
}

/** Whether the caller already has the version that an ETag names (RFC 9110 § 13.1.2). */
export function isKnown({ request }: Exchange, etag: string): boolean {
  const header = request.headers['if-none-match'];
  if (header === undefined) return false;
  return header.split(',').some((part) => {
    const tag = part.trim();
    return tag === '*' || tag.replace(/^W\//, '') === etag;
  });
}

/** Sends prepared bytes, or only their headers for HEAD. */
export function sendBytes(exchange: Exchange, bytes: Buffer, headers: Record<string, string>): void {
  const { response } = exchange;
  response.writeHead(
    200,
    Object.assign(baseHeaders(exchange), headers, { 'Content-Length': String(bytes.length) }),
  );
  response.end(exchange.head ? undefined : bytes);
  waitsNoMore(exchange);
}

/** Sends a JSON text, or its bytes in the encoding that the headers name. */
export function sendJson(
  exchange: Exchange,
  status: number,
  json: string | Buffer,
  extra?: Record<string, string>,
): void {
  const { response } = exchange;
  if (response.destroyed || response.headersSent) return;
  const headers = baseHeaders(exchange);
  headers['Content-Type'] = 'application/json; charset=utf-8';
  headers['Content-Length'] = String(Buffer.byteLength(json));
  response.writeHead(status, extra === undefined ? headers : Object.assign(headers, extra));
  response.end(exchange.head ? undefined : json);
  waitsNoMore(exchange);
}

/** Sends a status and headers alone. */
export function sendNothing(exchange: Exchange, status: number, extra: Record<string, string>): void {
  exchange.response.writeHead(status, { ...baseHeaders(exchange), ...extra });
  exchange.response.end();
}

/** Starts a JSON answer of unknown length; the caller pipes the body. */
export function sendJsonHead(exchange: Exchange, status: number, extra: Record<string, string>): void {
  const type = { 'Content-Type': 'application/json; charset=utf-8' };
  exchange.response.writeHead(status, { ...baseHeaders(exchange), ...type, ...extra });
}

/** Starts a download; the caller pipes the file. */
export function sendFileHead(
  exchange: Exchange,
  { contentType, fileName, inline }: Download,
  extra: Record<string, string>,
): void {
  exchange.response.writeHead(200, {
    ...baseHeaders(exchange),
    ...extra,
    'Content-Type': contentType,
    'Content-Disposition': `${inline ? 'inline' : 'attachment'}; ${fileNames(fileName)}`,
    // An HTML download may be displayed, but may not run or load anything.
    'Content-Security-Policy':
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  });
}

const BEFORE = '{"status":"success","data":';
const after = (message: string): string => `,"message":${JSON.stringify(message)}}`;

/** The envelope of a success. */
export const successJson = (data: unknown, message: string): string =>
  `${BEFORE}${JSON.stringify(data)}${after(message)}`;

/** The same for data that arrive in pieces. */
export async function* inEnvelope(json: AsyncIterable<string>, message: string): AsyncGenerator<string> {
  yield BEFORE;
  yield* json;
  yield after(message);
}

/** The same for data whose JSON is made already. */
export const bytesInEnvelope = (json: readonly Buffer[], message: string): Buffer =>
  Buffer.concat([Buffer.from(BEFORE), ...json, Buffer.from(after(message))]);

/** The envelope of a failure, within the contract's bounds: a path can contain a name of any length. */
export const failureJson = (error: ApiError): string =>
  JSON.stringify({
    status: 'error',
    data: { code: error.code, errors: error.errors.slice(0, MAX_ERRORS).map(bounded), ...error.more },
    message: cut(error.message, 1000),
  });

const bounded = ({ path, message, code }: FieldError): FieldError => ({
  path: cut(path, 500),
  message: cut(message, 1000),
  code: cut(code, 100),
});

const cut = (text: string, length: number): string => beginning(text, length);

/**
 * Turns anything thrown into an error that the caller may see; internal errors are logged and never shown.
 */
export function toApiError(thrown: unknown, log: Logger, exchange: Exchange): ApiError {
  const error = translateDatabaseError(thrown);
  const seen = { error: thrown, request_id: exchange.requestId, operation: exchange.operationId };
  if (error !== thrown && outageOf(thrown) !== undefined) logFailure(log, 'error', seen, 'a request failed');
  if (error instanceof ApiError) return error;
  logFailure(log, 'error', seen, 'a request failed');
  return new ApiError(
    500,
    'internal_error',
    'Something went wrong on our side: try again, and quote the X-Request-Id if it stays.',
  );
}

/** Sends what was thrown in the envelope. */
export function sendError(exchange: Exchange, thrown: unknown, log: Logger): void {
  const error = toApiError(thrown, log, exchange);
  sendJson(exchange, error.status, failureJson(error), error.headers);
}
