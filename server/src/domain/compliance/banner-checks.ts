import { contrast } from '../banner/colours';
import { BUILT_IN_LANGUAGES, tagsOf } from '../banner/languages';
import { needsConsent } from '../cookies/classification';
import { inWords } from '../words';
import { type Check, fail, pass, unknown } from './evidence';
import { onPages } from './pages';

/** WCAG 2.2, success criterion 1.4.3: the least contrast of text. */
const MIN_CONTRAST = 4.5;

/**
 * Refusing is possible on the first layer, next to accepting and in the same style, which all buttons share
 * (EDPB Cookie Banner Taskforce, types A and C; CNIL 2020-092: refusing as simple as accepting). Never
 * unknown: the buttons are a setting.
 */
export const rejectOnFirstLayer: Check = {
  id: 'reject_on_first_layer',
  title: 'Refusing is possible on the first layer, as easily as accepting',
  weight: 10,
  legalReference:
    'EDPB Cookie Banner Taskforce 2023, types A and C; CNIL 2020-092; GDPR Art. 4(11), Art. 7(3)',
  find: ({ settings }) => {
    const buttons = settings.banner.first_layer_buttons;
    const shown = `first layer: ${buttons.map(inWords).join(', ')}`;
    const accept = buttons.indexOf('accept_all');
    const reject = buttons.indexOf('reject_all');
    if (accept === -1) return pass(shown);
    if (reject === -1) return fail(shown, 'Put a reject-all button on the first layer.');
    if (Math.abs(accept - reject) === 1) return pass(shown);
    return fail(shown, 'Put the reject button next to the accept button: another one is between them.');
  },
};

/**
 * The texts of the buttons are readable, also in the dark colours if the owner set some (EDPB Cookie Banner
 * Taskforce, types D and E: deceptive colours and contrast; WCAG 2.2, 1.4.3). Never unknown: colours are a
 * setting.
 */
export const readableButtons: Check = {
  id: 'readable_buttons',
  title: 'Texts and buttons have enough contrast',
  weight: 5,
  legalReference: 'EDPB Cookie Banner Taskforce 2023, types D and E; WCAG 2.2 SC 1.4.3',
  find: ({ settings }) => {
    const { colours, dark_colours: dark, theme } = settings.banner;
    const used = dark === undefined || theme === 'light' ? [colours] : [colours, dark];
    const least = Math.min(
      ...used.flatMap(({ background, text, button_background, button_text }) => [
        contrast(background, text),
        contrast(button_background, button_text),
      ]),
    );
    const found = `least contrast ${least.toFixed(1)}:1`;
    return least >= MIN_CONTRAST
      ? pass(found)
      : fail(found, `Choose colours with a contrast of at least ${MIN_CONTRAST}:1.`);
  },
};

/**
 * Choosing by category is possible (GDPR recital 43: separate consent for each purpose). Never unknown: the
 * buttons are a setting.
 */
export const granularChoice: Check = {
  id: 'granular_choice',
  title: 'Visitors can choose by category',
  weight: 6,
  legalReference: 'GDPR Art. 6(1)(a), recital 43; EDPB Guidelines 05/2020, section 3.1.3',
  find: ({ settings }) => {
    const buttons = settings.banner.first_layer_buttons;
    return buttons.includes('settings')
      ? pass('the button of the settings is on the first layer')
      : fail(
          `first layer: ${buttons.map(inWords).join(', ')}`,
          'Put a button that opens the settings on the first layer.',
        );
  },
};

/**
 * Nothing optional is active without a choice: only what is strictly necessary is required (CJEU C-673/17
 * Planet49; EDPB Cookie Banner Taskforce, type B: pre-ticked boxes, type I: cookies wrongly called
 * essential). Never unknown: required categories are a setting.
 */
export const nothingPreTicked: Check = {
  id: 'nothing_pre_ticked',
  title: 'No optional category is active without a choice',
  weight: 10,
  legalReference:
    'CJEU C-673/17 (Planet49); EDPB Cookie Banner Taskforce 2023, types B and I; GDPR recital 32',
  find: ({ settings }) => {
    const required = settings.categories.filter((category) => category.required).map(({ key }) => key);
    const suspicious = required.filter(needsConsent);
    const found = `required: ${required.join(', ') || 'none'}`;
    if (suspicious.length === 0) return pass(found);
    return fail(found, `Make ${suspicious.join(', ')} optional: they are not strictly necessary.`);
  },
};

/** Every category says what it is for (GDPR Art. 13(1)(c)). Never unknown: descriptions are a setting. */
export const describedCategories: Check = {
  id: 'described_categories',
  title: 'Each category says what it is for',
  weight: 4,
  legalReference: 'GDPR Art. 13(1)(c); EDPB Guidelines 05/2020, section 3.3.1',
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

/**
 * The banner has texts in all languages of the site, the owner's or the built-in ones (GDPR Art. 12(1):
 * intelligible). Never unknown: languages and texts are settings.
 */
export const textsInAllLanguages: Check = {
  id: 'texts_in_all_languages',
  title: 'The banner has texts in every configured language',
  weight: 4,
  legalReference: 'GDPR Art. 12(1); CNIL 2020-092',
  find: ({ settings: { languages, banner } }) => {
    const written = (tag: string): boolean => tag in banner.texts || BUILT_IN_LANGUAGES.has(tag);
    const missing = languages.filter((language) => !tagsOf(language).some(written));
    if (missing.length === 0) return pass(`texts in ${languages.join(', ')}`);
    return fail(
      `no texts in ${missing.join(', ')}`,
      'Write the banner’s texts in the missing languages, or remove those languages from the site.',
    );
  },
};

/**
 * The banner is present: it was shown or answered within a week. It is missing when a browser scan saw a
 * whole page without a banner and there has been no activity since (ePrivacy Directive Art. 5(3): no consent
 * without asking).
 */
export const bannerAlive: Check = {
  id: 'banner_alive',
  title: 'The banner is shown on the site',
  weight: 6,
  legalReference: 'ePrivacy Directive Art. 5(3); GDPR Art. 7(1)',
  find: ({ bannerAlive: alive, scans: { pages } }) => {
    const remedy = 'Generate the banner, and put the snippet into the pages of the site.';
    if (alive) return pass('shown or answered within the last 7 days');
    const without = pages.filter(({ conclusive, bannerDetected }) => conclusive && !bannerDetected);
    if (without.length > 0)
      return fail(
        `not seen within the last 7 days, and no cookie scan found it on ${onPages(without)}`,
        remedy,
      );
    return unknown('not seen within the last 7 days', remedy);
  },
};
