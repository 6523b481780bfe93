import type { Knex } from 'knex';
import { findAsked, keepAsked } from '../db/asked-vendors';
import { type Changer, COMMAND, refuseManyBundles } from '../db/daily-limits';
import { bundleHashes, bundleRecord } from '../db/ledger/bundle-record';
import { newestOf, sealFact } from '../db/ledger/facts';
import { BundleRow, EnvironmentRow } from '../db/models';
import { keepHeldPages } from '../db/scanned-hosts';
import { expectedRate, UNKNOWN_RATE } from '../db/test-counts';
import { type AskedVendors, askedInBoth, vendorsAdding } from '../domain/banner/asked-vendors';
import type { Weighed } from '../domain/banner/assemble';
import { REMEMBERED } from '../domain/banner/remembered';
import { digestFor, letsGo } from '../domain/banner/sources';
import { type KeptTest, runningTest, testDigest, testsAfter } from '../domain/banner/tests';
import { clock } from '../domain/clock';
import type { BundleOptions, TestAim } from '../domain/types';
import { runYielding } from '../domain/yielding';
import { askedBefore, type BundleMaker, type Composed, composeBundle, type Holding } from './compose';

/**
 * Makes a site's bundle and publishes it, in the caller's transaction. The same result updates the same row;
 * the bundles before it stay. With `holding` it holds what another one held. Throws `ValidationError` for bad
 * options, and 429 for too many in a day.
 */
export async function publishBundle(
  trx: Knex.Transaction,
  maker: BundleMaker,
  environmentId: string,
  options: BundleOptions,
  createdBy: number | null,
  { changer = COMMAND, holding }: { changer?: Changer; holding?: Holding | undefined } = {},
): Promise<BundleRow> {
  const planned = await plannedRate(trx, environmentId, options);
  // The environment's row is the lock: what is published belongs to its present settings, and the last one
  // wins.
  const environment = await EnvironmentRow.query(trx)
    .findById(environmentId)
    .forNoKeyUpdate()
    .throwIfNotFound();
  const made = await composeBundle(trx, maker, environment, options, holding);
  const program = digestFor(maker.program, environment.settings, letsGo(environment));
  const now = clock.date();
  const common = {
    environment_id: environmentId,
    program_digest: program,
    settings_version: environment.settings_version,
    vendor_list_version: made.vendorListVersion,
    created_at: now,
    created_by: createdBy,
    published_at: now,
  };
  const shown: Weighed[] = [made, ...(made.test === undefined ? [] : [made.test.b])];
  for (const one of shown) await keepBundle(trx, one, common, changer);
  const present = shown.map(({ hash, config: { tcf, asked_vendors, test } }) => ({
    hash,
    version: environment.settings_version,
    vendors: made.vendorListVersion,
    program,
    ...(tcf && { tcf: { cmp: tcf.cmp_id, list: tcf.vendor_list_version } }),
    ...(asked_vendors && { by_vendor: true as const }),
    ...(test && { test: { number: test.number, version: test.version } }),
    ...(made.held && { holds: made.held.digest }),
  }));
  await keepAskedVendors(trx, environment, made.asked, now);
  if (made.held !== undefined && holding === undefined)
    await keepHeldPages(trx, environmentId, made.held.pages);
  const others = environment.bundles.filter(({ hash }) => shown.every((one) => one.hash !== hash));
  const bundles = [...present, ...others].slice(0, REMEMBERED);
  const banner_tests = await testsOf(trx, environment, made, { planned, now });
  await environment.$query(trx).patch({ bundles, banner_tests, updated_at: now });
  const stored = await BundleRow.query(trx).findById([environmentId, made.hash]).throwIfNotFound();
  // One that was published before may need another warning today.
  return Object.assign(stored, { warnings: made.warnings });
}

type Common = Omit<BundleKey, 'hash'> &
  Pick<
    BundleRow,
    | ('program_digest' | 'settings_version' | 'vendor_list_version')
    | ('created_at' | 'created_by' | 'published_at')
  >;
