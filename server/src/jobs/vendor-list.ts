import type { Knex } from 'knex';
import type { Context } from '../context';
import { listState } from '../db/global-vendor-list';
import { refreshList } from '../services/tcf/refresh';
import { republishWith } from '../services/tcf/republish';

/** The list for which all banners of a database were looked through by this process. */
const published = new WeakMap<Knex, number>();

/** Keeps the Global Vendor List up to date, and with it the banners that it changes. */
export async function refreshVendorList(
  wiring: Pick<Context, 'config' | 'db' | 'log' | 'program' | 'publicUrl' | 'metrics'>,
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  const { config, db, log, metrics } = wiring;
  await refreshList(db, log, config.tcfList, now, signal);
  const state = await listState(db);
  // Also after a start, because the process before may have ended in the middle of it.
  if (state.version !== null && state.version !== published.get(db) && (await republishWith(wiring, signal)))
    published.set(db, state.version);
  metrics.tcf.list(state);
}
