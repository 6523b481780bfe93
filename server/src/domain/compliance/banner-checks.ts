import { contrast } from './contrast';
import { type Check, fail, pass, unknown } from './evidence';

/** WCAG 2.2, success criterion 1.4.3: the least contrast of text. */
const MIN_CONTRAST = 4.5;

/** Refusing is possible on the first layer (EDPB Cookie Banner Taskforce, type A; CNIL 2020-092 § 29–31). */
export const rejectOnFirstLayer: Check = {
  id: 'reject_on_first_layer',
  title: 'Visitors can refuse on the first layer',
  weight: 10,
  legalReference: 'EDPB Cookie Banner Taskforce 2023, type A; CNIL 2020-092; GDPR Art. 4(11)',
  find: ({ settings }) => {
    const buttons = settings.banner.first_layer_buttons;
    const shown = `first layer: ${buttons.join(', ')}`;
    if (buttons.includes('reject_all') || !buttons.includes('accept_all')) return pass(shown);
    return fail(shown, 'Add reject_all to banner.first_layer_buttons.');
  },
};

/** Accepting and refusing are equally prominent; both are buttons of one style here (type E and F of the taskforce). */
export const equalProminence: Check = {
  id: 'equal_prominence',
  title: 'Refusing is as easy as accepting',
  weight: 8,
  legalReference: 'EDPB Cookie Banner Taskforce 2023, types D–F; CNIL 2020-092',
  find: ({ settings }) => {
    const buttons = settings.banner.first_layer_buttons;
    const accept = buttons.indexOf('accept_all');
    const reject = buttons.indexOf('reject_all');
    if (accept === -1) return pass('no accept_all on the first layer');
    if (reject === -1)
      return fail('reject_all is not on the first layer', 'Put reject_all next to accept_all.');
    const apart = Math.abs(accept - reject);
    if (apart === 1) return pass('accept_all and reject_all stand side by side, in one style');
    return fail(
      'another button stands between accept_all and reject_all',
      'Put reject_all next to accept_all.',
    );
  },
};

/** The texts of the buttons can be read (WCAG 2.2, 1.4.3; type F of the taskforce). */
export const readableButtons: Check = {
  id: 'readable_buttons',
  title: 'Texts and buttons have enough contrast',
  weight: 5,
  legalReference: 'EDPB Cookie Banner Taskforce 2023, types E–F; WCAG 2.2 SC 1.4.3',
  find: ({ settings }) => {
    const { background, text, button_background, button_text } = settings.banner.colours;
    const least = Math.min(contrast(background, text), contrast(button_background, button_text));
    const found = `least contrast ${least.toFixed(1)}:1`;
    return least >= MIN_CONTRAST
      ? pass(found)
      : fail(found, `Choose colours with a contrast of at least ${MIN_CONTRAST}:1.`);
  },
};

/** Choosing by category is offered (GDPR recital 43: granular consent). */
export const granularChoice: Check = {
  id: 'granular_choice',
  title: 'Visitors can choose by category',
  weight: 6,
  legalReference: 'GDPR Art. 6(1)(a), recital 43; EDPB Guidelines 05/2020 § 42–44',
  find: ({ settings }) => {
    const buttons = settings.banner.first_layer_buttons;
    return buttons.includes('settings')
      ? pass('settings is on the first layer')
      : fail(`first layer: ${buttons.join(', ')}`, 'Add settings to banner.first_layer_buttons.');
  },
};

/** Nothing optional is active without a choice: strictly necessary categories alone are required (CJEU C-673/17 Planet49). */
export const nothingPreTicked: Check = {
  id: 'nothing_pre_ticked',
  title: 'No optional category is active without a choice',
  weight: 10,
  legalReference: 'CJEU C-673/17 (Planet49); EDPB Cookie Banner Taskforce 2023, type B; GDPR recital 32',
  find: ({ settings }) => {
    const required = settings.categories.filter((category) => category.required).map(({ key }) => key);
    const suspicious = required.filter((key) =>
      /(analytic|marketing|advert|social|statistic|target)/.test(key),
    );
    const found = `required: ${required.join(', ') || 'none'}`;
    if (suspicious.length === 0) return pass(found);
    return fail(found, `Make ${suspicious.join(', ')} optional: they are not strictly necessary.`);
  },
};

/** Every category says what it is for (GDPR Art. 13(1)(c)). */
export const describedCategories: Check = {
  id: 'described_categories',
  title: 'Each category says what it is for',
  weight: 4,
  legalReference: 'GDPR Art. 13(1)(c); EDPB Guidelines 05/2020 § 64',
  find: ({ settings }) => {
    const silent = settings.categories
      .filter(({ description }) => description.trim() === '')
      .map(({ key }) => key);
    if (silent.length === 0) return pass(`${settings.categories.length} categories described`);
    return fail(
      `without description: ${silent.join(', ')}`,
      'Describe in a sentence what each category is for.',
    );
  },
};

/** The banner speaks the languages of the site (GDPR Art. 12(1)). */
export const textsInAllLanguages: Check = {
  id: 'texts_in_all_languages',
  title: 'The banner has texts in every configured language',
  weight: 4,
  legalReference: 'GDPR Art. 12(1); CNIL 2020-092',
  find: ({ settings }) => {
    const own = Object.keys(settings.banner.texts);
    if (own.length === 0) return pass('built-in texts in every language');
    const missing = settings.languages.filter((language) => !own.includes(language));
    if (missing.length === 0) return pass(`own texts in ${own.join(', ')}`);
    return fail(
      `own texts are missing in ${missing.join(', ')}`,
      'Add the missing texts, or remove your own ones.',
    );
  },
};

/** The banner is there: it was shown or answered within a week. */
export const bannerAlive: Check = {
  id: 'banner_alive',
  title: 'The banner is shown on the site',
  weight: 6,
  legalReference: 'ePrivacy Directive Art. 5(3)',
  find: ({ bannerAlive: alive }) =>
    alive
      ? pass('shown or answered within the last 7 days')
      : unknown('not seen within the last 7 days', 'Put the snippet into the pages of the site.'),
};
