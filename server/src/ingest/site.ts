import type { EnvironmentRow } from '../db/models';
import { linkedDomains } from '../domain/linked-domains';
import { regionsOf } from '../domain/regions/rules';
import { type Bucket, bucketFinder } from '../domain/time-zone';
import type { BundleRegions, Category, Settings } from '../domain/types';
import type { PresentSubscriber } from '../events/subscribers';
import { type ShownSettings, shownSettings } from './asked';

/** The parts of settings that a site is made of; others, such as texts and activities, are not read. */
export const VISITOR_PARTS = [
  ...([
    'policy_version',
    'default_language',
    'consent_lifetime_days',
    'enforce_origin',
    'languages',
  ] as const),
  ...(['categories', 'time_zone', 'regions', 'publish_evidence_log', 'tcf', 'choice_by_vendor'] as const),
  'linked_domains',
] satisfies (keyof Settings)[];

/** The settings that visitor requests need as they are. */
type VisitorSettings = Pick<
  Settings,
  'policy_version' | 'default_language' | 'consent_lifetime_days' | 'enforce_origin' | 'languages'
>;

/** An environment as the visitor path needs it: everything looked up once. */
export interface Site {
  id: string;
  token: string;
  /** The hash of its id, which says on which node of a cluster it lies; on plain PostgreSQL there is none. */
  place?: number;
  /** Whose turn its files take: the group of accounts that made it, or the site itself. */
  maker: string;
  /** The site is paused or archived and refuses visitors. */
  paused: boolean;
  /** It is deleted, and what is left of it is erased soon. */
  deleted: boolean;
  /** It is archived or deleted, and is not expected to take visitors again. */
  ended: boolean;
  domains: ReadonlySet<string>;
  settings: VisitorSettings;
  /** The domains that visitors take their choices along between; mostly none. */
  linked: readonly string[];
  settingsVersion: number;
  /** Whether anybody may read its evidence log. */
  publishesLog: boolean;
  /** Its rules by region; undefined where every visitor is asked. */
  regions: BundleRegions | undefined;
  /** Whether it takes part in IAB Europe's framework. */
  hasTcf: boolean;
  /** CMP and list of the last bundles that ask by the framework, by hash. */
  bundleTcf: ReadonlyMap<string, { cmp: number; list: number }>;
  /** Whether its visitors choose by vendor. */
  choosesByVendor: boolean;
  /** The last bundles that ask about vendors one by one, by hash. */
  asksByVendor: ReadonlySet<string>;
  /** What its present settings ask for. */
  shown: ShownSettings;
  categories: Category[];
  languages: ReadonlySet<string>;
  /** The hash of the bundle that visitors get at present. */
  bundle: string | undefined;
  /** The settings versions of the last bundles, by hash. */
  bundleVersions: ReadonlyMap<string, number>;
  /** What counts in the A/B test that runs, by hash: its number and version. */
  bundleTests: ReadonlyMap<string, string>;
  /** Who subscribes to the events of decisions; mostly nobody. */
  webhooks: readonly PresentSubscriber[];
  /** The day and hour, by the site's clocks, that an instant is counted under. */
  bucket(at: number): Bucket;
  /** Its approximate size in memory, in bytes. */
  size: number;
}

/** Overhead of an object, a set and their slots, without their texts. */
const OVERHEAD = 1_000;

/** A site as it is read: with the group of accounts that made it, on a cluster with its place. */
export type SiteRow = Pick<
  EnvironmentRow,
  'id' | 'token' | 'status' | 'domains' | 'settings_version' | 'bundles' | 'deleted_at'
> & {
  settings: Pick<Settings, (typeof VISITOR_PARTS)[number]>;
  maker?: number | null;
  place?: number;
};

export const makerOf = ({ id, maker }: Pick<SiteRow, 'id' | 'maker'>): string =>
  maker == null ? id : `group ${maker}`;

/** All publications of the present test; what pages still show of one that ended is not counted. */
const testsByHash = (bundles: SiteRow['bundles']): Map<string, string> => {
  const running = bundles[0]?.test?.number;
  return new Map(
    bundles.flatMap(({ hash, test }) =>
      test === undefined || test.number !== running ? [] : [[hash, `${test.number}${test.version}`]],
    ),
  );
};

export function toSite(row: SiteRow, webhooks: Site['webhooks']): Site {
  const { categories, time_zone, ...rest } = row.settings;
  const settings: VisitorSettings = {
    policy_version: rest.policy_version,
    default_language: rest.default_language,
    consent_lifetime_days: rest.consent_lifetime_days,
    enforce_origin: rest.enforce_origin,
    languages: rest.languages,
  };
  const { id, token, domains, bundles } = row;
  const regions = regionsOf(rest.regions);
  const shown = shownSettings(row.settings_version, { policy_version: settings.policy_version, categories });
  return {
    id,
    token,
    ...(row.place === undefined ? {} : { place: row.place }),
    maker: makerOf(row),
    paused: row.status !== 'active' || row.deleted_at != null,
    deleted: row.deleted_at != null,
    ended: row.status === 'archived' || row.deleted_at != null,
    domains: new Set(domains),
    linked: linkedDomains(rest.linked_domains, domains),
    settings,
    settingsVersion: row.settings_version,
    publishesLog: rest.publish_evidence_log !== false,
    regions,
    hasTcf: rest.tcf != null,
    bundleTcf: new Map(bundles.flatMap(({ hash, tcf }) => (tcf === undefined ? [] : [[hash, tcf]]))),
    choosesByVendor: rest.choice_by_vendor === true,
    asksByVendor: new Set(bundles.flatMap(({ hash, by_vendor }) => (by_vendor ? [hash] : []))),
    shown,
    categories,
    languages: new Set(settings.languages),
    bundle: bundles[0]?.hash,
    bundleVersions: new Map(bundles.map(({ hash, version }) => [hash, version])),
    bundleTests: testsByHash(bundles),
    webhooks,
    bucket: bucketFinder(time_zone),
    // Two bytes per character, twice because lists are also stored as sets.
    size:
      OVERHEAD +
      shown.size +
      4 * JSON.stringify([settings, regions, categories, domains, bundles, webhooks]).length,
  };
}
