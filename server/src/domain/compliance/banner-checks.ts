import { contrast, MIN_CONTRAST } from '../banner/colours';
import { needsConsent } from '../cookies/classification';
import { inWords } from '../words';
import { type Check, fail, pass, unknown } from './evidence';
import { onPages } from './pages';
import { ofBanner } from './seen-banner';

/**
 * Refusing is possible on the first layer, next to accepting and in the same style, which all buttons share
 * (EDPB Cookie Banner Taskforce, types A and C; CNIL 2020-092: refusing as simple as accepting).
 */
export const rejectOnFirstLayer: Check = {
  id: 'reject_on_first_layer',
  title: 'Refusing is possible on the first layer, as easily as accepting',
  weight: 10,
  legalReference:
    'EDPB Cookie Banner Taskforce 2023, types A and C; CNIL 2020-092; GDPR Art. 4(11), Art. 7(3)',
  find: ofBanner(({ config: { first_layer_buttons: buttons } }) => {
    const shown = `first layer: ${buttons.map(inWords).join(', ')}`;
    const accept = buttons.indexOf('accept_all');
    const reject = buttons.indexOf('reject_all');
    if (accept === -1) return pass(shown);
    if (reject === -1) return fail(shown, 'Put a reject-all button on the first layer.');
    if (Math.abs(accept - reject) === 1) return pass(shown);
    return fail(shown, 'Put the reject button next to the accept button: another one is between them.');
  }),
};

/**
 * The texts of the buttons are readable, in each of the colours that the theme uses (EDPB Cookie Banner Taskforce,
 * types D and E: deceptive colours and contrast; WCAG 2.2, 1.4.3).
 */
export const readableButtons: Check = {
  id: 'readable_buttons',
  title: 'Texts and buttons have enough contrast',
  weight: 5,
  legalReference: 'EDPB Cookie Banner Taskforce 2023, types D and E; WCAG 2.2 SC 1.4.3',
  find: ofBanner(({ config: { colours, dark_colours: dark, theme } }) => {
    const used = [...(theme === 'dark' ? [] : [colours]), ...(theme === 'light' ? [] : [dark])];
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
  }),
};

/** Choosing by category is possible (GDPR recital 43: separate consent for each purpose). */
export const granularChoice: Check = {
  id: 'granular_choice',
  title: 'Visitors can choose by category',
  weight: 6,
  legalReference: 'GDPR Art. 6(1)(a), recital 43; EDPB Guidelines 05/2020, section 3.1.3',
  find: ofBanner(({ config: { first_layer_buttons: buttons } }) =>
    buttons.includes('settings')
      ? pass('the button of the settings is on the first layer')
      : fail(
          `first layer: ${buttons.map(inWords).join(', ')}`,
          'Put a button that opens the settings on the first layer.',
        ),
  ),
};

/**
 * Nothing optional is active without a choice: only what is strictly necessary is required (CJEU C-673/17
 * Planet49; EDPB Cookie Banner Taskforce, type B: pre-ticked boxes, type I: cookies wrongly called
 * essential).
 */
export const nothingPreTicked: Check = {
  id: 'nothing_pre_ticked',
  title: 'No optional category is active without a choice',
  weight: 10,
  legalReference:
    'CJEU C-673/17 (Planet49); EDPB Cookie Banner Taskforce 2023, types B and I; GDPR recital 32',
  find: ofBanner(({ config: { categories } }) => {
    const required = categories.filter((category) => category.required).map(({ key }) => key);
    const suspicious = required.filter(needsConsent);
    const found = `required: ${required.join(', ') || 'none'}`;
    if (suspicious.length === 0) return pass(found);
    return fail(found, `Make ${suspicious.join(', ')} optional: they are not strictly necessary.`);
  }),
};

/** Every category says what it is for, in each language (GDPR Art. 13(1)(c)). */
export const describedCategories: Check = {
  id: 'described_categories',
  title: 'Each category says what it is for',
  weight: 4,
  legalReference: 'GDPR Art. 13(1)(c); EDPB Guidelines 05/2020, section 3.3.1',
  find: ofBanner(({ config: { categories }, silent }) => {
    if (silent.length === 0) return pass(`${categories.length} categories described`);
    return fail(
      `without description: ${silent.join(', ')}`,
      'Describe in a sentence what each category is for.',
    );
  }),
};

/**
 * The banner has all its texts in every language of the site, the owner's or the built-in ones (GDPR Art. 12(1):
 * intelligible). A language of the site that the banner was published without is missing as a whole.
 */
export const textsInAllLanguages: Check = {
  id: 'texts_in_all_languages',
  title: 'The banner has texts in every configured language',
  weight: 4,
  legalReference: 'GDPR Art. 12(1); CNIL 2020-092',
  find: ofBanner(({ config, gaps }, { languages }) => {
    const absent = languages.filter((language) => !config.languages.includes(language));
    const missing = [...gaps, ...absent];
    if (missing.length === 0) return pass(`texts in ${config.languages.join(', ')}`);
    return fail(
      `texts are missing in ${missing.join(', ')}`,
      gaps.length > 0
        ? 'Write the banner’s texts in the languages that lack some, or remove those languages from the site.'
        : 'Publish the banner with every language of the site, or remove those that it lacks.',
    );
  }),
};

/**
 * The banner is present: it was shown or answered within a week. It is missing when a browser scan saw a
 * whole page without a banner and there has been no activity since (ePrivacy Directive Art. 5(3): no consent
 * without asking). Visitors of a site that is not active get no script.
 */
export const bannerAlive: Check = {
  id: 'banner_alive',
  title: 'The banner is shown on the site',
  weight: 6,
  legalReference: 'ePrivacy Directive Art. 5(3); GDPR Art. 7(1)',
  find: ({ bannerAlive: alive, status, scans: { pages } }) => {
    if (status !== 'active')
      return fail(
        `the site is ${status}: visitors get no banner`,
        'Set the site to active, or take the snippet out of its pages.',
      );
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
