import { gppWarnings } from '../gpp/warnings';
import { countryOf, REGIONS } from '../regions/codes';
import { laxRegions, ruleIn } from '../regions/rules';
import type { BannerColours, BundleConfig, BundleRegions, BundleWarning } from '../types';
import { inWords } from '../words';

import { askAgain } from './asked-vendors';
import { contrast, MIN_CONTRAST } from './colours';

/** The compressed size above which a script gets a warning, in bytes: 12 KiB. */
const MAX_GZIP = 12 * 1024;
/** The same with rules by region, which bring texts and lists. */
const MAX_GZIP_REGIONS = 14 * 1024;
/** The same with IAB Europe's framework, whose texts alone take some 6. */
const MAX_GZIP_TCF = 30 * 1024;
/** What a choice by vendor may take besides: names of vendors, texts and program. */
const MORE_BY_VENDOR = 6 * 1024;
/** What GPP may take besides. */
const MORE_GPP = 3 * 1024;
/** What auto-blocking may take besides: program, and places of known trackers. */
const MORE_BY_HOLDING = 7 * 1024;
/** What a design may take besides: program and rules. */
const MORE_BY_DESIGN = 1024;
/** What an A/B test may take besides: version B, and a program that has what either version may need. */
const MORE_BY_TEST = 4 * 1024;
/** Of a logo, in bytes; it is weighed by itself. */
const MAX_LOGO = 4 * 1024;

interface Judged {
  config: BundleConfig;
  missing: Record<string, string[]>;
  gzipBytes: number;
  /** The names of vendors that visitors who decided earlier were not asked about. */
  added: readonly string[];
  /** Chosen vendors that the Global Vendor List does not have. */
  unknown: readonly number[];
  crowded: Crowded;
}

/** Places to hold for which a page has no room. */
export interface Crowded {
  all: number;
  /** Of these, known trackers and places of the owner's rules. */
  known: number;
}

/** Where a warning about the texts of a language points. */
const TEXTS = 'settings.banner.texts.';

/** The languages in which texts of a bundle are missing, by its warnings. */
export const gapsOf = (warnings: readonly BundleWarning[]): string[] =>
  warnings.filter(({ code }) => code === 'missing_texts').map(({ path }) => path.slice(TEXTS.length));

/** What an owner should fix before visitors see a bundle. */
export function warningsOf({ config, missing, gzipBytes, added, unknown, crowded }: Judged): BundleWarning[] {
  const { first_layer_buttons: buttons } = config;
  const warnings: BundleWarning[] = contrastWarnings(config);
  const warn = (code: string, path: string, message: string): void => {
    warnings.push({ path, message, code });
  };
  if (buttons.includes('accept_all') && !buttons.includes('reject_all')) {
    const why = 'Refusing must be as easy as accepting (EDPB Cookie Banner Taskforce 2023, type A)';
    warn(
      'no_reject_button',
      'settings.banner.first_layer_buttons',
      `${why}: add the button that rejects all.`,
    );
  }
  if (config.privacy_policy_url === null) {
    const why = 'Visitors must be able to read who processes what (GDPR Art. 13)';
    warn('no_policy_url', 'settings.privacy_policy_url', `${why}: set the address of the privacy policy.`);
  }
  const lax = config.regions === undefined ? [] : laxRegions(config.regions);
  if (lax.length > 0) warn('region_rule', 'settings.regions.overrides', laxRule(lax));
  if (unknown.length > 0) warn('tcf_vendors', 'settings.tcf.vendors', unknownVendors(unknown));
  if (
    config.tcf !== undefined &&
    !(['accept_all', 'settings'] as const).every((name) => buttons.includes(name))
  ) {
    const why =
      'The framework wants a way to agree and a way to choose on the first layer (TCF policies, appendix B)';
    warn('tcf_buttons', 'settings.banner.first_layer_buttons', `${why}: add both buttons.`);
  }
  if (config.gpp !== undefined && config.regions !== undefined && isAskedEverywhere(config.regions))
    warn('gpp_rule', 'settings.regions.overrides', ASKED_EVERYWHERE);
  for (const { code, path, message } of gppWarnings(config.gpp)) warn(code, path, message);
  if (crowded.all > 0)
    warn(
      'auto_blocking_room',
      'settings.auto_blocking.rules',
      `Hosts that should wait are let pass, ${crowded.all} of them${crowded.known > 0 ? ` (known trackers or places of your rules: ${crowded.known})` : ''}, because pages have no room for more, or a scan found too many of one domain: make a rule for the whole domain, which stands for all of its hosts.`,
    );
  if (added.length > 0) warn('ask_again', 'settings.policy_version', askAgain(added));
  for (const [language, names] of Object.entries(missing)) {
    const list =
      names.length > 8
        ? `${names.slice(0, 8).map(inWords).join(', ')} and ${names.length - 8} more`
        : names.map(inWords).join(', ');
    warn(
      'missing_texts',
      `${TEXTS}${language}`,
      `Nobody has written these texts in ${language}, so that visitors read them in another language or in general words: ${list}.`,
    );
  }
  const plain = config.regions === undefined ? MAX_GZIP : MAX_GZIP_REGIONS;
  const byCategory = config.tcf === undefined ? plain : MAX_GZIP_TCF;
  const logo = weightOf(config.design);
  if (logo > MAX_LOGO)
    warn(
      'too_large',
      'settings.banner.design.logo',
      `Every visitor loads the logo with the script, and it weighs ${(logo / 1024).toFixed(1)} KiB, more than ${MAX_LOGO / 1024}: save it smaller, or as WebP.`,
    );
  const most =
    byCategory +
    (config.asked_vendors === undefined ? 0 : MORE_BY_VENDOR) +
    (config.gpp === undefined ? 0 : MORE_GPP) +
    (config.auto_blocking === undefined ? 0 : MORE_BY_HOLDING) +
    (config.design === undefined ? 0 : MORE_BY_DESIGN) +
    (config.test === undefined ? 0 : MORE_BY_TEST + weightOf(config.test.b?.look.design)) +
    logo;
  if (gzipBytes > most) {
    const size = `The script weighs ${(gzipBytes / 1024).toFixed(1)} KiB compressed, more than ${most / 1024}`;
    const several = Object.keys(config.texts).length > 1;
    if (several) warn('too_large', 'texts', `${size}: let it hold the texts of the default language alone.`);
    else warn('too_large', 'settings.banner.texts', `${size}: shorten the texts.`);
  }
  return warnings;
}

