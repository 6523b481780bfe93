import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import type { operations } from '../../../spec/generated/api';
import { EnvironmentRow, VendorListRow } from '../db/models';
import { PURPOSES } from '../domain/purposes';
import type { Vendor } from '../domain/types';
import { vendorErrors } from '../domain/vendor-rules';
import { conflict, ValidationError } from '../errors';
import { Cached, type Handler } from './handler';

/** How long a browser may show a list without asking again, in seconds. */
const MAX_AGE = 300;

/** The present list; before the first one it is empty and has the version 0. */
export async function presentVendors(
  db: Knex,
  environment_id: string,
): Promise<{ version: number; vendors: Vendor[]; created_at: Date | undefined }> {
  const row = await VendorListRow.query(db).where({ environment_id }).orderBy('version', 'desc').first();
  return { version: row?.version ?? 0, vendors: row?.vendors ?? [], created_at: row?.created_at };
}

function view({ version, vendors, created_at }: Awaited<ReturnType<typeof presentVendors>>, fallback: Date) {
  const used = new Set(
    vendors.flatMap(({ purposes, leg_int_purposes }) => [...purposes, ...leg_int_purposes]),
  );
  return {
    vendor_list_version: version,
    updated_at: (created_at ?? fallback).toISOString(),
    purposes: PURPOSES.filter(({ id }) => used.has(id)),
    vendors,
  };
}

export const getVendors: Handler<operations['getVendors']> = async ({ db }, { site }) => {
  const environment = await EnvironmentRow.query(db).findById(site.id).throwIfNotFound();
  const data = view(await presentVendors(db, site.id), environment.created_at);
  const etag = `"${createHash('sha256').update(JSON.stringify(data)).digest('base64url').slice(0, 27)}"`;
  return new Cached(data, etag, MAX_AGE);
};

export const replaceVendors: Handler<operations['replaceVendors']> = async (
  _context,
  { environment, body, caller, trx },
) => {
  const { vendors, expected_version: expected } = body;
  checkVendors(vendors, environment);
  const present = await lockVendors(trx, environment.id);
  if (expected !== undefined && expected !== present.version) {
    // What is there already is lost to nobody: a client that repeats its request after a cut connection is right.
    if (isDeepStrictEqual(vendors, present.vendors)) return view(present, environment.created_at);
    throw conflict(
      `The vendors were changed by somebody else: their version is ${present.version} now, and your list was made of version ${expected}. Read the present ones, then save your change again.`,
    );
  }
  const row = await publishVendors(trx, environment.id, vendors, caller.userId);
  return view(row, row.created_at);
};

/** The present list, until the end of the transaction: the environment's row is the lock of its list. */
async function lockVendors(trx: Knex.Transaction, environmentId: string) {
  await EnvironmentRow.query(trx).findById(environmentId).forUpdate();
  return presentVendors(trx, environmentId);
}

/** Writes a new version of a list. */
export async function publishVendors(
  trx: Knex.Transaction,
  environment_id: string,
  vendors: Vendor[],
  created_by: number | null,
): Promise<VendorListRow> {
  const { version } = await lockVendors(trx, environment_id);
  const row = { environment_id, version: version + 1, vendors, created_at: new Date(), created_by };
  return VendorListRow.query(trx).insertAndFetch(row);
}

/** Checks what a schema cannot say. Throws `ValidationError` naming every wrong place. */
export function checkVendors(
  vendors: readonly Vendor[],
  { settings }: Pick<EnvironmentRow, 'settings'>,
): void {
  const keys = settings.categories.map(({ key }) => key);
  const errors = vendorErrors(vendors, keys);
  if (errors.length > 0) throw new ValidationError(errors);
}
