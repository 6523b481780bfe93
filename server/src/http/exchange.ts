import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../context';
import { WAITING } from '../domain/waiting-requests';
import { logRequest } from '../observability/request-line';

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
  /** Who watches a visitor's exchange, which does not wait for long; its line may be left out of the log. */
  watch: Watch | undefined;
  /** Where its watch keeps it. */
  place: number;
  /** Since when the caller waits for us, as `performance.now()`; while we wait for the caller, for ever. */
  waitsSince: number;
  /** Whether it is counted among those that wait for their answer. */
  waits: boolean;
}

/** Is told of the end of what it watches. */
export interface Watch {
  forget(exchange: Exchange): void;
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
    watch: undefined,
    place: -1,
    waitsSince: Number.POSITIVE_INFINITY,
    waits: false,
  };
}

function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID();
}

/** From now on its reader is waited for, if anybody is. */
export function waitsNoMore(exchange: Exchange): void {
  if (!exchange.waits) return;
  exchange.waits = false;
  WAITING.count -= 1;
}

/** Logs and counts a request once its answer is out, whichever host gave it. */
export function finishExchange(exchange: Exchange, { log, metrics, sampled }: Context): void {
  const { request, response } = exchange;
  const { method } = request;
  exchange.waits = true;
  WAITING.count += 1;
  response.once('close', () => {
    waitsNoMore(exchange);
    const status = response.headersSent ? response.statusCode : 499;
    const milliseconds = performance.now() - exchange.startedAt;
    metrics.request(exchange.operationId, status, milliseconds / 1000);
    if (exchange.watch !== undefined) {
      exchange.watch.forget(exchange);
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
