import { isDeepStrictEqual } from 'node:util';
import { StoredFile } from '../bundles/packed';
import { viewOf } from '../bundles/vendor-lists';
import { changesOf } from '../domain/audit';
import { conflict } from '../domain/errors';
import { checkVendors, lockVendors, publishVendors } from '../services/vendors';
import type { Handler } from './handler';

/** How long a browser may show a list without asking again, in seconds. */
const MAX_AGE = 300;

export const getVendors: Handler<'getVendors'> = async ({ vendorLists }, { site }) =>
  new StoredFile(await vendorLists.find(site, 'Vendors.'), `public, max-age=${MAX_AGE}`);

export const replaceVendors: Handler<'replaceVendors'> = async (
  _context,
  { environment, body, caller, role, trx, audit },
) => {
  const { vendors, expected_version: expected } = body;
  checkVendors(vendors, environment);
  const present = await lockVendors(trx, environment.id);
  if (expected !== undefined && expected !== present.version) {
    // If the stored state already equals the requested one, a client that repeats its request after a lost
    // connection succeeds.
    if (isDeepStrictEqual(vendors, present.vendors)) return viewOf(present, environment.created_at);
    throw conflict(
      `The vendors were changed by somebody else: their version is ${present.version} now, and your list was made of version ${expected}. Read the present ones, then save your change again.`,
    );
  }
  audit.note({ changes: changesOf({ vendors: present.vendors }, { vendors }) });
  const row = await publishVendors(trx, environment.id, vendors, caller.userId, { role, caller });
  return viewOf(row, row.created_at);
};
