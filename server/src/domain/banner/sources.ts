import type { Cmp, TcfParts, TcfSource } from '../tcf/bundle';
import type {
  BannerSettings,
  BundleAutoBlocking,
  BundleConfig,
  BundleOptions,
  BundleTexts,
  Settings,
  StubPart,
} from '../types';
import { canonicalJson, inScript } from './canonical';
import type { KnownCookies } from './cookies';
import { designOf } from './design';

/** The script's programs, by what a site's settings have. */
export interface Programs {
  /** One minified function expression `function(config,hash){…}` with its styles inside. */
  runtime: string;
  /** The same for sites whose settings have a cookie. */
  sharing: string;
  /** Both for sites whose settings have regions. */
  regional: string;
  regionalSharing: string;
  /** All of that, for sites that take part in IAB Europe's framework. */
  tcf: string;
  /** All of that but the framework, for sites whose visitors choose by vendor. */
  byVendor: string;
  /** The three that have rules by region, once more with the IAB's GPP; the first has the cookie by its configuration. */
  withGpp: Record<'regional' | 'tcf' | 'byVendor', string>;
  /** Identifies a version of program and texts, by what the site's settings have. */
  digest: string;
  regionalDigest: string;
  tcfDigest: string;
  vendorDigest: string;
  gppDigests: Programs['withGpp'];
}

/**
 * The programs of sites that hold what nobody has marked up: cookie, regions and design by their configuration. Their
 * digests are of all that bundles may hold.
 */
export type HoldingPrograms = Record<HoldingName, { runtime: string; digest: string }>;
export type HoldingName = 'plain' | 'tcf' | 'byVendor' | 'gpp' | 'tcfGpp' | 'byVendorGpp';

/** The programs of sites with links between domains, which have neither the framework nor GPP; likewise. */
export type LinkedPrograms = Record<LinkedName, { runtime: string; digest: string }>;
export type LinkedName = 'plain' | 'byVendor' | 'holding' | 'holdingByVendor';

/** The one that a site needs. */
export function linkedNameFor(has: { byVendor: boolean; holding: boolean }): LinkedName {
  if (has.holding) return has.byVendor ? 'holdingByVendor' : 'holding';
  return has.byVendor ? 'byVendor' : 'plain';
}

/** The one that a site needs. */
export function holdingNameFor(has: { tcf: boolean; byVendor: boolean; gpp: boolean }): HoldingName {
  if (has.tcf) return has.gpp ? 'tcfGpp' : 'tcf';
  if (has.byVendor) return has.gpp ? 'byVendorGpp' : 'byVendor';
  return has.gpp ? 'gpp' : 'plain';
}

/** What the product adds to every bundle: the script's program and the built-in texts. */
export interface BannerProgram extends Programs {
  /** The same for sites whose settings have a design. */
  designed: Programs;
  /** The same for sites with an A/B test: the others by their configuration, since two versions share a program. */
  tested: Programs;
  holding: HoldingPrograms;
  linked: LinkedPrograms;
  /** One minified function expression `function(denies){…}`: what pages hold themselves, ahead of the script. */
  stub: string;
  /** The same where the framework is, whose calls wait in it, too. */
  tcfStub: string;
  /** Both where the IAB's GPP is, likewise. */
  gppStub: string;
  tcfGppStub: string;
  /** One minified function expression `function(rules){…}`, behind any of them: it holds what nobody has marked up. */
  holdStub: string;
  /** By language; English is always there. */
  texts: Readonly<Record<string, BundleTexts>>;
}

/** What pages hold themselves, for a bundle of these settings: functions, each with what it is called with. */
export function stubsFor(
  stubs: Stubs,
  config: Pick<BundleConfig, 'tcf' | 'gpp' | 'google_consent_mode' | 'auto_blocking'>,
): string {
  const first = `(${stubFor(stubs, config)})(${config.google_consent_mode})`;
  const { rules = [] } = config.auto_blocking ?? {};
  // Without rules there is nothing that has to be there ahead of the script.
  return rules.length === 0 ? first : `${first};(${stubs.holdStub})(${inScript(canonicalJson(rules))})`;
}

/** What they are made for. */
export const stubPartsOf = (config: Parameters<typeof stubsFor>[1]): StubPart[] => [
  ...(config.google_consent_mode ? (['consent_mode'] as const) : []),
  ...(config.tcf === undefined ? [] : (['tcf'] as const)),
  ...(config.gpp === undefined ? [] : (['gpp'] as const)),
  ...(config.auto_blocking?.rules.length ? (['auto_blocking'] as const) : []),
];

function stubFor(
  { stub, tcfStub, gppStub, tcfGppStub }: Stubs,
  { tcf, gpp }: Pick<BundleConfig, 'tcf' | 'gpp'>,
): string {
  if (gpp === undefined) return tcf === undefined ? stub : tcfStub;
  return tcf === undefined ? gppStub : tcfGppStub;
}

