import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Knex } from 'knex';
import type { Config } from '../config';
import { findAsked } from '../db/asked-vendors';
import { BundleRow, type EnvironmentRow, ScanRow, VendorListRow } from '../db/models';
import { cookiesOfPages } from '../db/scanned-pages';
import { crowdedOf } from '../domain/auto-blocking/places';
import { type AskedVendors, askingVendors, vendorsAdding } from '../domain/banner/asked-vendors';
import { type Assembled, assembleBundle, type Weighed, weigh } from '../domain/banner/assemble';
import { type BannerProgram, type BundleSources, letsGo } from '../domain/banner/sources';
import { type KeptTest, testDigest, testNumber } from '../domain/banner/tests';
import { lookOf, optionsOfB, pathInB, withVersionB } from '../domain/banner/version-b';
import type { Crowded } from '../domain/banner/warnings';
import type { OwnCookie } from '../domain/cookies/summary';
import type { Cmp } from '../domain/tcf/bundle';
import type { BundleOptions } from '../domain/types';
import { runYielding } from '../domain/yielding';
import { type HeldPlaces, heldPlaces } from './held-places';
import { cmpOf, tcfSource } from './tcf-source';

/** What makes bundles: the program, and where its scripts send decisions. */
export interface BundleMaker {
  program: BannerProgram;
  /** Scheme and host of this server, without a trailing slash. */
  server: string;
  /** Undefined where the operator is no CMP. */
  cmp?: Cmp | undefined;
}

type Done = (error: Error | null, zipped: Buffer) => void;

/** Makes bundles with this server's program and address. */
export const bundleMakerOf = ({
  program,
  publicUrl,
  config,
}: {
  program: BannerProgram;
  publicUrl(): string;
  config: Pick<Config, 'tcfCmpId' | 'tcfCmpVersion'>;
}): BundleMaker => ({
  program,
  server: publicUrl(),
  cmp: cmpOf(config),
});

/** A bundle that nobody has published yet. */
export interface Composed extends Weighed {
  vendorListVersion: number;
  /** What its visitors are asked about vendors. */
  asked: AskedVendors;
  /** Where the settings have an A/B test: what tells it from others, and the bundle of version B. */
  test?: { digest: string; b: Weighed };
  /** What auto-blocking holds and by which scans; undefined where it is off. */
  held: HeldPlaces | undefined;
}

/** What a bundle holds, and what tells it apart. */
export type Holding = Pick<HeldPlaces, 'rules' | 'digest'>;

type Composable = Pick<
  EnvironmentRow,
  'id' | 'token' | 'domains' | 'settings' | 'settings_version' | 'bundles' | 'banner_tests'
>;

/**
 * Makes the bundle of a site as its records are now; with `holding` it holds what another one held. Throws
 * `ValidationError` for bad options.
 */
