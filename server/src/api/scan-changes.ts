import { ScanRow } from '../db/models';
import { notFound } from '../domain/errors';
import { oldestScan } from '../services/evidence';
import { scanChanges } from '../services/scan-changes';
import type { Handler } from './handler';

export const getScanChanges: Handler<'getScanChanges'> = async ({ db }, { environment, params }) => {
  const row = await ScanRow.query(db)
    .findById(params.scan_id.toLowerCase())
    .where({ environment_id: environment.id })
    .where('created_at', '>', oldestScan());
  if (row === undefined) throw notFound('This scan');
  return scanChanges(db, row);
};
