import type { Knex } from 'knex';
import { clock } from '../domain/clock';
import { rateLimited } from '../domain/errors';
import { DAY_MS } from '../domain/time';
import { BundleRow, type EnvironmentRow, SettingsVersionRow, VendorListRow } from './models';

/** New settings versions, vendor lists and bundles of a site in 24 hours, each: they are kept for good. */
const PER_DAY = 200;

/** Throws 429 when the settings of a site have changed too often; its row is locked by the caller. */
export async function refuseManyVersions(
  trx: Knex,
  { id, settings_version }: Pick<EnvironmentRow, 'id' | 'settings_version'>,
): Promise<void> {
  // Versions are numbered without a gap.
  const oldest = await SettingsVersionRow.query(trx)
    .findById([id, settings_version - PER_DAY + 1])
    .select('created_at');
  const most = `The settings of a site change at most ${PER_DAY} times in 24 hours`;
  refuseWithin(oldest, `${most}; send what changes together in one request`);
}

/** Throws 429 when a site's vendor list has been replaced too often; the site's row is locked by the caller. */
export async function refuseManyVendorLists(
  trx: Knex,
  environment_id: string,
  present: number,
): Promise<void> {
  // Versions are numbered without a gap.
  const oldest = await VendorListRow.query(trx)
    .findById([environment_id, present - PER_DAY + 1])
    .select('created_at');
  refuseWithin(oldest, `The vendors of a site are replaced at most ${PER_DAY} times in 24 hours`);
}

/** Throws 429 when a site has got too many new bundles; its row is locked by the caller. */
export async function refuseManyBundles(trx: Knex, environment_id: string): Promise<void> {
  const oldest = await BundleRow.query(trx)
    .where({ environment_id })
    .orderBy('created_at', 'desc')
    .offset(PER_DAY - 1)
    .select('created_at')
    .first();
  refuseWithin(oldest, `A site gets at most ${PER_DAY} new bundles in 24 hours`);
}

function refuseWithin(oldest: { created_at: Date } | undefined, why: string): void {
  if (oldest === undefined) return;
  const seconds = Math.ceil((oldest.created_at.getTime() + DAY_MS - clock.now()) / 1000);
  if (seconds > 0) throw rateLimited(seconds, `${why}: try again in ${seconds} s.`);
}