export type Stubs = Pick<BannerProgram, 'stub' | 'tcfStub' | 'gppStub' | 'tcfGppStub' | 'holdStub'>;

/** The texts that only bundles with the framework hold. */
export const TCF_TEXTS = [
  ...([
    'tcf_description',
    'tcf_choice',
    'purposes',
    'special_purposes',
    'features',
    'special_features',
  ] as const),
  ...([
    'consent',
    'legitimate_interest',
    'data_categories',
    'retention',
    'examples',
    'search',
    'more',
  ] as const),
  ...(['other_storage', 'renewed', 'storage_details'] as const),
] as const satisfies readonly (keyof BundleTexts)[];

/** The texts that only bundles hold whose visitors choose by vendor. */
export const VENDOR_TEXTS = [
  'blocked_vendor',
  'load_once',
  'always_allow',
] as const satisfies readonly (keyof BundleTexts)[];

/** The texts that only bundles with regions hold. */
export const REGION_TEXTS = [
  'notice_title',
  'notice_description',
  'notice_settings',
  'do_not_sell',
  'ok',
] as const satisfies readonly (keyof BundleTexts)[];

/** Which version of program and texts a site's bundle is made with; `releases`: see `letsGo`. */
export const digestFor = (
  program: BannerProgram,
  {
    banner,
    banner_test,
    regions,
    tcf,
    choice_by_vendor,
    gpp,
    auto_blocking,
    linked_domains,
  }: Pick<
    Settings,
    | 'auto_blocking'
    | 'banner'
    | 'banner_test'
    | 'regions'
    | 'tcf'
    | 'choice_by_vendor'
    | 'gpp'
    | 'linked_domains'
  >,
  releases = false,
): string => {
  const holding = auto_blocking?.enabled === true || releases;
  if (linked_domains != null)
    return program.linked[linkedNameFor({ byVendor: choice_by_vendor === true, holding })].digest;
  if (holding) {
    const has = { tcf: tcf != null, byVendor: choice_by_vendor === true, gpp: gpp != null };
    return program.holding[holdingNameFor(has)].digest;
  }
  const plain = designOf(banner.design) === undefined ? program : program.designed;
  const own = banner_test == null ? plain : program.tested;
  if (gpp != null)
    return own.gppDigests[tcf != null ? 'tcf' : choice_by_vendor === true ? 'byVendor' : 'regional'];
  if (tcf != null) return own.tcfDigest;
  if (choice_by_vendor === true) return own.vendorDigest;
  return regions == null ? own.digest : own.regionalDigest;
};

/**
 * Whether a bundle has to let go of what snippets of before hold: auto-blocking is off, and pages may still have the snippet
 * of a bundle that is remembered and held something.
 */
export const letsGo = ({
  settings,
  bundles,
}: {
  settings: Pick<Settings, 'auto_blocking'>;
  bundles: readonly { holds?: string }[];
}): boolean => settings.auto_blocking?.enabled !== true && bundles.some(({ holds }) => holds !== undefined);

/** Whether this version of the product made a site's present bundle, which may have been the last to let go. */
export const isMadeBy = (
  program: BannerProgram,
  settings: Parameters<typeof digestFor>[1],
  digest: string,
): boolean => [false, true].some((releases) => digestFor(program, settings, releases) === digest);

/** The settings that a bundle is made from; changes to others do not outdate it. */
export const SEEN_SETTINGS = [
  'auto_blocking',
  'banner',
  'banner_test',
  'categories',
  'choice_by_vendor',
  'consent_lifetime_days',
  'default_language',
  'gpp',
  'imprint_url',
  'languages',
  'linked_domains',
  'policy_version',
  'privacy_policy_url',
  'regions',
  'tcf',
] as const satisfies readonly (keyof BannerSettings)[];
/** The settings that a bundle can read. */
export type SeenSettings = Pick<Settings, (typeof SEEN_SETTINGS)[number]>;

/** Without what no banner shows, such as people at the controller. */
export const seenOf = (settings: Settings): SeenSettings =>
  Object.fromEntries(
    SEEN_SETTINGS.flatMap((key) => (key in settings ? [[key, settings[key]]] : [])),
  ) as unknown as SeenSettings;

/** Everything that a bundle is made from except the program. */
export interface BundleSources extends KnownCookies {
  token: string;
  /** Scheme and host of this server, without a trailing slash. */
  server: string;
  settings: SeenSettings;
  settingsVersion: number;
  options: BundleOptions;
  /** Undefined where the operator is none. */
  cmp?: Cmp | undefined;
  /** Where the settings have the framework. */
  tcf?: TcfSource & TcfParts;
  /** Where the settings have it on; without rules where it lets go of what snippets of before hold. */
  autoBlocking?: BundleAutoBlocking;
}
