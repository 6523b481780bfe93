import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Download } from '../api/handler';
import { translateDatabaseError } from '../db/errors';
import { ApiError, type FieldError } from '../errors';
import type { Logger } from '../logger';

/** What both hosts know of a request from its first line on. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** The trace id of a W3C `traceparent` header, for the logs. */
  traceId: string | undefined;
  startedAt: number;
  /** The operation, as far as it is known; for logs and metrics. */
  operationId: string;
  /** Any origin may read the answer. */
  open: boolean;
  /** An origin that may read an owner's answer. */
  consoleOrigin: string | undefined;
  /** The headers of the answer are wanted, the body is not. */
  head: boolean;
}

export function beginExchange(request: IncomingMessage, response: ServerResponse): Exchange {
  return {
    request,
    response,
    requestId: requestIdOf(request),
    traceId: /^[0-9a-f]{2}-([0-9a-f]{32})-/.exec(String(request.headers.traceparent ?? ''))?.[1],
    startedAt: performance.now(),
    operationId: 'none',
    open: false,
    consoleOrigin: undefined,
    head: request.method === 'HEAD',
  };
}

function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID();
}

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

/** Whether the caller has what an ETag stands for (RFC 9110 § 13.1.2). */
export function isKnown({ request }: Exchange, etag: string): boolean {
  const header = request.headers['if-none-match'];
  if (header === undefined) return false;
  return header.split(',').some((part) => {
    const tag = part.trim();
    return tag === '*' || tag.replace(/^W\//, '') === etag;
  });
}

/** Sends bytes that are ready to go, or nothing of them for HEAD. */
export function sendBytes(exchange: Exchange, bytes: Buffer, headers: Record<string, string>): void {
  const { response } = exchange;
  response.writeHead(
    200,
    Object.assign(baseHeaders(exchange), headers, { 'Content-Length': String(bytes.length) }),
  );
  response.end(exchange.head ? undefined : bytes);
}

/** Sends a JSON text. */
export function sendJson(
  exchange: Exchange,
  status: number,
  json: string,
  extra?: Record<string, string>,
): void {
  const { response } = exchange;
  if (response.destroyed || response.headersSent) return;
  const headers = baseHeaders(exchange);
  headers['Content-Type'] = 'application/json; charset=utf-8';
  headers['Content-Length'] = String(Buffer.byteLength(json));
  response.writeHead(status, extra === undefined ? headers : Object.assign(headers, extra));
  response.end(exchange.head ? undefined : json);
}

/** Sends a status and headers alone. */
export function sendNothing(exchange: Exchange, status: number, extra: Record<string, string>): void {
  exchange.response.writeHead(status, { ...baseHeaders(exchange), ...extra });
  exchange.response.end();
}

/** Starts a download; the caller pipes the file. */
export function sendFileHead(exchange: Exchange, { contentType, fileName, inline }: Download): void {
  exchange.response.writeHead(200, {
    ...baseHeaders(exchange),
    'Content-Type': contentType,
    'Content-Disposition': `${inline ? 'inline' : 'attachment'}; filename="${fileName}"`,
    // A page among the files may show itself, and do nothing else.
    'Content-Security-Policy':
      "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  });
}

/** The envelope of a success. */
export const successJson = (data: unknown, message: string): string =>
  `{"status":"success","data":${JSON.stringify(data)},"message":${JSON.stringify(message)}}`;

/** The envelope of a failure, within the bounds that the contract sets: a place can hold a name as long as the caller likes. */
export const failureJson = (error: ApiError): string =>
  JSON.stringify({
    status: 'error',
    data: { code: error.code, errors: error.errors.slice(0, 1000).map(bounded) },
    message: cut(error.message, 1000),
  });

const bounded = ({ path, message, code }: FieldError): FieldError => ({
  path: cut(path, 500),
  message: cut(message, 1000),
  code: cut(code, 100),
});

const cut = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).toWellFormed();

/** Turns anything thrown into what the caller may see; what is our fault is logged and never shown. */
export function toApiError(thrown: unknown, log: Logger, exchange: Exchange): ApiError {
  const error = translateDatabaseError(thrown);
  if (error instanceof ApiError) return error;
  log.error({ error, request_id: exchange.requestId, operation: exchange.operationId }, 'a request failed');
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
