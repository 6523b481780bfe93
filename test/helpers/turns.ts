import { AsyncLocalStorage } from 'node:async_hooks';
import { type IncomingMessage, Server } from 'node:http';
import type { Context } from '../../server/src/context';
import { FairTurns } from '../../server/src/domain/fair-turns';

/** A request while it is answered. */
const asking = new AsyncLocalStorage<{ what: string; inTurn: boolean }>();
const WATCHED = Symbol.for('avow test: turns are watched');

function watchOnce(): void {
  const turns = FairTurns.prototype as unknown as Record<symbol, boolean> & FairTurns;
  if (turns[WATCHED]) return;
  turns[WATCHED] = true;
  const { take } = turns;
  turns.take = function (sender, work, patience) {
    const request = asking.getStore();
    const inTurn = request === undefined ? work : () => asking.run({ ...request, inTurn: true }, work);
    return take.call(this, sender, inTurn, patience) as ReturnType<typeof work>;
  };
  const { emit } = Server.prototype;
  Server.prototype.emit = function (this: Server, ...all: [string, ...unknown[]]) {
    const [name, ...args] = all;
    const go = () => Reflect.apply(emit, this, all) as boolean;
    if (name !== 'request') return go();
    const { method, url } = args[0] as IncomingMessage;
    return asking.run({ what: `${method} ${url?.split('?')[0]}`, inTurn: false }, go);
  } as typeof emit;
}

type Watched = Pick<Context, 'db' | 'dispatcher' | 'ingest' | 'scans'>;

/**
 * Watches a pool for requests that ask for a connection before it is their turn: so many of them at once keep everybody
 * else waiting. Returns which, and how.
 */
export function watchTurns({ db, dispatcher, ingest, scans }: Watched): string[] {
  watchOnce();
  // What a request only causes is no part of it: deliveries, scans, and a group of decisions, whose partition may be missing.
  const wake = dispatcher.wake.bind(dispatcher);
  dispatcher.wake = (webhooks) => asking.exit(() => wake(webhooks));
  const wakeScans = scans.wake.bind(scans);
  scans.wake = () => asking.exit(wakeScans);
  const record = ingest.record.bind(ingest);
  ingest.record = (entry) => asking.exit(() => record(entry));
  const found: string[] = [];
  const acquire = db.client.acquireConnection;
  db.client.acquireConnection = function (...args: unknown[]) {
    const request = asking.getStore();
    if (request !== undefined && !request.inTurn)
      found.push(new Error(`${request.what} asked for a connection without its turn`).stack ?? '');
    return acquire.apply(this, args);
  };
  return found;
}
