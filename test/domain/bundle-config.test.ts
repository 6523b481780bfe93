import { contrast, darkColours } from '../../server/src/domain/banner/colours';
import { describeBundle } from '../../server/src/domain/banner/config';
import type { BundleSources } from '../../server/src/domain/banner/sources';
import { runToEnd } from '../../server/src/domain/run-to-end';
import { defaultSettings } from '../../server/src/domain/settings';
import type { BannerTexts, ScannedCookie, Settings, Vendor } from '../../server/src/domain/types';
import { PROGRAM, textsOf } from '../helpers/banner/program';

const describeWith = (settings: Partial<Settings> = {}, changed: Partial<BundleSources> = {}) =>
  runToEnd(
    describeBundle(
      {
        token: 'env_0123456789012345678901',
        server: 'https://consent.example.com',
        settings: { ...defaultSettings(), ...settings },
        settingsVersion: 1,
        options: {},
        vendors: [],
        scanned: [],
        domains: ['shop.example.com'],
        ...changed,
      },
      PROGRAM,
    ),
  );

describe('texts', () => {
  const withTexts = (texts: Record<string, BannerTexts>, settings: Partial<Settings> = {}) =>
    describeWith({ ...settings, banner: { ...defaultSettings().banner, texts } });

  test('are the built-in ones of each language where the owner has none', () => {
    const { texts, missing } = describeWith({ languages: ['en', 'de', 'ar'] });
    expect(texts).toEqual({ en: textsOf('en'), de: textsOf('de'), ar: textsOf('ar') });
    expect(missing).toEqual({});
  });

  test('are the owner’s where there are some, one by one', () => {
    const { texts } = withTexts({ en: { title: 'Hello', categories: { analytics: { name: 'Counting' } } } });
    expect(texts.en).toMatchObject({ title: 'Hello', save: 'en save' });
    expect(texts.en?.categories.analytics).toEqual({ name: 'Counting', description: 'en about analytics' });
  });

  test('of a region fall back to the language, the owner’s first', () => {
    const { texts, missing } = withTexts(
      { de: { title: 'Hallo' }, 'de-AT': { save: 'Basst' } },
      { languages: ['en', 'de-AT'] },
    );
    expect(texts['de-AT']).toMatchObject({ title: 'Hallo', save: 'Basst', close: 'de close' });
    expect(missing).toEqual({});
  });

  test.each(['no', 'nn', 'nn-NO'])('of Norwegian as %s are those of Bokmål', (language) => {
    const { texts, missing } = describeWith({ languages: ['en', language] });
    expect(texts[language]).toEqual(textsOf('nb'));
    expect(missing).toEqual({});
  });

  test('of a language that nobody has written are English, and that is told', () => {
    const { texts, missing } = withTexts({ ga: { title: 'Fianáin' } }, { languages: ['en', 'ga'] });
    expect(texts.ga).toMatchObject({ title: 'Fianáin', save: 'en save' });
    expect(missing.ga).toContain('save');
    expect(missing.ga).toContain('categories.marketing');
    expect(missing.ga).not.toContain('title');
  });

  test('of a language that the owner has written whole need no built-in ones', () => {
    const { texts, missing } = withTexts({ ga: textsOf('ga') }, { languages: ['en', 'ga'] });
    expect(texts.ga).toEqual(textsOf('ga'));
    expect(missing).toEqual({});
  });

  test('of a category of the owner’s own are in the default language, which other languages are warned of', () => {
    const maps = { key: 'maps', name: 'Karten', description: 'Zeigt Karten.', required: false };
    const categories = [...defaultSettings().categories, maps];
    const { texts, missing } = withTexts(
      { fr: { categories: { maps: { name: 'Cartes', description: 'Montre des cartes.' } } } },
      { categories, languages: ['en', 'de', 'fr'], default_language: 'de' },
    );
    expect(texts.de?.categories.maps).toEqual({ name: 'Karten', description: 'Zeigt Karten.' });
    expect(texts.en?.categories.maps).toEqual({ name: 'Karten', description: 'Zeigt Karten.' });
    expect(texts.fr?.categories.maps).toEqual({ name: 'Cartes', description: 'Montre des cartes.' });
    expect(missing).toEqual({ en: ['categories.maps'] });
  });

  test('of a usual category that the owner has described anew are the owner’s in the default language', () => {
    const categories = defaultSettings().categories.map((category) =>
      category.key === 'marketing'
        ? { ...category, description: 'Shares your visits with Example Ads.' }
        : category,
    );
    const { texts, missing } = describeWith({ categories, languages: ['en', 'de'] });
    expect(texts.en?.categories.marketing?.description).toBe('Shares your visits with Example Ads.');
    expect(texts.de?.categories.marketing?.description).toBe('de about marketing');
    expect(missing).toEqual({ de: ['categories.marketing'] });
  });
});

describe('languages', () => {
  test('begin with the default one, and the script holds its texts alone', () => {
    const { config } = describeWith({ languages: ['en', 'fr', 'de'], default_language: 'de' });
    expect(config.languages).toEqual(['de', 'en', 'fr']);
    expect(Object.keys(config.texts)).toEqual(['de']);
  });

  test('are those that are asked for, and all are held when the owner wants that', () => {
    const options = { languages: ['fr', 'en'], texts: 'all' } as const;
    const { config } = describeWith(
      { languages: ['en', 'fr', 'de'] },
      { options: { ...options, languages: ['fr', 'en'] } },
    );
    expect(config.languages).toEqual(['fr', 'en']);
    expect(Object.keys(config.texts)).toEqual(['fr', 'en']);
  });
});

