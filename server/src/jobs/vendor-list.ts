import type { Context } from '../context';
import { listState } from '../db/global-vendor-list';
import { refreshList } from '../services/tcf/refresh';
import { republishWith } from '../services/tcf/republish';

/** Keeps the Global Vendor List up to date, and with it the banners that it changes. */
export async function refreshVendorList(
  wiring: Pick<Context, 'config' | 'db' | 'log' | 'program' | 'publicUrl' | 'metrics'>,
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  const { config, db, log, metrics } = wiring;
  if (await refreshList(db, log, config.tcfList, now, signal)) await republishWith(wiring, signal);
  metrics.tcf.list(await listState(db));
}
