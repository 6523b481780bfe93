import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Context } from '../context';
import { ApiError, type ErrorCode, ValidationError } from '../domain/errors';
import { logRequest } from '../observability/request-line';
import { failureJson, sendError } from './answer';
import { beginExchange, finishExchange } from './exchange';

/** The answer to a request that Node could not parse, by error code: status line and message. */
const REASONS = new Map<string, [status: number, title: string, code: ErrorCode, message: string]>([
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    [408, 'Request Timeout', 'unavailable', 'The request did not arrive in time: send it again.'],
  ],
  [
    'HPE_HEADER_OVERFLOW',
    [
      431,
      'Request Header Fields Too Large',
      'payload_too_large',
      'The URL and the headers together exceed 16 KiB: send fewer or shorter headers.',
    ],
  ],
  [
    'HPE_CHUNK_EXTENSIONS_OVERFLOW',
    [413, 'Payload Too Large', 'payload_too_large', 'The chunks of the body have extensions: remove them.'],
  ],
]);
const BROKEN: [number, string, ErrorCode, string] = [
  400,
  'Bad Request',
  'validation_failed',
  'This is not a valid HTTP/1.1 request: check its first line, headers and length (RFC 9112).',
];

/**
 * Answers what Node cannot parse, in the envelope and with a request id, and closes the connection. There is
 * no request object yet, so the answer is written by hand.
 */
export function refuseMalformed(
  { log, metrics }: Context,
  error: NodeJS.ErrnoException,
  socket: Duplex,
): void {
  const { _httpMessage: answer } = socket as Duplex & { _httpMessage?: ServerResponse };
  // The connection is gone, or an answer is already being sent.
  if (error.code === 'ECONNRESET' || !socket.writable || answer?.headersSent) {
    socket.destroy();
    return;
  }
  const [status, title, code, message] = REASONS.get(error.code ?? '') ?? BROKEN;
  const request_id = randomUUID();
  const body = failureJson(new ApiError(status, code, message));
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    `X-Request-Id: ${request_id}`,
    'X-Content-Type-Options: nosniff',
    'Cache-Control: no-store',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  // HTTP server sockets stay half open, and Node no longer monitors one that timed out. Without this the
  // client could keep it open for ever, and further requests on it would be executed.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  metrics.request('none', status, 0);
  logRequest(log, { request_id, method: 'none', operation: 'none', status, ms: 0 });
}

/**
 * What is wrong with the hosts of a request: HTTP/1.1 demands one, and no version allows two (RFC 9112 § 3.2). Node
 * would answer the first without a body, and take the first of two, where a proxy may have taken the second.
 */
export function hostFault({ httpVersion, rawHeaders }: IncomingMessage): ApiError | undefined {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1) return host('must be sent once', 'unique');
  return hosts === 0 && httpVersion === '1.1' ? host('is required in HTTP/1.1', 'required') : undefined;
}

/**
 * What is wrong with how a body is framed. A proxy that reads it in another way would take a part of it for the next
 * request, so its connection ends: HTTP/1.0 has no transfer codings, and none is known but `chunked` (RFC 9112 § 6.1).
 */
export function framingFault({ httpVersion, headers }: IncomingMessage): ApiError | undefined {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return undefined;
  if (httpVersion === '1.0')
    return ValidationError.of(
      'headers.Transfer-Encoding',
      'is not part of HTTP/1.0: send a Content-Length, or use HTTP/1.1 (RFC 9112 § 6.1)',
      'unexpected',
    );
  return coding.toLowerCase() === 'chunked'
    ? undefined
    : new ApiError(501, 'validation_failed', 'Only Transfer-Encoding: chunked is supported: use no other.');
}

const host = (message: string, code: string): ApiError =>
  ValidationError.of('headers.Host', `${message} (RFC 9112 § 3.2)`, code);

/** Refuses a complete request that neither host can handle. */
export function refuse(
  context: Context,
  request: IncomingMessage,
  response: ServerResponse,
  error: ApiError,
): void {
  const exchange = beginExchange(request, response);
  finishExchange(exchange, context);
  response.setHeader('Connection', 'close');
  sendError(exchange, error, context.log);
}

export const noExpectation = (): ApiError =>
  new ApiError(417, 'validation_failed', 'Only Expect: 100-continue is supported: remove the header.');
