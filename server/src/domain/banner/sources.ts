import type { BundleOptions, BundleTexts, Settings } from '../types';
import type { KnownCookies } from './cookies';

/** What the product adds to every bundle: the script's program and the built-in texts. */
export interface BannerProgram {
  /** One minified function expression `function(config,hash){…}` with its styles inside. */
  runtime: string;
  /** The same for sites whose settings have a cookie. */
  sharing: string;
  /** Both for sites whose settings have regions. */
  regional: string;
  regionalSharing: string;
  /** One minified function expression `function(denies){…}`: what pages hold themselves, ahead of the script. */
  stub: string;
  /** By language; English is always there. */
  texts: Readonly<Record<string, BundleTexts>>;
  /** Identifies a version of program and texts, for sites without regions and for those with them. */
  digest: string;
  regionalDigest: string;
}

/** The texts that only bundles with regions hold. */
export const REGION_TEXTS = [
  'notice_title',
  'notice_description',
  'notice_settings',
  'do_not_sell',
  'ok',
] as const satisfies readonly (keyof BundleTexts)[];

/** Which version of program and texts a site's bundle is made with. */
export const digestFor = (program: BannerProgram, { regions }: Pick<Settings, 'regions'>): string =>
  regions == null ? program.digest : program.regionalDigest;

/** The settings that a bundle is made from; changes to others do not outdate it. */
export const SEEN_SETTINGS = [
  'banner',
  'categories',
  'consent_lifetime_days',
  'default_language',
  'imprint_url',
  'languages',
  'policy_version',
  'privacy_policy_url',
  'regions',
] as const satisfies readonly (keyof Settings)[];
/** The settings that a bundle can read. */
export type SeenSettings = Pick<Settings, (typeof SEEN_SETTINGS)[number]>;

/** Everything that a bundle is made from except the program. */
export interface BundleSources extends KnownCookies {
  token: string;
  /** Scheme and host of this server, without a trailing slash. */
  server: string;
  settings: SeenSettings;
  settingsVersion: number;
  options: BundleOptions;
}
