import type { AskedVendor, Category } from '../domain/types';

/** What the banner of a settings version asks for. */
export interface ShownSettings {
  version: number;
  policy_version: string;
  categories: readonly Pick<Category, 'key' | 'required'>[];
  /** Its approximate size in memory, in bytes. */
  size: number;
}

/** What a visitor was asked, as far as it is known. */
export interface Asked {
  shown: ShownSettings;
  /** Whether the decision names a banner that the site had; otherwise these are the settings that it states, or the present ones. */
  isNamed: boolean;
  /** What the banner asked about vendors one by one; undefined where the decision names no bundle of the site. */
  vendors?: readonly AskedVendor[] | undefined;
}

/** How a decision names the banner that was shown. */
export interface Naming {
  banner_version?: number;
  bundle_hash?: string;
}

/** Overhead of an object and its slot. */
const OVERHEAD = 300;

/** Names and texts are left out: a decision depends on keys only. */
export function shownSettings(
  version: number,
  { policy_version, categories }: { policy_version: string; categories: readonly Category[] },
): ShownSettings {
  const shown = {
    version,
    policy_version,
    categories: categories.map(({ key, required }) => ({ key, required })),
  };
  return { ...shown, size: OVERHEAD + 2 * JSON.stringify(shown).length };
}

/**
 * The settings version that a decision names. A bundle of the site's own says more than a stated version, because
 * only this server knows what it was made of.
 */
export const namedVersion = (
  { bundleVersions }: { bundleVersions: ReadonlyMap<string, number> },
  { banner_version, bundle_hash }: Naming,
): number | undefined =>
  (bundle_hash === undefined ? undefined : bundleVersions.get(bundle_hash)) ?? banner_version;

/**
 * The bundle that a decision names, where only the database knows what it asked: one that asks by vendor, one older than
 * those that are remembered, one that another process has just made, one that a restore has taken back, or an invented one.
 */
export const unknownBundle = (
  {
    bundleVersions,
    asksByVendor,
  }: { bundleVersions: ReadonlyMap<string, number>; asksByVendor: ReadonlySet<string> },
  { bundle_hash }: Naming,
): string | undefined =>
  bundle_hash === undefined || (bundleVersions.has(bundle_hash) && !asksByVendor.has(bundle_hash))
    ? undefined
    : bundle_hash;
