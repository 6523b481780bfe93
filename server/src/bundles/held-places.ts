import type { Knex } from 'knex';
import type { EnvironmentRow } from '../db/models';
import { type NewestHosts, newestHosts } from '../db/scanned-hosts';
import { chooseHosts } from '../domain/auto-blocking/hosts';
import type { Judged } from '../domain/auto-blocking/judging';
import { placesOf } from '../domain/auto-blocking/places';
import { digestOfRules, rulesOf } from '../domain/auto-blocking/rules';
import type { AutoBlockingSettings, BundleAutoBlocking, Vendor } from '../domain/types';
import { vendorsToAsk } from '../domain/vendor-choices';
import { runYielding } from '../domain/yielding';

/** Without settings: what is known alone. */
const PLAIN: AutoBlockingSettings = { enabled: false, rules: [], unclassified: null };

/** What a site's pages would hold now. */
export interface HeldPlaces extends NewestHosts {
  places: Judged[];
  rules: BundleAutoBlocking;
  /** Tells what is held apart. */
  digest: string;
  /** Whether scans found more pages or hosts than count. */
  isCrowded: boolean;
}

type Of = Pick<EnvironmentRow, 'id' | 'domains' | 'settings'>;

/** What a site would hold now, by its settings, its vendors and the newest scans of its pages. */
export async function heldPlaces(
  db: Knex,
  { id, domains, settings }: Of,
  vendors: readonly Vendor[],
  address: string,
): Promise<HeldPlaces> {
  const newest = await newestHosts(db, id);
  const { contacted, held, isCut } = await runYielding(chooseHosts(newest.pages));
  const server = new URL(address).hostname;
  const judged = placesOf({
    settings: settings.auto_blocking ?? PLAIN,
    categories: settings.categories,
    vendors,
    asked: vendorsToAsk(settings, vendors),
    contacted,
    held,
    domains,
    server,
  });
  const { rules, places } = await runYielding(rulesOf(await runYielding(judged), [...domains, server]));
  return { ...newest, places, rules, digest: digestOfRules(rules), isCrowded: newest.hasMore || isCut };
}
