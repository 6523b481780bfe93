import { assembleBundle } from '../../server/src/domain/banner/assemble';
import { canonicalJson, canonicalPieces } from '../../server/src/domain/banner/canonical';
import { belongsTo } from '../../server/src/domain/cookies/party';
import { neutralise } from '../../server/src/domain/formulas';
import { defaultSettings } from '../../server/src/domain/settings';
import type { Vendor } from '../../server/src/domain/types';
import { runYielding } from '../../server/src/domain/yielding';
import { makeBundle, PROGRAM } from '../helpers/banner/program';
import { growthOf, MAX_GROWTH } from './growth';

const vendorsOf = (count: number, ending: string): Vendor[] =>
  Array.from({ length: Math.ceil(count / 100) }, (_, at) => ({
    ...{ id: at + 1, name: 'v', purposes: [], leg_int_purposes: [], categories: [], urls: [] },
    cookies: Array.from({ length: 100 }, (_, n) => ({
      name: `_${'a'.repeat(10)}${at}_${n}${ending}`,
      category: n % 2 === 0 ? 'analytics' : 'necessary',
      max_age_seconds: 1,
    })),
  }));
const sources = (vendors: Vendor[]) => ({
  token: 'env_0123456789012345678901',
  server: 'https://consent.example.com',
  settings: defaultSettings(),
  settingsVersion: 1,
  options: {},
  vendors,
  scanned: [],
  domains: ['shop.example.com'],
});

test.each([
  ['names', ''],
  ['patterns', '*'],
])(
  'a bundle of a list of cookies by %s costs no more than its length',
  async (_, ending) => {
    expect(
      await growthOf((size) => makeBundle(sources(vendorsOf(size, ending)), PROGRAM), 2_500),
    ).toBeLessThan(MAX_GROWTH);
  },
  120_000,
);

test("whether a cookie is the site's own costs no more than its domain is long", async () => {
  const isOwn = belongsTo(['shop.example.com']);
  const work = (labels: number) => {
    for (let n = 0; n < 4_000; n += 1) isOwn(`${'a.'.repeat(labels)}co`);
  };
  expect(await growthOf(work, 31)).toBeLessThan(MAX_GROWTH);
});

test('others have their turn while a bundle is made', async () => {
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 0);
  await runYielding(assembleBundle(sources(vendorsOf(20_000, '')), PROGRAM));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(2);
});

test('pieces make the canonical text of the whole', () => {
  const value = {
    b: [{ y: 1, x: [undefined, null, 'ü'] }, []],
    a: { d: {}, c: undefined },
    e: [[[{ q: 1, p: 2 }]]],
  };
  expect([...canonicalPieces(value)].join('')).toBe(canonicalJson(value));
  for (const one of [[], {}, null, 1, 'x'])
    expect([...canonicalPieces(one)].join('')).toBe(canonicalJson(one));
});

test.each([
  ['tabs', '\t'],
  ['semicolons', ';'],
  ['blanks behind semicolons', '; '],
  ['quotation marks behind semicolons', ';"'],
  ['formulas', ';='],
])('a cell of %s is made safe in a time that grows with its length', async (_, part) => {
  expect(await growthOf((size) => neutralise(part.repeat(size)), 10_000)).toBeLessThan(MAX_GROWTH);
});

test('a quote stands before every formula, wherever a cell may begin', () => {
  const quote = (cell: string): string =>
    // The plain definition: slow, and easily read.
    [...cell]
      .map((character, at) => {
        const leads = /^["\s\u200b]*[=+@-]/.test(cell.slice(at));
        const begins = at === 0 || /[;\t\r\n]/.test(cell.charAt(at - 1));
        return `${(leads && begins) || (at === 0 && /[\t\r\n]/.test(character)) ? "'" : ''}${character}`;
      })
      .join('');
  let cells = [''];
  for (let length = 0; length < 5; length += 1) {
    cells = cells.flatMap((cell) => [';', '\t', ' ', '=', 'a', '"', '\u200b'].map((next) => cell + next));
    for (const cell of cells) if (neutralise(cell) !== quote(cell)) throw new Error(JSON.stringify(cell));
  }
  expect(cells).toHaveLength(7 ** 5);
});