type BundleKey = Pick<BundleRow, 'environment_id' | 'hash'>;

/** Stores a bundle and seals it, once. */
async function keepBundle(
  trx: Knex.Transaction,
  made: Weighed,
  common: Common,
  changer: Changer,
): Promise<void> {
  const { environment_id: environmentId, published_at } = common;
  const published = await BundleRow.query(trx).findById([environmentId, made.hash]).patch({ published_at });
  if (published > 0) return;
  const row = {
    ...common,
    hash: made.hash,
    script: made.script,
    integrity: made.integrity,
    bytes: made.bytes,
    gzip_bytes: made.gzipBytes,
    config: made.config,
    texts: made.texts,
    vendors: [...made.vendors],
    warnings: made.warnings,
  };
  await refuseManyBundles(trx, environmentId, changer);
  await BundleRow.query(trx).insert(row);
  const record = bundleRecord(row, await bundleHashes((column) => row[column]));
  // Behind what it names in the log, also where a process with another clock has just sealed that.
  const versions = { settings: common.settings_version, vendors: common.vendor_list_version };
  const after = await newestOf(trx, environmentId, versions);
  await sealFact(trx, { environmentId, kind: 'bundle', subject: made.hash, record, after });
}

/** What a plan expects of the rate that it aims at. */
interface PlannedRate {
  aim: TestAim;
  rate: number;
}

/**
 * The rate that a test which would start by this expects; undefined where none would. It is read before the site's row is
 * locked, since it adds up the counts of a month.
 */
async function plannedRate(
  trx: Knex.Transaction,
  environmentId: string,
  options: BundleOptions,
): Promise<PlannedRate | undefined> {
  const { settings, banner_tests } = await EnvironmentRow.query(trx)
    .findById(environmentId)
    .select('settings', 'banner_tests')
    .throwIfNotFound();
  // Where rules by region only tell some visitors, the days before say little of those who are asked.
  if (settings.banner_test == null || settings.regions != null) return undefined;
  if (runningTest(banner_tests)?.digest === testDigest(settings, options)) return undefined;
  const { aim } = settings.banner_test;
  return { aim, rate: await expectedRate(trx, environmentId, aim, clock.date()) };
}

/** The site's tests once this is published. */
async function testsOf(
  trx: Knex.Transaction,
  { id, settings, settings_version, banner_tests: tests }: EnvironmentRow,
  { hash: a, test, config }: Composed,
  { planned, now }: { planned: PlannedRate | undefined; now: Date },
): Promise<KeptTest[]> {
  if (test === undefined || settings.banner_test == null) return testsAfter(tests, undefined, now);
  const { banner: _, ...plan } = settings.banner_test;
  const { digest, b } = test;
  const isNew = runningTest(tests)?.digest !== digest;
  const before = async (): Promise<number> => {
    if (settings.regions != null) return UNKNOWN_RATE;
    // The settings may have changed before they were locked.
    return planned?.aim === plan.aim ? planned.rate : expectedRate(trx, id, plan.aim, now);
  };
  const expected_rate = isNew ? await before() : 0;
  const number = config.test?.number as number;
  return testsAfter(tests, { ...plan, number, digest, expected_rate, settings_version, a, b: b.hash }, now);
}

/** What this banner asks and all others under the same policy asked, and what it adds to that. */
async function keepAskedVendors(
  trx: Knex.Transaction,
  environment: EnvironmentRow,
  asked: AskedVendors,
  now: Date,
): Promise<void> {
  const { policy_version } = environment.settings;
  const before = await findAsked(trx, environment.id, policy_version);
  const all = before?.vendors ?? (await askedBefore(trx, environment)) ?? asked;
  const vendors = askedInBoth(all, asked);
  const added = await runYielding(vendorsAdding(vendors, asked));
  const added_since = added.length === 0 ? null : (before?.added_since ?? now);
  await keepAsked(trx, { environment_id: environment.id, policy_version, vendors, added, added_since });
}
