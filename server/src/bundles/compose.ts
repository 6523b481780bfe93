import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Knex } from 'knex';
import { BundleRow, type EnvironmentRow, ScanRow, VendorListRow } from '../db/models';
import { assembleBundle, type Weighed, weigh } from '../domain/banner/assemble';
import type { BannerProgram } from '../domain/banner/sources';
import type { BundleOptions } from '../domain/types';
import { runYielding } from './yielding';

/** What makes bundles: the program, and where its scripts send decisions. */
export interface BundleMaker {
  program: BannerProgram;
  /** Scheme and host of this server, without a trailing slash. */
  server: string;
}

type Done = (error: Error | null, zipped: Buffer) => void;

/** Makes bundles with this server's program and address. */
export const bundleMakerOf = ({
  program,
  publicUrl,
}: {
  program: BannerProgram;
  publicUrl(): string;
}): BundleMaker => ({
  program,
  server: publicUrl(),
});

/** A bundle that nobody has published yet. */
export interface Composed extends Weighed {
  vendorListVersion: number;
}

/** Makes the bundle of a site as its records are now. Throws `ValidationError` for bad options. */
export async function composeBundle(
  db: Knex,
  { program, server }: BundleMaker,
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
  const sources = {
    token,
    server,
    settings,
    settingsVersion,
    options,
    vendors,
    scanned,
    remembered,
    domains,
  };
  const assembled = await runYielding(assembleBundle(sources, program));
  // Off the main thread.
  const zipped = await promisify(gzip as (text: string, options: object, done: Done) => void)(
    assembled.script,
    { level: 9 },
  );
  return { ...weigh(assembled, zipped.length), vendorListVersion: list?.version ?? 0 };
}

/** By category: the cookies of the site's present bundle, which outlives the scan that found them. */
async function cookiesBefore(
  db: Knex,
  { id, bundles: [present] }: Pick<EnvironmentRow, 'id' | 'bundles'>,
): Promise<Record<string, string[]>> {
  const bundle = present && (await BundleRow.query(db).findById([id, present.hash]).select('config'));
  return Object.fromEntries((bundle?.config.categories ?? []).map(({ key, cookies }) => [key, cookies]));
}
