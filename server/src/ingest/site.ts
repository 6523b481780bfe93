import type { EnvironmentRow, WebhookRow } from '../db/models';
import { type Bucket, bucketFinder } from '../domain/time-zone';
import type { Category, Settings } from '../domain/types';

/** An environment as the visitor path needs it: everything looked up once. */
export interface Site {
  id: string;
  token: string;
  paused: boolean;
  domains: ReadonlySet<string>;
  settings: Settings;
  settingsVersion: number;
  categories: readonly Category[];
  languages: ReadonlySet<string>;
  /** The hash of the bundle that visitors get at present. */
  bundle: string | undefined;
  /** The settings versions of the last bundles, by hash. */
  bundleVersions: ReadonlyMap<string, number>;
  /** Who subscribes to the events of decisions; mostly nobody. */
  webhooks: readonly Pick<WebhookRow, 'webhook_id' | 'events'>[];
  /** The day and hour, by the site's clocks, that an instant is counted under. */
  bucket(at: number): Bucket;
}

export function toSite(row: EnvironmentRow, webhooks: Site['webhooks']): Site {
  const { settings } = row;
  return {
    id: row.id,
    token: row.token,
    paused: row.status === 'paused',
    domains: new Set(row.domains),
    settings,
    settingsVersion: row.settings_version,
    categories: settings.categories,
    languages: new Set(settings.languages),
    bundle: row.bundles[0]?.hash,
    bundleVersions: new Map(row.bundles.map(({ hash, version }) => [hash, version])),
    webhooks,
    bucket: bucketFinder(settings.time_zone),
  };
}
