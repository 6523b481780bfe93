import { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch';
import { unwrap } from './answer.js';
import { AvowConnectionError, AvowError } from './errors.js';
import { flight } from './flight.js';
import type { Fetch } from './options.js';

/** One attempt of one operation. */
export interface Attempt {
  operation: string;
  method: string;
  path: string;
  params: { path: Record<string, unknown>; query: Record<string, unknown> };
  body: string | null;
  headers: Headers;
  /** Whether the answer is a file. */
  download: boolean;
  /** Milliseconds; 0 for no limit. */
  timeout: number;
  signal: AbortSignal | undefined;
}

// As the contract declares its lists: `?events=a,b`.
const querySerializer = createQuerySerializer({ array: { style: 'form', explode: false } });
const pathSerializer = defaultPathSerializer;

/** Sends attempts to one service; resolves to the envelope's `data`, or to the `Response` of a file once its headers are here. */
export function createTransport(baseUrl: string, fetch: Fetch) {
  return async (attempt: Attempt): Promise<unknown> => {
    const { operation, method, path, params, body, headers, download, timeout, signal } = attempt;
    const url = createFinalURL(path, { baseUrl, params, querySerializer, pathSerializer });
    const sent = flight(signal, timeout, (end) => new Request(url, { method, headers, body, signal: end }));
    try {
      const response = await fetch(sent.request);
      return download && response.ok ? response : await unwrap(operation, response);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof AvowError) throw error;
      throw unanswered(operation, baseUrl, sent.timedOut() ? timeout : undefined, error);
    } finally {
      sent.stopTimer();
      // The body of a file is still to come, and can still be aborted.
      if (!download) sent.stopListening();
    }
  };
}

function unanswered(operation: string, baseUrl: string, timeout: number | undefined, cause: unknown) {
  const { message, cause: inner } = cause as {
    message?: string;
    cause?: { message?: string; code?: string };
  };
  const why =
    timeout === undefined
      ? ` (${inner?.message || inner?.code || message}); check \`baseUrl\` and that the service runs`
      : ` within ${timeout} ms; check the service, or raise \`timeout\``;
  const details = { operation, timedOut: timeout !== undefined, cause };
  return new AvowConnectionError(`${operation}: no answer from ${baseUrl}${why}`, details);
}
