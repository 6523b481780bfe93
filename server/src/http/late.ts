import type { Context } from '../context';
import { unavailable } from '../domain/errors';
import type { Logger } from '../observability/logger';
import { sendError } from './answer';
import type { Exchange, Watch } from './exchange';

/** How long a visitor waits for an answer, and how often that is looked at, in milliseconds. */
const LIMIT = 4_000;
const LOOK = 250;

interface Visit {
  exchange: Exchange;
  log: Logger;
}

/**
 * Visitors who wait, each at a place of its own that is emptied and used again. Not a map: what one throws away when
 * it grows still points to exchanges, and the garbage collector then moves all of them to where it seldom looks.
 */
const waiting: (Visit | undefined)[] = [];
const free: number[] = [];
let timer: NodeJS.Timeout | undefined;

const watch: Watch = {
  forget: (exchange) => {
    if (waiting[exchange.place]?.exchange !== exchange) return;
    waiting[exchange.place] = undefined;
    free.push(exchange.place);
  },
};

/**
 * An exchange with a visitor's browser: one that waits for too long is answered with 503, because a database
 * that is silent is noticed much later. What was sent may still be stored; nobody has said that it was.
 */
export function beginVisit(exchange: Exchange, { log }: Context): void {
  exchange.watch = watch;
  exchange.waitsSince = exchange.startedAt;
  exchange.place = free.pop() ?? waiting.length;
  waiting[exchange.place] = { exchange, log };
  timer ??= setInterval(look, LOOK).unref();
}

function look(): void {
  const oldest = performance.now() - LIMIT;
  for (const visit of waiting) {
    if (visit === undefined || visit.exchange.waitsSince > oldest) continue;
    watch.forget(visit.exchange);
    const late = unavailable('The server could not answer in time: try again shortly.', 2);
    sendError(visit.exchange, late, visit.log);
  }
  if (free.length < waiting.length) return;
  clearInterval(timer);
  timer = undefined;
}
