import type { Context } from '../context';
import { unavailable } from '../domain/errors';
import type { Logger } from '../observability/logger';
import { sendError } from './answer';
import type { Exchange, Watch } from './exchange';

/** How long a visitor waits for an answer, and how often that is looked at, in milliseconds. */
const LIMIT = 4_000;
const LOOK = 250;

/** Visitors who wait, and where to log. */
const waiting = new Map<Exchange, Logger>();
let timer: NodeJS.Timeout | undefined;

const watch: Watch = { forget: (exchange) => void waiting.delete(exchange) };

/**
 * An exchange with a visitor's browser: one that waits for too long is answered with 503, because a database
 * that is silent is noticed much later. What was sent may still be stored; nobody has said that it was.
 */
export function beginVisit(exchange: Exchange, { log }: Context): void {
  exchange.watch = watch;
  exchange.waitsSince = exchange.startedAt;
  waiting.set(exchange, log);
  timer ??= setInterval(look, LOOK).unref();
}

function look(): void {
  const oldest = performance.now() - LIMIT;
  for (const [exchange, log] of waiting) {
    if (exchange.waitsSince > oldest) continue;
    waiting.delete(exchange);
    sendError(exchange, unavailable('The server could not answer in time: try again shortly.', 2), log);
  }
  if (waiting.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}
