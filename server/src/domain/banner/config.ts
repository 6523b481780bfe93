import { type FieldError, ValidationError } from '../errors';
import { bundleGpp } from '../gpp/bundle';
import { regionsOf } from '../regions/rules';
import type { BundleConfig, BundleOptions, BundleTexts, Category, GoogleConsentType, Vendor } from '../types';
import { vendorsToAsk } from '../vendor-choices';
import { darkColours } from './colours';
import { cookieOf } from './cookie';
import { cookiesByCategory } from './cookies';
import { designOf } from './design';
import type { BannerProgram, BundleSources, SeenSettings } from './sources';
import { type ResolvedTexts, textsIn } from './texts';

/** What a visitor will see, and which texts are missing. */
export interface Described {
  config: BundleConfig;
  /** The texts of all languages of the bundle. */
  texts: Record<string, BundleTexts>;
  /** By language: texts that are missing in it. */
  missing: Record<string, string[]>;
}

/**
 * Describes a bundle, and yields after each language and cookie. Throws `ValidationError` for languages that the settings do not
 * have.
 */
export function* describeBundle(sources: BundleSources, program: BannerProgram): Generator<void, Described> {
  const { settings, options } = sources;
  const languages = languagesOf(settings, options);
  const resolved: [language: string, found: ResolvedTexts][] = [];
  for (const language of languages) {
    resolved.push([language, textsIn(language, settings, program, sources.tcf)]);
    yield;
  }
  const texts = Object.fromEntries(resolved.map(([language, found]) => [language, found.texts]));
  const missing = Object.fromEntries(
    resolved
      .filter(([, found]) => found.missing.length > 0)
      .map(([language, found]) => [language, found.missing]),
  );
  const held = options.texts === 'all' ? languages : languages.slice(0, 1);
  const heldTexts = Object.fromEntries(held.map((language) => [language, texts[language] as BundleTexts]));
  return { config: { ...(yield* configOf(sources)), languages, texts: heldTexts }, texts, missing };
}

function* configOf(sources: BundleSources): Generator<void, Omit<BundleConfig, 'languages' | 'texts'>> {
  const { settings, options } = sources;
  const { banner } = settings;
  const cookie = cookieOf(settings);
  const design = designOf(banner.design);
  const regions = regionsOf(settings.regions);
  const asked = vendorsToAsk(settings, sources.vendors);
  const cookies = yield* cookiesByCategory(settings.categories, sources);
  return {
    token: sources.token,
    server: sources.server,
    settings_version: sources.settingsVersion,
    policy_version: settings.policy_version,
    consent_lifetime_days: settings.consent_lifetime_days,
    layout: options.layout ?? banner.layout,
    position: options.position ?? banner.position,
    theme: options.theme ?? banner.theme,
    control: options.control ?? banner.control ?? 'floating',
    colours: banner.colours,
    dark_colours: banner.dark_colours ?? darkColours(banner.colours),
    first_layer_buttons: banner.first_layer_buttons,
    google_consent_mode: banner.google_consent_mode ?? true,
    ...(design && { design }),
    ...(cookie && { cookie }),
    ...(regions && { regions }),
    ...(sources.tcf && { tcf: sources.tcf.config }),
    ...(settings.gpp != null && { gpp: bundleGpp(settings.gpp, settings.categories, sources.cmp) }),
    ...(asked && { asked_vendors: asked }),
    ...(settings.linked_domains != null && { links: settings.linked_domains }),
    ...(sources.autoBlocking && { auto_blocking: sources.autoBlocking }),
    privacy_policy_url: settings.privacy_policy_url ?? null,
    imprint_url: settings.imprint_url ?? null,
    categories: settings.categories.map((category) => ({
      key: category.key,
      required: category.required,
      google_consent: googleConsentOf(category),
      cookies: cookies.get(category.key) ?? [],
      vendors: sources.vendors.filter((vendor) => belongs(vendor, category.key)).length,
    })),
    vendors: sources.vendors.length,
  };
}

/** Whether the banner shows a vendor in a category. */
const belongs = ({ categories, cookies }: Vendor, key: string): boolean =>
  categories.includes(key) || cookies.some(({ category }) => category === key);

/** The languages of a bundle, its default first. */
function languagesOf(
  { languages, default_language }: SeenSettings,
  { languages: wanted }: BundleOptions,
): string[] {
  if (wanted === undefined) return [...new Set([default_language, ...languages])];
  const errors: FieldError[] = [];
  wanted.forEach((language, index) => {
    const path = `body.languages.${index}`;
    if (!languages.includes(language)) {
      const message = `is none of the site's languages (${languages.join(', ')}): add it to settings.languages first`;
      errors.push({ path, message, code: 'unknown_language' });
    } else if (wanted.indexOf(language) < index) {
      errors.push({ path, message: `${language} is listed twice: give each language once`, code: 'unique' });
    }
  });
  if (errors.length > 0) throw new ValidationError(errors);
  return wanted;
}

/**
 * What the usual categories grant in Google Consent Mode v2
 * (developers.google.com/tag-platform/security/concepts/consent-mode).
 */
const BY_KEY = new Map<string, GoogleConsentType[]>([
  ['necessary', ['security_storage']],
  ['functional', ['functionality_storage', 'personalization_storage']],
  ['analytics', ['analytics_storage']],
  ['marketing', ['ad_storage', 'ad_user_data', 'ad_personalization']],
]);

/** The consent types that a category grants: the owner's, else the usual ones of its key, else none. */
const googleConsentOf = ({ key, google_consent }: Category): GoogleConsentType[] =>
  google_consent ?? BY_KEY.get(key) ?? [];
