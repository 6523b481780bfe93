import { type FieldError, ValidationError } from './errors';
import { isTimeZone } from './time-zone';
import type { Settings } from './types';

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

/** Puts a partial change over the settings and checks what a schema cannot say. Throws `ValidationError`. */
export function changeSettings(settings: Settings, patch: Partial<Settings>): Settings {
  const changed = { ...settings, ...patch };
  const errors = checkSettings(changed);
  if (errors.length > 0) throw new ValidationError(errors);
  return changed;
}

function checkSettings(settings: Settings): FieldError[] {
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
  once((index) => `languages.${index}`, languages, 'language');
  if (!languages.includes(default_language)) {
    wrong('languages', `must contain the default language ${default_language}`);
  }
  if (!isTimeZone(settings.time_zone)) wrong('time_zone', 'must be an IANA time zone such as Europe/Berlin');
  return errors;
}
