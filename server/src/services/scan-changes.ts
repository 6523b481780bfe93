import type { Knex } from 'knex';
import { ScanRow } from '../db/models';
import { bounded } from '../domain/cookies/bounded';
import { pageOf } from '../domain/cookies/page';
import { type ComparedScan, compareScans, NO_SCAN_CHANGES } from '../domain/cookies/scan-changes';
import type { ScanChanges } from '../domain/types';
import { oldestScan } from './evidence';

/** Compares a scan of a site with the one before it of the same page. */
export async function scanChanges(db: Knex, scan: ScanRow): Promise<ScanChanges> {
  const { scan_id, state: status } = scan;
  const after = compared(scan);
  const before = after && (await scanBefore(db, scan));
  return {
    scan_id,
    status,
    before_scan_id: before?.scan_id ?? null,
    before_created_at: before?.created_at.toISOString() ?? null,
    ...(after === undefined ? NO_SCAN_CHANGES : compareScans(before && compared(before), after)),
  };
}

/** The last one that was done of the same page. */
const scanBefore = (db: Knex, { environment_id, url, page, created_at, scan_id }: ScanRow) =>
  ScanRow.query(db)
    .where({ environment_id, state: 'done' })
    .where('created_at', '>', oldestScan())
    .where((earlier) =>
      earlier
        .where('created_at', '<', created_at)
        .orWhere((same) => same.where({ created_at }).where('scan_id', '<', scan_id)),
    )
    .where((same) =>
      same.where({ page: page ?? pageOf(url).page }).orWhere((old) => old.whereNull('page').where({ url })),
    )
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'scan_id', order: 'desc' },
    ])
    .first();

function compared({ url, engine, result, state }: ScanRow): ComparedScan | undefined {
  return state === 'done' && result !== null ? { url, engine, result: bounded(result) } : undefined;
}
