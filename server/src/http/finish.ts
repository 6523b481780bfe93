import type { Context } from '../context';
import { logRequest } from '../logger';
import type { Exchange } from './answer';

/** Logs and counts a request once its answer is out, whichever host gave it. */
export function finishExchange(exchange: Exchange, { log, metrics }: Context): void {
  const { request, response } = exchange;
  const { method } = request;
  response.once('close', () => {
    const status = response.headersSent ? response.statusCode : 499;
    const milliseconds = performance.now() - exchange.startedAt;
    metrics.request(exchange.operationId, status, milliseconds / 1000);
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
