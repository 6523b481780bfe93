import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PACK_LANGUAGES, packWords } from '../../server/src/domain/ledger/pack-words';
import { defaultSettings } from '../../server/src/domain/settings';
import { type PackFacts, packPage } from '../../server/src/ledger/pack/page';
import { Shown } from '../../server/src/ledger/pack/shown';

const { lang: _, ...english } = packWords('en');
const keys = Object.keys(english) as (keyof typeof english)[];
const gapsOf = (sentence: string): string[] => (sentence.match(/{\w+}/g) ?? []).sort();

const AT = new Date('2026-11-21T09:30:00.000Z');
const note = 'consent.example.com/ledger/env_0\n3\nAA==\n';
/** Everything that a page can say. */
const shown = new Shown();
shown.add({ kind: 'consent', record: () => ({ decision: 'accept_all' }), isSealed: true });
shown.add({ kind: 'consent', record: () => ({ decision: 'reject_all' }), isSealed: false });

const FACTS: PackFacts = {
  ...{ site: 'Shop <b>', domain: 'shop.example.com', controller: defaultSettings().controller },
  ...{ language: 'en', origin: 'consent.example.com/ledger/env_0', size: 3, root: 'AA==' },
  ...{ madeAt: AT, sealedAt: AT, importedOn: AT, asked: { session_id: 'x' }, waiting: 1 },
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

test('every file of words is known, and every known language but a synonym has one', () => {
  const folder = join(__dirname, '../../server/src/domain/ledger/pack-words');
  const files = readdirSync(folder).map((name) => name.replace('.json', ''));
  expect([...files, 'nn', 'no'].sort()).toEqual([...PACK_LANGUAGES].sort());
});

test.each(PACK_LANGUAGES)('%s has every word and every gap, and is not English', (language) => {
  const { lang, ...words } = packWords(language);
  expect(Object.keys(words)).toEqual(keys);
  for (const key of keys) {
    expect([key, gapsOf(words[key])]).toEqual([key, gapsOf(english[key])]);
    expect([key, words[key].trim(), words[key].length > 1]).toEqual([key, words[key], true]);
    if (/\.$/.test(english[key])) expect([key, words[key]]).toEqual([key, expect.stringMatching(/\.$/)]);
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
    expect(page).toContain(`<html lang="${words.lang}">`);
    expect(page.replace(/<style>.*<\/style>/s, '')).not.toMatch(/[{}]|undefined/);
  }
});

test.each([
  ['pt-BR', 'pt'],
  ['DE-at', 'de'],
  ['no', 'nb'],
  ['nn-NO', 'nb'],
  ['ja', 'en'],
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
  for (let n = 0; n < 1_000; n += 1) many.add({ kind: 'form_consent', record, isSealed: true });
  // Each is cut to some 5,500 characters, of 150,000 in all.
  expect(read).toBeLessThan(200);
  const page = packPage({ ...FACTS, shown: many }, packWords('en'));
  expect(page.length).toBeLessThan(1_200_000);
  expect(page).toContain('…');
});
