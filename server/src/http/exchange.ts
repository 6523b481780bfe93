import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../context';
import { logRequest } from '../observability/logger';
import { forgetLate, watchForLate } from './late';

/** What both hosts know of a request from the start. */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  /** The trace id of a W3C `traceparent` header, for the logs. */
  traceId: string | undefined;
  startedAt: number;
  /** The operation, if known; for logs and metrics. */
  operationId: string;
  /** Any origin may read the answer. */
  open: boolean;
  /** An origin that may read an owner's answer. */
  consoleOrigin: string | undefined;
  /** HEAD: only the headers of the answer are wanted. */
  head: boolean;
  /** Of a visitor's browser: it does not wait for long, and its line may be left out of the log. */
  visitor: boolean;
  /** Since when the caller waits for us, as `performance.now()`; while we wait for the caller, for ever. */
  waitsSince: number;
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
    visitor: false,
    waitsSince: Number.POSITIVE_INFINITY,
  };
}

/** An exchange with a visitor's browser, which is answered in time whatever happens. */
export function beginVisit(exchange: Exchange, { log }: Context): void {
  exchange.visitor = true;
  exchange.waitsSince = exchange.startedAt;
  watchForLate(exchange, log);
}

function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID();
}

/** Logs and counts a request once its answer is out, whichever host gave it. */
export function finishExchange(exchange: Exchange, { log, metrics, sampled }: Context): void {
  const { request, response } = exchange;
  const { method } = request;
  response.once('close', () => {
    const status = response.headersSent ? response.statusCode : 499;
    const milliseconds = performance.now() - exchange.startedAt;
    metrics.request(exchange.operationId, status, milliseconds / 1000);
    if (exchange.visitor) {
      forgetLate(exchange);
      if (status < 400 && !sampled()) return;
    }
    logRequest(log, {
      request_id: exchange.requestId,
      ...(exchange.traceId === undefined ? {} : { trace_id: exchange.traceId }),
      method,
      operation: exchange.operationId,
      status,
      ms: Math.round(milliseconds * 10) / 10,
    });
  });
}
