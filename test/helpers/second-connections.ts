import { AsyncLocalStorage } from 'node:async_hooks';
import type { Knex } from 'knex';

const callers = (): string => new Error('A second connection was asked for in a transaction:').stack ?? '';

/** Tests hold transactions as they like, and the lock of a job has a connection of its own while the job works. */
const isWatched = (from: string): boolean =>
  from.includes('/server/src/') && !from.includes('Scheduler.runOnce');

/** A transaction while it is open. */
const open = new AsyncLocalStorage<{ of: Knex; from: string; ended: boolean }>();

/**
 * Watches a pool for work that asks it for a second connection while its own transaction holds one: as many of them at
 * once as the pool has connections wait for each other until they give up. Returns how each came about.
 */
export function watchSecondConnections(db: Knex): string[] {
  const found: string[] = [];
  const begin = db.transaction.bind(db) as (...args: unknown[]) => Promise<unknown>;
  const watched = async (work: unknown, ...rest: unknown[]): Promise<unknown> => {
    const from = callers();
    if (typeof work !== 'function' || !isWatched(from)) return begin(work, ...rest);
    const transaction = { of: db, from, ended: false };
    try {
      return await begin((trx: unknown) => open.run(transaction, () => work(trx)), ...rest);
    } finally {
      transaction.ended = true;
    }
  };
  Object.defineProperty(db, 'transaction', { value: watched });
  const acquire = db.client.acquireConnection;
  db.client.acquireConnection = function (...args: unknown[]) {
    const transaction = open.getStore();
    if (transaction?.of === db && !transaction.ended)
      found.push(`${callers()}\nof the transaction that began so:\n${transaction.from}`);
    return acquire.apply(this, args);
  };
  return found;
}
