import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadContract } from '../../server/src/contract/operations';
import { BUILT_IN_LANGUAGES } from '../../server/src/domain/banner/languages';
import { defaultSettings } from '../../server/src/domain/settings';
import { isValid } from '../contract-fuzz/values';

const ROOT = join(__dirname, '..', '..');
const FOLDER = join(ROOT, 'sdk', 'banner', 'texts');
const OFFICIAL_IN_THE_EU = 'bg cs da de el en es et fi fr ga hr hu it lt lv mt nl pl pt ro sk sl sv'.split(
  ' ',
);
const LANGUAGES = [
  ...OFFICIAL_IN_THE_EU,
  ...['ar', 'he', 'is', 'ja', 'ko', 'nb', 'pt-BR', 'tr', 'uk', 'zh', 'zh-Hant'],
].sort();

/** Words that a language shares with English. Whatever else is equal was forgotten. */
const SHARED: Record<string, string[]> = {
  ro: ['ok'],
  sk: ['ok'],
  cs: ['ok'],
  pl: ['ok'],
  nb: ['ok'],
  sv: ['ok'],
  da: ['cookies', 'ok'],
  de: ['cookies', 'ok', 'categories.marketing.name'],
  el: ['cookies'],
  es: ['cookies'],
  fr: ['cookies', 'ok', 'categories.marketing.name'],
  hu: ['categories.marketing.name'],
  it: ['ok', 'categories.marketing.name'],
  mt: ['cookies'],
  nl: ['cookies', 'ok', 'categories.marketing.name'],
  pt: ['cookies', 'ok'],
  'pt-BR': ['cookies', 'ok'],
};

/** Languages with a script of their own, which every text must be written in. */
const SCRIPTS: Record<string, RegExp> = {
  ar: /\p{Script=Arabic}/u,
  bg: /\p{Script=Cyrillic}/u,
  el: /\p{Script=Greek}/u,
  he: /\p{Script=Hebrew}/u,
  ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  ko: /\p{Script=Hangul}/u,
  uk: /\p{Script=Cyrillic}/u,
  zh: /\p{Script=Han}/u,
  'zh-Hant': /\p{Script=Han}/u,
};

/** The name of a thing, which has one spelling in every script. */
const NAMES = ['Cookie', 'Cookies'];

const { document } = loadContract();
const { BundleTexts, BannerTexts } = document.components.schemas;
type Category = { name: string; description: string };
type Texts = Record<string, string> & { categories: Record<string, Category> };

const read = (language: string): Texts =>
  JSON.parse(readFileSync(join(FOLDER, `${language}.json`), 'utf8')) as Texts;

/** Every text by its path, such as `categories.marketing.name`. */
function paths(value: object, before = ''): [string, string][] {
  return Object.entries(value).flatMap(([key, text]) =>
    typeof text === 'string'
      ? [[`${before}${key}`, text] satisfies [string, string]]
      : paths(text, `${before}${key}.`),
  );
}

/** The longer length as a multiple of the shorter. */
const ratio = (a = '', b = ''): number =>
  Math.max(a.length, b.length) / Math.max(1, Math.min(a.length, b.length));

const english = read('en');
const categoryKeys = defaultSettings().categories.map(({ key }) => key);

const written = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.replace('.json', ''))
  .sort();

test('the languages are the 24 of the European Union and the eleven others of the product', () => {
  expect(written).toEqual(LANGUAGES);
  expect(OFFICIAL_IN_THE_EU).toHaveLength(24);
});

test('the server knows the languages of the texts, from which the console’s build takes its own list', () => {
  expect([...BUILT_IN_LANGUAGES].sort()).toEqual(written);
});

describe.each(LANGUAGES)('%s', (language) => {
  const texts = read(language);
  const entries = paths(texts);

  test('is complete, and within the contract’s bounds', () => {
    // `receipt` is missing in older bundles only.
    // Those of the Global Vendor List come with it.
    const named = Object.keys(BundleTexts.properties).filter((name) => name !== 'tcf');
    expect(Object.keys(texts)).toEqual(named);
    expect(Object.keys(texts.categories)).toEqual(categoryKeys);
    expect(isValid(BundleTexts, texts)).toBe(true);
    expect(isValid(BannerTexts, texts)).toBe(true);
  });

  test('is plain text, short enough for a first layer', () => {
    for (const [path, text] of entries) {
      expect([path, text]).toEqual([path, text.trim()]);
      expect([path, text]).toEqual([
        path,
        expect.not.stringMatching(/[<>&"\u0000-\u001f\u2028\u2029]|''|``/),
      ]);
    }
    expect(texts.description?.length).toBeLessThanOrEqual(320);
    expect(texts.settings_description?.length).toBeLessThanOrEqual(320);
  });

  test('keeps each placeholder, once', () => {
    const places = entries.filter(([, text]) => /[{}]/.test(text));
    expect(places.map(([path, text]) => [path, text.match(/\{[^}]*\}/g)])).toEqual([
      ['blocked', ['{category}']],
      ['blocked_vendor', ['{vendor}', '{category}']],
      ['always_allow', ['{vendor}']],
      ['tcf_description', ['{vendors}']],
      ['tcf_choice', ['{reopen}']],
    ]);
  });

  test('says by which control the choice is changed', () => {
    expect(texts.description).toContain(texts.reopen);
    expect(texts.settings_title).toBe(texts.reopen);
  });

  test('accepting and refusing take about the same words', () => {
    expect(texts.accept_all).not.toBe(texts.reject_all);
    expect(ratio(texts.accept_all, texts.reject_all)).toBeLessThanOrEqual(1.5);
  });

  test('names each category differently', () => {
    expect(new Set(Object.values(texts.categories).map(({ name }) => name)).size).toBe(categoryKeys.length);
  });
});

describe.each(LANGUAGES.filter((language) => language !== 'en'))('%s', (language) => {
  const entries = paths(read(language));

  test('has no text left in English', () => {
    const inEnglish = new Map(paths(english));
    const equal = entries.filter(([path, text]) => inEnglish.get(path) === text).map(([path]) => path);
    expect(equal).toEqual(SHARED[language] ?? []);
  });

  test('is written in its own script', () => {
    const script = SCRIPTS[language] ?? /\p{Script=Latin}/u;
    expect(entries.filter(([, text]) => !script.test(text) && !NAMES.includes(text))).toEqual([]);
  });
});

test('French keeps its signs of two parts with their words, by spaces that do not break', () => {
  const alone = paths(read('fr')).filter(([, text]) =>
    /(?<!\u00a0)[:;!?»]|«(?!\u00a0)|\u00a0(?![:;!?»{\p{L}])/u.test(text),
  );
  expect(alone).toEqual([]);
});

test('no language has a typewriter’s apostrophe', () => {
  expect(
    LANGUAGES.filter((language) => paths(read(language)).some(([, text]) => text.includes("'"))),
  ).toEqual([]);
});

test('no two languages are the same file', () => {
  const descriptions = LANGUAGES.map((language) => read(language).description);
  expect(new Set(descriptions).size).toBe(LANGUAGES.length);
});
