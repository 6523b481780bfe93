import type { Knex } from 'knex';
import { type EnvironmentRow, ScanRow, VendorListRow } from '../db/models';
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
  environment: Pick<EnvironmentRow, 'id' | 'token' | 'domains' | 'settings' | 'settings_version'>,
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
  const assembled = assembleBundle(
    { token, server, settings, settingsVersion, options, vendors, scanned, domains },
    program,
  );
  return { ...assembled, vendorListVersion: list?.version ?? 0 };
}
