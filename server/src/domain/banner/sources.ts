import type { BundleOptions, BundleTexts, Settings } from '../types';
import type { KnownCookies } from './cookies';

/** What the product brings to every bundle: the script's program and the texts that are built in. */
export interface BannerProgram {
  /** One minified function expression `function(config,hash){…}` with its styles inside. */
  runtime: string;
  /** By language; English is always there. */
  texts: Readonly<Record<string, BundleTexts>>;
  /** Tells versions of the product apart: of program and texts. */
  digest: string;
}

/** The settings that a bundle is made of; a change of other settings does not outdate it. */
export const SEEN_SETTINGS = [
  'banner',
  'categories',
  'consent_lifetime_days',
  'default_language',
  'imprint_url',
  'languages',
  'policy_version',
  'privacy_policy_url',
] as const satisfies readonly (keyof Settings)[];
/** What the types let a bundle read. */
export type SeenSettings = Pick<Settings, (typeof SEEN_SETTINGS)[number]>;

/** Everything that a bundle is made of besides the program. */
export interface BundleSources extends KnownCookies {
  token: string;
  /** Scheme and host of this server, without a trailing slash. */
  server: string;
  settings: SeenSettings;
  settingsVersion: number;
  options: BundleOptions;
}
