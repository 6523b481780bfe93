import type { Knex } from 'knex';
import { currentVendors } from '../bundles/vendor-lists';
import { type Changer, refuseManyVendorLists } from '../db/daily-limits';
import { sealFact } from '../db/ledger/facts';
import { vendorsRecord } from '../db/ledger/records';
import { EnvironmentRow, VendorListRow } from '../db/models';
import { clock } from '../domain/clock';
import { ValidationError } from '../domain/errors';
import type { Vendor } from '../domain/types';
import { vendorErrors } from '../domain/vendor-rules';

/** The current list, locked until the transaction ends by the environment's row. */
export async function lockVendors(trx: Knex.Transaction, environmentId: string) {
  await EnvironmentRow.query(trx).findById(environmentId).forNoKeyUpdate();
  return currentVendors(trx, environmentId);
}

/** Writes a new version of a list. Throws 429 for too many in a day. */
export async function publishVendors(
  trx: Knex.Transaction,
  environment_id: string,
  vendors: Vendor[],
  created_by: number | null,
  changer: Changer,
): Promise<VendorListRow> {
  const { version } = await lockVendors(trx, environment_id);
  await refuseManyVendorLists(trx, environment_id, version, changer);
  const row = { environment_id, version: version + 1, vendors, created_at: clock.date(), created_by };
  const stored = await VendorListRow.query(trx).insertAndFetch(row);
  await sealFact(trx, {
    ...{ environmentId: environment_id, kind: 'vendors', subject: String(row.version) },
    record: vendorsRecord(stored),
  });
  return stored;
}

/** Checks what a schema cannot express. Throws a `ValidationError` that lists every error. */
export function checkVendors(
  vendors: readonly Vendor[],
  { settings }: Pick<EnvironmentRow, 'settings'>,
): void {
  const keys = settings.categories.map(({ key }) => key);
  const errors = vendorErrors(vendors, keys);
  if (errors.length > 0) throw new ValidationError(errors);
}
