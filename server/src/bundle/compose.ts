import type { Knex } from 'knex';
import { BundleRow, type EnvironmentRow, ScanRow, VendorListRow } from '../db/models';
import { type Assembled, assembleBundle } from '../domain/bundle/assemble';
import type { BannerProgram } from '../domain/bundle/program';
import type { BundleOptions } from '../domain/types';

/** What makes bundles: the program, and where its scripts send decisions. */
export interface Workshop {
  program: BannerProgram;
  /** Scheme and host of this server, without a trailing slash. */
  server: string;
}

/** A bundle that nobody has published yet. */
export interface Composed extends Assembled {
  vendorListVersion: number;
}

/** Makes the bundle of a site as its records are now. Throws `ValidationError` for bad options. */
export async function composeBundle(
  db: Knex,
  { program, server }: Workshop,
  environment: Pick<EnvironmentRow, 'id' | 'token' | 'domains' | 'settings' | 'settings_version' | 'bundles'>,
  options: BundleOptions,
): Promise<Composed> {
  const { id: environment_id, token, domains, settings, settings_version: settingsVersion } = environment;
  const list = await VendorListRow.query(db).where({ environment_id }).orderBy('version', 'desc').first();
  const scan = await ScanRow.query(db)
    .where({ environment_id, state: 'done' })
    .orderBy('finished_at', 'desc')
    .first();
  const vendors = list?.vendors ?? [];
  const scanned = scan?.result?.cookies ?? [];
  const remembered = scan === undefined ? await cookiesBefore(db, environment) : {};
  const assembled = assembleBundle(
    { token, server, settings, settingsVersion, options, vendors, scanned, remembered, domains },
    program,
  );
  return { ...assembled, vendorListVersion: list?.version ?? 0 };
}

/** By category: the cookies of the site's present bundle, which outlives the scan that found them. */
async function cookiesBefore(
  db: Knex,
  { id, bundles: [present] }: Pick<EnvironmentRow, 'id' | 'bundles'>,
): Promise<Record<string, string[]>> {
  const bundle = present && (await BundleRow.query(db).findById([id, present.hash]).select('config'));
  return Object.fromEntries((bundle?.config.categories ?? []).map(({ key, cookies }) => [key, cookies]));
}