test('consent types follow from the usual keys; the owner’s own are kept, also when there are none', () => {
  const [necessary, functional, analytics, marketing] = defaultSettings().categories as [
    ...[
      Settings['categories'][0],
      Settings['categories'][0],
      Settings['categories'][0],
      Settings['categories'][0],
    ],
  ];
  const maps = { key: 'maps', name: 'Maps', description: '', required: false };
  const { config } = describeWith({
    categories: [necessary, functional, { ...analytics, google_consent: [] }, marketing, maps],
  });
  expect(config.categories.map(({ key, google_consent }) => [key, google_consent])).toEqual([
    ['necessary', ['security_storage']],
    ['functional', ['functionality_storage', 'personalization_storage']],
    ['analytics', []],
    ['marketing', ['ad_storage', 'ad_user_data', 'ad_personalization']],
    ['maps', []],
  ]);
});

test('cookies of a category are the first-party ones that a script can delete, by name, each once', () => {
  const listed = (name: string, domain: string | null, category = 'analytics'): Vendor['cookies'][0] => ({
    ...{ name, domain, category, max_age_seconds: 60 },
  });
  const seen = (name: string, changed: Partial<ScannedCookie> = {}): ScannedCookie => ({
    ...{ storage: 'cookie', name, domain: 'shop.example.com', category: 'analytics', max_age_seconds: 60 },
    ...{ secure: false, http_only: false, same_site: null, set_before_consent: true, first_party: true },
    ...changed,
  });
  const vendor = { id: 1, name: 'V', purposes: [], leg_int_purposes: [], categories: [], urls: [] };
  const cookies = [
    ...[listed('_ga', null), listed('_ga_*', '.example.com'), listed('IDE', 'doubleclick.net')],
    { ...listed('ajs_traits', null), storage: 'local_storage' as const },
    ...[listed('session', null, 'necessary'), listed('_fbp', 'www.shop.example.com', 'marketing')],
  ];
  const scanned = [
    ...[seen('_ga'), seen('_pk_id'), seen('x'.repeat(201))],
    ...[seen('other', { first_party: false }), seen('hidden', { http_only: true })],
    seen('unknown', { category: 'unclassified' }),
  ];
  const { config } = describeWith({}, { vendors: [{ ...vendor, cookies }], scanned });
  expect(Object.fromEntries(config.categories.map(({ key, cookies }) => [key, cookies]))).toEqual({
    necessary: [],
    functional: [],
    analytics: ['_ga', '_ga_*', '_pk_id'],
    marketing: ['_fbp'],
  });
});

test('cookies that the bundle before knew stay known, unless a vendor says otherwise', () => {
  const cookie = { name: '_moved', domain: null, category: 'marketing', max_age_seconds: 60 };
  const vendor = { id: 1, name: 'V', purposes: [], leg_int_purposes: [], categories: [], urls: [] };
  const remembered = { analytics: ['_pk_id', '_moved'], gone: ['_old'] };
  const { config } = describeWith({}, { vendors: [{ ...vendor, cookies: [cookie] }], remembered });
  expect(config.categories.map(({ cookies }) => cookies)).toEqual([[], [], ['_pk_id'], ['_moved']]);
});

test('no name or pattern is taken that would delete what the site needs', () => {
  const listed = (name: string, category: string) => ({ name, domain: null, category, max_age_seconds: 60 });
  const vendor = { id: 1, name: 'V', purposes: [], leg_int_purposes: [], categories: [], urls: [] };
  const cookies = [
    ...[listed('session_id', 'necessary'), listed('cart', 'necessary'), listed('*', 'marketing')],
    ...[listed('sess*', 'marketing'), listed('cart', 'marketing'), listed('_fb*', 'marketing')],
  ];
  const { config } = describeWith({}, { vendors: [{ ...vendor, cookies }] });
  expect(config.categories.find(({ key }) => key === 'marketing')?.cookies).toEqual(['_fb*']);
});

describe('dark colours', () => {
  const light = defaultSettings().banner.colours;

  test.each(['#1f4fd8', '#000000', '#ffffff', '#ffff00', '#7a0019', '#00ff00', '#808080'])(
    'of a button %s can be read, and the button stands out',
    (button_background) => {
      const dark = darkColours({ ...light, button_background });
      expect(contrast(dark.text, dark.background)).toBeGreaterThanOrEqual(7);
      expect(contrast(dark.button_text, dark.button_background)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(dark.button_background, dark.background)).toBeGreaterThanOrEqual(4.5);
    },
  );

  test('of a banner that is dark already are its own', () => {
    const own = { ...light, background: '#101010', text: '#eeeeee' };
    expect(darkColours(own)).toEqual(own);
  });

  test('are the owner’s where there are some', () => {
    const dark_colours = { ...light, background: '#222222', text: '#ffffff' };
    const { config } = describeWith({ banner: { ...defaultSettings().banner, dark_colours } });
    expect(config.dark_colours).toEqual(dark_colours);
  });
});
