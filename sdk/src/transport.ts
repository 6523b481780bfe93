import { requestIdOf, unwrap } from './answer.js';
import { cancellableRequest } from './cancellable-request.js';
import { AvowConnectionError, AvowError } from './errors.js';
import { fileOf } from './file.js';

import type { Fetch, Hooks } from './options.js';
import { addressOf, type Params } from './request.js';
import type { Answered, OperationId } from './types.js';

/** One attempt of one operation. */
export interface Attempt {
  operation: OperationId;
  /** 1 for the first. */
  attempt: number;
  method: string;
  path: string;
  params: Params;
  body: string | null;
  headers: Headers;
  /** Whether the answer is a file. */
  download: boolean;
  /** Milliseconds; 0 for no limit. */
  timeout: number;
  signal: AbortSignal | undefined;
}

/**
 * Sends attempts to one service. Resolves to the envelope's `data`, or to a file as soon as its headers
 * arrive.
 */
export function createTransport(baseUrl: string, fetch: Fetch, { onRequest, onResponse, debug }: Hooks) {
  return async (sending: Attempt): Promise<Answered<unknown>> => {
    const { operation, attempt, method, path, params, body, headers, download, timeout, signal } = sending;
    const url = baseUrl + addressOf(path, params);
    const sent = cancellableRequest(
      signal,
      timeout,
      // A redirect would take passwords and tokens elsewhere; the service sends none.
      (signal) => new Request(url, { method, headers, body, signal, redirect: 'manual' }),
    );
    const event = { operation, attempt, request: sent.request };
    try {
      await onRequest?.(event);
      const start = Date.now();
      const [response, error] = await fetchOrError(fetch, sent.request);
      const milliseconds = Date.now() - start;
      const requestId = response && requestIdOf(response);
      // The path as the contract has it: the URL of the request contains parameters.
      const id = requestId ? `, request ${requestId}` : '';
      const end = `${response?.status ?? 'no answer'} in ${milliseconds} ms${id}`;
      debug?.(`${operation}, attempt ${attempt}: ${method} ${path}: ${end}`);
      await onResponse?.({ ...event, response, error, milliseconds });
      try {
        if (!response) throw error;
        const isFile = download && response.ok;
        const data = isFile ? fileOf(response, operation, signal) : await unwrap(operation, response);
        return { data, status: response.status, headers: response.headers, requestId, attempts: attempt };
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (error instanceof AvowError) throw error;
        throw noAnswerError(operation, baseUrl, sent.timedOut() ? timeout : undefined, error);
      }
    } finally {
      sent.stopTimer();
      // The body of a file is still to arrive, and can still be aborted.
      if (!download) sent.stopListening();
    }
  };
}

/** The answer, or the error when there is none. */
async function fetchOrError(fetch: Fetch, request: Request): Promise<[Response | undefined, unknown?]> {
  try {
    return [await fetch(request)];
  } catch (error) {
    return [undefined, error];
  }
}

function noAnswerError(operation: string, baseUrl: string, timeout: number | undefined, cause: unknown) {
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
