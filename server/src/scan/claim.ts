import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { ScanRow } from '../db/models';
import { keepPage } from '../db/scanned-pages';
import { clock } from '../domain/clock';
import type { ScanResult } from '../domain/cookies/result';
import type { ScanEngine } from '../domain/types';
import { STRANGERS_KEPT } from './limits';
import { nextScan } from './next-scan';

/**
 * How long a process may work on a scan before another may take it over, in milliseconds: more than twice
 * what a scan may take.
 */
export const LEASE = 90_000;
/** A page whose scan ended two processes is not tried a third time. */
const MAX_RUNS = 2;

/** A scan that this process alone may finish, until its lease ends. */
export interface ClaimedScan {
  scan: ScanRow;
  lease: string;
}

export type Outcome = { engine: ScanEngine; result: ScanResult } | { error: string };

/**
 * Claims the scan whose turn is next, in a short transaction; one of a stranger only if `withStrangers` says
 * so.
 */
export async function claimScan(db: Knex, withStrangers = true): Promise<ClaimedScan | undefined> {
  return db.transaction(async (trx) => {
    const now = clock.date();
    const scan = await nextScan(trx, now, withStrangers);
    if (scan === undefined) return undefined;
    const free = { lease: null, lease_until: null };
    if (scan.runs >= MAX_RUNS) {
      const error = 'The scan was interrupted twice: start it again later.';
      await scan.$query(trx).patch({ ...free, state: 'failed', error, finished_at: now });
      return undefined;
    }
    const lease = randomUUID();
    const until = new Date(now.getTime() + LEASE);
    const patch = {
      state: 'running',
      lease,
      lease_until: until,
      runs: scan.runs + 1,
      started_at: now,
    } as const;
    return { scan: await scan.$query(trx).patchAndFetch(patch), lease };
  });
}

/**
 * Writes the result of a scan. False when the lease was lost: another process has the scan, and this result
 * is dropped.
 */
export async function settleScan(db: Knex, { scan, lease }: ClaimedScan, outcome: Outcome): Promise<boolean> {
  const what =
    'error' in outcome ? { state: 'failed' as const, ...outcome } : { state: 'done' as const, ...outcome };
  const finished_at = clock.date();
  return db.transaction(async (trx) => {
    const written = await ScanRow.query(trx)
      .where({ scan_id: scan.scan_id, lease })
      .patch({ ...what, counted: true, lease: null, lease_until: null, finished_at });
    if (written > 0 && 'result' in outcome) await keepPage(trx, { ...scan, ...outcome, finished_at });
    if (written > 0 && !scan.by_member) await forgetOldest(trx);
    return written > 0;
  });
}

/** What strangers left beyond the newest results: they are read within minutes, and cost nothing to make. */
const forgetOldest = (trx: Knex) =>
  trx.raw(
    `DELETE FROM cookie_scans WHERE scan_id IN (
       SELECT scan_id FROM cookie_scans WHERE NOT by_member AND state IN ('done', 'failed')
       ORDER BY created_at DESC, scan_id OFFSET ?)`,
    [STRANGERS_KEPT],
  );

/** Returns a scan that this process cannot finish to the queue, as if it had not begun. */
export async function releaseScan(db: Knex, { scan, lease }: ClaimedScan): Promise<void> {
  await ScanRow.query(db)
    .where({ scan_id: scan.scan_id, lease })
    .patch({ state: 'queued', runs: scan.runs - 1, lease: null, lease_until: null, started_at: null });
}
