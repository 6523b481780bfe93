import { autoBlockingFaults } from './auto-blocking/settings';
import { cookieDomainFault, isOfOneHost } from './banner/cookie';
import { logoFault } from './banner/design';
import { testFaults } from './banner/version-b';
import { type FieldError, ValidationError } from './errors';
import { gppFaults } from './gpp/settings';
import { linkedFaults } from './linked-domains';
import { regionFaults } from './regions/rules';
import { tcfFaults } from './tcf/settings';
import { isTimeZone } from './time-zone';
import type { Settings } from './types';

const KIB = 1024;
/** KiB of JSON of a site's settings. Own texts in all languages and a hundred activities have about 290. */
const MAX_SIZE = 512;

/** What a new environment begins with. */
export const defaultSettings = (): Settings => ({
  categories: [
    { key: 'necessary', name: 'Necessary', description: 'Needed for the site to work.', required: true },
    { key: 'functional', name: 'Functional', description: 'Remembers your choices.', required: false },
    {
      key: 'analytics',
      name: 'Analytics',
      description: 'Counts visits to improve the site.',
      required: false,
    },
    { key: 'marketing', name: 'Marketing', description: 'Shows personalised advertising.', required: false },
  ],
  policy_version: '1',
  privacy_policy_url: null,
  imprint_url: null,
  banner: {
    layout: 'box',
    position: 'bottom_right',
    theme: 'auto',
    colours: { background: '#ffffff', text: '#1b1b1f', button_background: '#1f4fd8', button_text: '#ffffff' },
    first_layer_buttons: ['accept_all', 'reject_all', 'settings'],
    texts: {},
  },
  default_language: 'en',
  languages: ['en'],
  time_zone: 'UTC',
  consent_lifetime_days: 180,
  retention_days: { consents: 1825, events: 90 },
  enforce_origin: false,
  controller: {},
  security_measures: [],
  processing_activities: [],
});

/**
 * Puts a partial change over the settings and checks what a schema cannot say. `domains` are the site's. Throws
 * `ValidationError`.
 */
export function changeSettings(
  settings: Settings,
  patch: Partial<Settings>,
  domains: readonly string[] = [],
): Settings {
  const changed = { ...settings, ...patch };
  const errors = [
    ...checkSize(changed),
    ...checkSettings(changed, domains),
    ...testFaults(changed, (settings) => checkSettings(settings, domains)),
    ...checkRulesGone(settings, changed),
  ];
  if (errors.length > 0) throw new ValidationError(errors);
  return changed;
}

/** What was left on where nobody was asked is no consent, and the banner of a site without rules could not tell. */
function checkRulesGone(before: Settings, after: Settings): FieldError[] {
  if (before.regions == null || after.regions != null) return [];
  if (before.policy_version !== after.policy_version) return [];
  const message =
    'must be a new one when regions are switched off: what visitors left on under their rules is no consent, so everybody is asked';
  return [{ path: 'body.settings.policy_version', message, code: 'invalid' }];
}

function checkSize(settings: Settings): FieldError[] {
  if (sizeOf(settings) <= MAX_SIZE) return [];
  const { banner, ...others } = settings;
  const large = Object.entries({ ...others, 'banner.texts': banner.texts })
    .map(([name, part]) => ({ name, size: sizeOf(part) }))
    .filter(({ size }) => size > MAX_SIZE / 20)
    .sort((a, b) => b.size - a.size)
    .map(({ name, size }) => `${name} has ${Math.round(size)}`);
  const message = `would be ${Math.ceil(sizeOf(settings))} KiB of JSON with what is there, and may be ${MAX_SIZE}: ${large.join(', ')}; shorten what is large`;
  return [{ path: 'body.settings', message, code: 'too_large' }];
}

/** In KiB of JSON. */
const sizeOf = (part: unknown): number => Buffer.byteLength(JSON.stringify(part) ?? '') / KIB;

function checkSettings(settings: Settings, domains: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  const wrong = (path: string, message: string): void => {
    errors.push({ path: `body.settings.${path}`, message, code: 'invalid' });
  };
  const once = (path: (index: number) => string, names: readonly string[], what: string): void =>
    names.forEach((name, index) => {
      if (names.indexOf(name) < index)
        wrong(path(index), `the ${what} ${name} is listed twice: give each ${what} once`);
    });
  const keys = settings.categories.map(({ key }) => key);
  once((index) => `categories.${index}.key`, keys, 'category');
  settings.categories.forEach(({ google_consent = [] }, at) => {
    once((index) => `categories.${at}.google_consent.${index}`, google_consent, 'consent type');
  });
  const { banner, languages, default_language } = settings;
  once((index) => `banner.first_layer_buttons.${index}`, banner.first_layer_buttons, 'button');
  for (const [language, texts] of Object.entries(banner.texts)) {
    for (const key of Object.keys(texts.categories ?? {})) {
      if (!keys.includes(key))
        wrong(
          `banner.texts.${language}.categories.${key}`,
          `is none of the site's categories: ${keys.join(', ')}`,
        );
    }
  }
  const fault = banner.cookie?.domain === undefined ? undefined : cookieDomainFault(banner.cookie.domain);
  if (fault !== undefined) wrong('banner.cookie.domain', fault);
  else if (banner.cookie?.domain !== undefined && isOfOneHost(banner.cookie.name))
    wrong(
      'banner.cookie.domain',
      `must be left out with the name ${banner.cookie.name}: browsers store a cookie of such a name for one host alone`,
    );
  const logo = banner.design?.logo;
  const flaw = logo === undefined ? undefined : logoFault(logo);
  if (flaw !== undefined) wrong('banner.design.logo.image', flaw);
  if (settings.regions != null)
    for (const { index, message } of regionFaults(settings.regions))
      wrong(`regions.overrides.${index}.region`, message);
  if (settings.tcf != null)
    for (const { path, message } of tcfFaults(settings.tcf, keys)) wrong(path, message);
  for (const { path, message } of [...gppFaults(settings), ...linkedFaults(settings, domains)])
    wrong(path, message);
  if (settings.auto_blocking != null)
    for (const { path, message } of autoBlockingFaults(settings.auto_blocking, settings.categories, domains))
      wrong(path, message);
  if (settings.tcf != null && settings.choice_by_vendor === true)
    wrong(
      'choice_by_vendor',
      'cannot be on together with tcf, which asks about vendors itself: switch one of them off',
    );
  once((index) => `languages.${index}`, languages, 'language');
  if (!languages.includes(default_language)) {
    wrong('languages', `must contain the default language ${default_language}`);
  }
  if (!isTimeZone(settings.time_zone)) wrong('time_zone', 'must be an IANA time zone such as Europe/Berlin');
  return errors;
}
