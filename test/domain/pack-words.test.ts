import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_IN_LANGUAGES } from '../../server/src/domain/banner/languages';
import { PACK_LANGUAGES, packWords } from '../../server/src/domain/ledger/pack-words';
import { defaultSettings } from '../../server/src/domain/settings';
import { type PackFacts, packPage } from '../../server/src/ledger/pack/page';
import { Shown } from '../../server/src/ledger/pack/shown';

const { lang: _lang, rtl: _rtl, ...english } = packWords('en');
const keys = Object.keys(english) as (keyof typeof english)[];
const gapsOf = (sentence: string): string[] => (sentence.match(/{\w+}/g) ?? []).sort();

const AT = new Date('2026-11-21T09:30:00.000Z');
const note = 'consent.example.com/ledger/env_0\n3\nAA==\n';
/** Everything that a page can say. */
const shown = new Shown();
shown.add({ kind: 'consent', record: () => ({ decision: 'accept_all' }), status: 'sealed' });
shown.add({ kind: 'consent', record: () => ({ decision: 'reject_all' }), status: 'waiting' });
shown.add({ kind: 'consent', record: () => ({ decision: 'object' }), status: 'unproven' });

const FACTS: PackFacts = {
  ...{ site: 'Shop <b>', domain: 'shop.example.com', controller: defaultSettings().controller },
  ...{ language: 'en', origin: 'consent.example.com/ledger/env_0', size: 3, root: 'AA==' },
  ...{ madeAt: AT, sealedAt: AT, importedOn: AT, asked: { session_id: 'x' }, waiting: 1, unproven: 1 },
  counts: new Map([
    ...(['consent', 'form_consent', 'settings', 'vendors', 'bundle', 'dsar', 'breach'] as const).map(
      (kind): [string, number] => [kind, 2],
    ),
    ['erasure', 1],
    ['import', 1],
  ]),
  checkpoints: [
    {
      note,
      witnesses: [{ name: 'witness.example.org', vkey: 'w' }],
      timestamps: [
        { authority: 'tsa.example.eu', genTime: AT.toISOString(), response: Buffer.of(1), file: 't.tsr' },
      ],
    },
  ],
  shown,
};

test('the languages are those of the banner, each with a file of words', () => {
  const folder = join(__dirname, '../../server/src/domain/ledger/pack-words');
  const files = readdirSync(folder).map((name) => name.replace('.json', ''));
  expect(files.sort()).toEqual([...PACK_LANGUAGES].sort());
  expect(files).toEqual([...BUILT_IN_LANGUAGES].sort());
});

test.each(PACK_LANGUAGES)('%s has every word and every gap, and is not English', (language) => {
  const { lang, rtl: _rtl, ...words } = packWords(language);
  expect(lang).toBe(language);
  expect(Object.keys(words)).toEqual(keys);
  for (const key of keys) {
    expect([key, gapsOf(words[key])]).toEqual([key, gapsOf(english[key])]);
    expect([key, words[key].trim(), words[key].length > 1]).toEqual([key, words[key], true]);
    if (/\.$/.test(english[key])) expect([key, words[key]]).toEqual([key, expect.stringMatching(/[.。]$/)]);
  }
  // What a reader types or looks up is the same everywhere.
  for (const name of [
    '/verify',
    'npm run verify -- ',
    '@avow/sdk/verify',
    'RFC 6962',
    'tlog-tiles',
    'RFC 3161',
  ])
    expect(words.check_text).toContain(name);
  expect(words.more).toContain('evidence.ndjson');
  const same = keys.filter((key) => words[key] === english[key] && english[key].includes(' '));
  expect([lang, same]).toEqual([lang, lang === 'en' ? same : []]);
});

test.each(PACK_LANGUAGES)('%s fills every gap of the page', (language) => {
  const words = packWords(language);
  for (const checkpoints of [FACTS.checkpoints, []]) {
    const page = packPage({ ...FACTS, checkpoints }, words);
    expect(page).toContain(`<html lang="${language}"${/^(ar|he)$/.test(language) ? ' dir="rtl"' : ''}>`);
    expect(page.replace(/<style>.*<\/style>/s, '')).not.toMatch(/[{}]|undefined/);
  }
});

