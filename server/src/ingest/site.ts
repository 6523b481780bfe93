import type { EnvironmentRow, WebhookRow } from '../db/models';
import { type Bucket, bucketFinder } from '../domain/time-zone';
import type { Category, Settings } from '../domain/types';

/** The settings that a visitor's request reads: the others, such as texts and activities, are not kept. */
type VisitorSettings = Pick<
  Settings,
  'policy_version' | 'default_language' | 'consent_lifetime_days' | 'enforce_origin' | 'languages'
>;

/** An environment as the visitor path needs it: everything looked up once. */
export interface Site {
  id: string;
  token: string;
  /** Visitors are refused: the site is paused or archived. */
  paused: boolean;
  domains: ReadonlySet<string>;
  settings: VisitorSettings;
  settingsVersion: number;
  categories: Category[];
  languages: ReadonlySet<string>;
  /** The hash of the bundle that visitors get at present. */
  bundle: string | undefined;
  /** The settings versions of the last bundles, by hash. */
  bundleVersions: ReadonlyMap<string, number>;
  /** Who subscribes to the events of decisions; mostly nobody. */
  webhooks: readonly Pick<WebhookRow, 'webhook_id' | 'events'>[];
  /** The day and hour, by the site's clocks, that an instant is counted under. */
  bucket(at: number): Bucket;
  /** What it takes in memory, in bytes, roughly. */
  size: number;
}

/** Of an object, a set and their places, beside the texts in them. */
const OVERHEAD = 1_000;

export function toSite(row: EnvironmentRow, webhooks: Site['webhooks']): Site {
  const { categories, time_zone, ...rest } = row.settings;
  const settings: VisitorSettings = {
    policy_version: rest.policy_version,
    default_language: rest.default_language,
    consent_lifetime_days: rest.consent_lifetime_days,
    enforce_origin: rest.enforce_origin,
    languages: rest.languages,
  };
  const { id, token, domains, bundles } = row;
  return {
    id,
    token,
    paused: row.status !== 'active' || row.deleted_at != null,
    domains: new Set(domains),
    settings,
    settingsVersion: row.settings_version,
    categories,
    languages: new Set(settings.languages),
    bundle: bundles[0]?.hash,
    bundleVersions: new Map(bundles.map(({ hash, version }) => [hash, version])),
    webhooks,
    bucket: bucketFinder(time_zone),
    // Two bytes a character, and once more for the sets beside the lists.
    size: OVERHEAD + 4 * JSON.stringify([settings, categories, domains, bundles, webhooks]).length,
  };
}
