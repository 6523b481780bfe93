import type { Express, Request, Response } from 'express';
import type { Context } from '../context';
import type { AddressOf } from './client';
import { limitLarge } from './limits';
import type { RateLimiter } from './rate-limit';

/** The state of the process as its probes show it. */
export interface Probes {
  /** Why the process accepts no requests now; undefined when it does. */
  notReady(): Promise<string | undefined>;
  /** All metrics in Prometheus' text format. */
  metrics(): Promise<{ contentType: string; text: string }>;
  /** Whether /metrics is answered on the main port. */
  metricsHere: boolean;
}

/** Who asks, and how often they may. */
export interface Askers {
  addressOf: AddressOf;
  limiter: RateLimiter | undefined;
}

/** `/healthz` (the process), `/readyz` (database and migrations) and `/metrics`. */
export function mountProbes(
  app: Express,
  { log }: Context,
  probes: Probes,
  { addressOf, limiter }: Askers,
): void {
  app.get('/healthz', (_request: Request, response: Response) => {
    response.locals.exchange.operationId = 'healthz';
    response.set('Cache-Control', 'no-store').json({ status: 'ok' });
  });
  app.get('/readyz', async (_request: Request, response: Response) => {
    response.locals.exchange.operationId = 'readyz';
    const reason = await probes.notReady();
    response.set('Cache-Control', 'no-store');
    if (reason === undefined) response.json({ status: 'ready' });
    else response.status(503).set('Retry-After', '1').json({ status: 'not ready', reason });
  });
  if (!probes.metricsHere) return;
  app.get('/metrics', async (request: Request, response: Response) => {
    response.locals.exchange.operationId = 'metrics';
    limitLarge(limiter, 'metrics', addressOf(request));
    try {
      const { contentType, text } = await probes.metrics();
      response.set('Content-Type', contentType).send(text);
    } catch (error) {
      log.error({ error }, 'metrics could not be collected');
      response.status(503).json({ status: 'not ready', reason: 'metrics could not be collected' });
    }
  });
}
