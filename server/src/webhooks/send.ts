import type { ClientRequest } from 'node:http';
import { VERSION } from '../config/version';
import { follow } from '../net/abortable';
import { type Answer, isSuccess, readAnswer } from '../net/answer';
import { describeFailure, Failure } from '../net/failure';
import { readTarget } from '../net/target';
import type { Transport } from '../net/transport';

export { createTransport, type Transport } from '../net/transport';

export interface WebhookRequest {
  url: string;
  method: 'POST' | 'GET';
  /** The signature headers. */
  headers: Record<string, string>;
  /** JSON, sent as it is with either method. */
  body: Buffer;
  /** Ends the attempt as a failure, unless a status line has come. */
  signal?: AbortSignal;
}

export interface Outcome {
  /** A 2xx status line came in time. */
  ok: boolean;
  status?: number;
  /** Seconds, 0 to 3600; only after a failure. */
  retryAfterSeconds?: number;
  /** The first 4 KiB of the answer, of a success 256 bytes; empty when none came. */
  responseBody: string;
  /** One line without addresses, query or personal data. */
  error?: string;
  durationMs: number;
  /** The receiver answered 410 Gone. */
  gone: boolean;
}

/**
 * One attempt, limited by the transport's `totalMs` (15 s). Never throws: failures are part of the outcome.
 */
export async function sendWebhook(transport: Transport, request: WebhookRequest): Promise<Outcome> {
  const started = performance.now();
  const { controller, release } = follow(request.signal, transport.closed);
  const timer = setTimeout(() => controller.abort(new Failure('TIMEOUT')), transport.limits.totalMs);
  const durationMs = (): number => Math.round(performance.now() - started);
  try {
    const answer = await exchange(transport, request, controller.signal);
    // Node's parser takes any digits; below 100 it is no status.
    if (answer.status < 100) throw new Failure('HPE_INVALID_STATUS');
    return { ...judge(answer), durationMs: durationMs() };
  } catch (error) {
    return {
      ok: false,
      responseBody: '',
      error: describeFailure(error),
      durationMs: durationMs(),
      gone: false,
    };
  } finally {
    clearTimeout(timer);
    release();
  }
}

function judge({ status, body, retryAfterSeconds }: Answer): Omit<Outcome, 'durationMs'> {
  if (isSuccess(status)) return { ok: true, status, responseBody: body, gone: false };
  const redirect = status >= 300 && status < 400 ? '; redirects are not followed, set the final URL' : '';
  return {
    ok: false,
    status,
    responseBody: body,
    error: `The receiver answered ${status}${redirect}.`,
    gone: status === 410,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
}

/**
 * Sends, and retries once if the receiver closed the pooled connection before answering (RFC 9112, 9.3.1).
 */
async function exchange(transport: Transport, request: WebhookRequest, signal: AbortSignal): Promise<Answer> {
  const url = readTarget(request.url, transport.policy);
  const start = (fresh: boolean): ClientRequest =>
    transport.request(url, { method: request.method, headers: headersOf(request), fresh });
  try {
    return await answerTo(start(false), request.body, signal);
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error;
    return answerTo(start(true), request.body, signal);
  }
}

function headersOf({ headers, body }: WebhookRequest): Record<string, string | number> {
  return {
    ...headers,
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    'User-Agent': `Avow-Webhooks/${VERSION}`,
  };
}

/** A connection from the pool that ended before a byte of the answer came. */
class StaleConnection extends Error {}

function answerTo(sent: ClientRequest, body: Buffer, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let answered = false;
    const stop = (): void => {
      sent.destroy();
      // A request without a connection reports nothing yet.
      reject(signal.reason);
    };
    const fail = (error: Error): void => {
      const stale = sent.reusedSocket && !answered && !signal.aborted;
      reject(stale ? new StaleConnection() : error);
    };
    sent.once('socket', (socket) => {
      // Not bytesRead, which also counts TLS's closing records.
      socket.once('data', () => {
        answered = true;
      });
    });
    // From here on the end of the body settles the attempt; later errors are ignored.
    sent.once('response', (message) => resolve(readAnswer(message)));
    sent.on('error', fail);
    sent.once('close', () => {
      signal.removeEventListener('abort', stop);
      fail(new Failure('ECONNRESET'));
    });
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    sent.end(body);
  });
}