/** Of those that are not written in Latin letters: every word has some of these. */
const SCRIPTS: Record<string, RegExp> = {
  ar: /\p{Script=Arabic}/u,
  bg: /\p{Script=Cyrillic}/u,
  el: /\p{Script=Greek}/u,
  he: /\p{Script=Hebrew}/u,
  ja: /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u,
  ko: /\p{Script=Hangul}/u,
  uk: /\p{Script=Cyrillic}/u,
  zh: /\p{Script=Han}/u,
  'zh-Hant': /\p{Script=Han}/u,
};

test.each(Object.entries(SCRIPTS))('%s is written in its script', (language, script) => {
  const words = packWords(language);
  for (const key of keys) expect([key, words[key]]).toEqual([key, expect.stringMatching(script)]);
});

test('Chinese is in traditional characters only where that was asked for', () => {
  const [simplified, traditional] = ['zh', 'zh-Hant'].map((tag) => Object.values(packWords(tag)).join());
  expect(simplified).toMatch(/记录/);
  expect(simplified).not.toMatch(/[記錄紀證據檔狀態]/);
  expect(traditional).toMatch(/紀錄/);
  expect(traditional).not.toMatch(/[记录证据状态]/);
});

test('in Arabic and Hebrew, what is typed, and values, stay in a direction of their own', () => {
  for (const language of ['ar', 'he']) {
    const page = packPage(FACTS, packWords(language));
    for (const typed of ['/verify', 'npm run verify -- FILE', '@avow/sdk/verify'])
      expect(page).toContain(`<bdi dir="ltr">${typed}</bdi>`);
    for (const value of [
      ...['Shop &lt;b&gt;', 'shop.example.com', 'session_id x', 'consent.example.com/ledger/env_0'],
      ...['2026-11-21 09:30:00 UTC', 'tsa.example.eu', 'witness.example.org', 'AA==', 'accept_all'],
    ])
      expect(page).toContain(`<bdi>${value}</bdi>`);
    // A sign ahead of a word would be shown behind it.
    const others = page.replace(/^.*<main>|<bdi.*?<\/bdi>|<[^>]*>/gs, '');
    expect(others).not.toMatch(/[/@]\w|-- /);
  }
});

test.each([
  ['pt-BR', 'pt-BR'],
  ['pt-PT', 'pt'],
  ['de-AT', 'de'],
  ['no', 'nb'],
  ['nn-NO', 'nb'],
  ['zh-Hant', 'zh-Hant'],
  ['zh-Hant-HK', 'zh-Hant'],
  ['zh-TW', 'zh-Hant'],
  ['zh-HK', 'zh-Hant'],
  ['zh-MO', 'zh-Hant'],
  ['zh', 'zh'],
  ['zh-Hans', 'zh'],
  ['zh-Hans-HK', 'zh'],
  ['zh-CN', 'zh'],
  ['zh-SG', 'zh'],
  ['sw', 'en'],
  ['constructor', 'en'],
  ['', 'en'],
])('a site in %j gets the page in %s', (language, lang) => {
  expect(packWords(language).lang).toBe(lang);
});

test('what strangers wrote is cut before it is kept, and the page stays small', () => {
  const many = new Shown();
  let read = 0;
  const record = () => {
    read += 1;
    return { statements: Array.from({ length: 50 }, () => '"'.repeat(5_000)), form_id: '&'.repeat(5_000) };
  };
  for (let n = 0; n < 1_000; n += 1) many.add({ kind: 'form_consent', record, status: 'sealed' });
  // Each is cut to some 5,500 characters, of 150,000 in all.
  expect(read).toBeLessThan(200);
  const page = packPage({ ...FACTS, shown: many }, packWords('en'));
  expect(page.length).toBeLessThan(1_200_000);
  expect(page).toContain('…');
});
