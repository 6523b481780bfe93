import { BUILT_IN_LANGUAGES } from '../../server/src/domain/banner/languages';
import { fill, MAIL_TEXTS, mailTexts } from '../../server/src/domain/mail/texts';

const flat = (texts: object): [string, string][] =>
  Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string'
      ? [[key, text] as [string, string]]
      : flat(text).map(([name, one]) => [`${key}.${name}`, one] as [string, string]),
  );
const gaps = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();
const model = flat(MAIL_TEXTS.en as object);

test('mails speak every language of the banner', () => {
  expect(Object.keys(MAIL_TEXTS).sort()).toEqual([...BUILT_IN_LANGUAGES].sort());
});

test.each(Object.keys(MAIL_TEXTS))('%s has every text with its gaps, and no other', (language) => {
  const texts = flat(MAIL_TEXTS[language] as object);
  expect(texts.map(([key]) => key)).toEqual(model.map(([key]) => key));
  for (const [key, text] of texts) {
    const [, english = ''] = model.find(([name]) => name === key) ?? [];
    expect([key, text.trim() !== '']).toEqual([key, true]);
    expect([key, gaps(text)]).toEqual([key, gaps(english)]);
  }
});

/** Words that are the same in both languages. */
const SAME: Readonly<Record<string, string[]>> = {
  da: ['fact_reference', 'pages.status'],
  nb: ['pages.status'],
  nl: ['code', 'pages.status'],
  sv: ['pages.status'],
  de: ['code', 'pages.column_name'],
  fr: ['code'],
};

test.each(Object.keys(MAIL_TEXTS).filter((language) => language !== 'en'))('%s is translated', (language) => {
  const texts = new Map(flat(MAIL_TEXTS[language] as object));
  const forgotten = model.filter(([key, english]) => texts.get(key) === english).map(([key]) => key);
  expect(forgotten).toEqual(SAME[language] ?? []);
});

test('the nearest language is taken, English where there is none', () => {
  const taken = (tag: string) => mailTexts(tag).language;
  expect(['de-AT', 'no', 'zh-TW', 'pt-BR', 'pt-PT', 'sw'].map(taken)).toEqual([
    'de',
    'nb',
    'zh-Hant',
    'pt-BR',
    'pt',
    'en',
  ]);
  expect([mailTexts('ar').rtl, mailTexts('he').rtl, mailTexts('de').rtl]).toEqual([true, true, false]);
});

test('gaps are filled once: a name that looks like one stays as it is', () => {
  expect(fill('{site}: {date}', { site: '{date}', date: 'today' })).toBe('{date}: today');
});