/** Bytes of the logo. */
const weightOf = (design: BundleConfig['design'] | null): number =>
  Math.ceil((design?.logo?.image.length ?? 0) * 0.75);

/** Whether every US visitor is asked before anything that is not necessary. */
const isAskedEverywhere = (rules: BundleRegions): boolean =>
  REGIONS.every((region) => countryOf(region) !== 'US' || ruleIn(rules, region) === 'opt_in');

const ASKED_EVERYWHERE =
  'GPP is on, and every US visitor is asked first, so that its string says opted out until they decide: take the rules for US regions out, or be sure that you want that.';

const unknownVendors = (ids: readonly number[]): string =>
  `The Global Vendor List has no vendor ${ids.slice(0, 8).join(', ')}${ids.length > 8 ? ` and ${ids.length - 8} more` : ''}, or has deleted it, so that nobody is asked about it: choose others.`;

function laxRule(regions: string[]): string {
  const named =
    regions.length > 8
      ? `${regions.slice(0, 8).join(', ')} and ${regions.length - 8} more`
      : regions.join(', ');
  return `In ${named} the rules of this site are laxer than the law that is known here, or than asking first where none is known: make them stricter, or be sure of the law there.`;
}

/** Colours of a banner that cannot be read, of those that its theme shows. */
export const contrastWarnings = ({
  theme,
  colours,
  dark_colours,
}: Pick<BundleConfig, 'theme' | 'colours' | 'dark_colours'>): BundleWarning[] => [
  ...(theme === 'dark' ? [] : contrastsOf('colours', colours)),
  ...(theme === 'light' ? [] : contrastsOf('dark_colours', dark_colours)),
];

function contrastsOf(name: 'colours' | 'dark_colours', colours: BannerColours): BundleWarning[] {
  const pairs = [
    ['text', 'background'],
    ['button_text', 'button_background'],
  ] as const;
  return pairs.flatMap(([front, back]) => {
    const found = contrast(colours[front], colours[back]);
    if (found >= MIN_CONTRAST) return [];
    // Rounded down, so that 4.49 does not look sufficient.
    const shown = Math.floor(found * 100) / 100;
    const message = `${colours[front]} on ${colours[back]} has a contrast of ${shown}:1, and text needs ${MIN_CONTRAST}:1 (WCAG 2.2, 1.4.3): choose colours further apart.`;
    return [{ path: `settings.banner.${name}.${front}`, message, code: 'contrast' }];
  });
}