export async function composeBundle(
  db: Knex,
  { program, server, cmp }: BundleMaker,
  environment: Composable,
  options: BundleOptions,
  holding?: Holding,
): Promise<Composed> {
  const { id: environment_id, token, domains, settings, settings_version: settingsVersion } = environment;
  const list = await VendorListRow.query(db).where({ environment_id }).orderBy('version', 'desc').first();
  const scan = await ScanRow.query(db)
    .where({ environment_id, state: 'done' })
    .orderBy('finished_at', 'desc')
    .first();
  const vendors = list?.vendors ?? [];
  const { pages } = await cookiesOfPages(db, environment, new Date(0));
  // The last scan tells most of its page; the scan of one page takes nothing away from what others keep.
  const scanned = [...(scan?.result?.cookies ?? []), ...pages.flatMap(({ cookies }) => cookies.map(asSeen))];
  const remembered = scan === undefined ? await cookiesBefore(db, environment) : {};
  const asked = await runYielding(askingVendors(vendors, settings.categories));
  const before = await askedBefore(db, environment);
  const tcf = await tcfSource(db, cmp, settings);
  const held = settings.auto_blocking?.enabled
    ? { ...(await heldPlaces(db, environment, vendors, server)), ...holding }
    : undefined;
  const sources = {
    ...(held && { autoBlocking: held.rules }),
    ...(letsGo(environment) && { autoBlocking: { rules: [] } }),
    ...(tcf && { tcf }),
    cmp,
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
  const added = before === undefined ? [] : await runYielding(vendorsAdding(before, asked));
  const crowded = crowdedOf(held?.places ?? []);
  const made = { vendorListVersion: list?.version ?? 0, asked, held };
  if (settings.banner_test == null) {
    const assembled = await runYielding(assembleBundle(sources, program));
    return { ...weigh(assembled, await zippedSize(assembled), added, crowded), ...made };
  }
  return { ...(await composeTest(sources, program, environment.banner_tests, { added, crowded })), ...made };
}

/** Version A with version B in it, and version B by itself, which the records of its visitors name. */
async function composeTest(
  sources: BundleSources,
  program: BannerProgram,
  tests: readonly KeptTest[],
  { added, crowded }: { added: readonly string[]; crowded: Crowded },
): Promise<Weighed & Required<Pick<Composed, 'test'>>> {
  const { settings, options } = sources;
  const digest = testDigest(settings, options);
  const common = { number: testNumber(tests, digest), share: settings.banner_test?.share as number };
  const ofB = { ...sources, settings: withVersionB(settings), options: optionsOfB(options) };
  const other = await runYielding(assembleBundle(ofB, program, () => ({ ...common, version: 'b' as const })));
  const assembled = await runYielding(
    assembleBundle(sources, program, (config) => ({
      ...common,
      version: 'a' as const,
      b: { hash: other.hash, look: lookOf(config, other.config) },
    })),
  );
  const b = weigh(other, await zippedSize(other), added, crowded);
  const a = weigh(assembled, await zippedSize(assembled), added, crowded);
  const known = new Set(a.warnings.map(({ code, path }) => `${code} ${path}`));
  const ofOther = b.warnings
    .filter(({ code, path }) => !known.has(`${code} ${path}`))
    .map((warning) => ({ ...warning, path: pathInB(warning.path) }));
  return { ...a, warnings: [...a.warnings, ...ofOther], test: { digest, b } };
}

/** Off the main thread. */
async function zippedSize({ script }: Assembled): Promise<number> {
  const zip = promisify(gzip as (text: string, options: object, done: Done) => void);
  return (await zip(script, { level: 9 })).length;
}

/** What every banner under the present version of the policy has asked; undefined when there is none. */
export async function askedBefore(
  db: Knex,
  { id, settings, bundles: [present] }: Pick<EnvironmentRow, 'id' | 'settings' | 'bundles'>,
): Promise<AskedVendors | undefined> {
  const row = await findAsked(db, id, settings.policy_version);
  if (row !== undefined || present === undefined) return row?.vendors;
  // Published before this was kept.
  const bundle = await BundleRow.query(db).findById([id, present.hash]).select('config', 'vendors');
  return bundle?.config.policy_version === settings.policy_version
    ? runYielding(askingVendors(bundle.vendors, bundle.config.categories))
    : undefined;
}

/** Those of pages are all the site's own, and scripts can delete them. */
const asSeen = ([name, category]: OwnCookie) => ({ name, category, first_party: true, http_only: false });

/** By category: the cookies of the site's present bundle, which outlives the scan that found them. */
async function cookiesBefore(
  db: Knex,
  { id, bundles: [present] }: Pick<EnvironmentRow, 'id' | 'bundles'>,
): Promise<Record<string, string[]>> {
  const bundle = present && (await BundleRow.query(db).findById([id, present.hash]).select('config'));
  return Object.fromEntries((bundle?.config.categories ?? []).map(({ key, cookies }) => [key, cookies]));
}
