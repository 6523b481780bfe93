import { describeBundle } from '../../server/src/domain/banner/config';
import { runToEnd } from '../../server/src/domain/run-to-end';
import { defaultSettings } from '../../server/src/domain/settings';
import { tcfParts } from '../../server/src/domain/tcf/bundle';
import { ListError, readGlobalList } from '../../server/src/domain/tcf/list';
import { readFolder } from '../../server/src/services/tcf/refresh';
import { PROGRAM } from '../helpers/banner/program';
import { listed, vendorList } from '../helpers/tcf/list';

const read = (json: unknown) => runToEnd(readGlobalList(json));
const withVendors = (...vendors: ReturnType<typeof listed>[]) =>
  vendorList({ vendors: Object.fromEntries(vendors.map((one) => [String(one.id), one])) });

test.each([
  ['purposes', { purposes: [1, 2] }, { purposes: { 1: { id: 1, name: 'Storing' } } }],
  ['purposes', { legIntPurposes: [7] }, { purposes: { 1: { id: 1, name: 'Storing' } } }],
  ['special_purposes', { specialPurposes: [3] }, {}],
  ['features', { features: [4] }, {}],
  ['special_features', { specialFeatures: [2] }, { specialFeatures: { 1: { id: 1, name: 'Places' } } }],
  ['data_categories', { dataDeclaration: [4] }, {}],
])(
  'a list whose vendor names what is not in its %s is refused: nobody would be shown it',
  (name, vendor, texts) => {
    const list = { ...withVendors(listed(7, vendor)), ...texts };
    expect(() => read(list)).toThrow(ListError);
    expect(() => read(list)).toThrow(
      new RegExp(`vendors\\.7 names \\d+ of ${name}, which the list does not describe`),
    );
  },
);

test('a text under the number of another is refused', () => {
  const list = { ...vendorList(), features: { 1: { id: 2, name: 'A feature' } } };
  expect(() => read(list)).toThrow('features.1 has the id 2');
});

test('a page that no database takes is left out, and the list is taken', () => {
  const urls = ['https://v.example/\u0000', 'https://v.example/\ud800', 'https://v.example/ok'].map(
    (privacy) => ({
      langId: 'en',
      privacy,
    }),
  );
  expect(read(withVendors(listed(7, { urls }))).vendors[0]?.urls).toEqual([
    { lang_id: 'en', privacy: 'https://v.example/ok', leg_int_claim: null },
  ]);
});

test('a list of thousands of vendors is read one by one, and each tag of a language once', () => {
  const known = jest.spyOn(Intl, 'getCanonicalLocales');
  try {
    const urls = Array.from({ length: 50 }, (_, n) => ({
      langId: n === 49 ? 'x'.repeat(10_000) : ['en', 'de', 'no language'][n % 3],
      privacy: 'https://v.example/',
    }));
    const vendors = Array.from({ length: 300 }, (_, n) => listed(n + 1, { urls }));
    const steps = [...readGlobalList(withVendors(...vendors))].length;
    expect(steps).toBe(300);
    expect(known).toHaveBeenCalledTimes(3);
  } finally {
    known.mockRestore();
  }
});

test('one wrong version is not stored, because it would keep out all that follow', async () => {
  const folder = (version: number) => ({
    list: async () => vendorList({ vendorListVersion: version }),
    texts: async () => undefined,
  });
  const { signal } = new AbortController();
  const known = { version: 120, translations: {} };
  await expect(readFolder(folder(4_095), signal, undefined, known)).rejects.toThrow(
    'it has the version 4095, far above 120: if that is right, store it by npm run import-gvl -- FILE --tcf',
  );
  expect((await readFolder(folder(220), signal, undefined, known)).list.version).toBe(220);
});

test('what a bundle says of the framework is put together language by language', () => {
  const list = read(vendorList());
  const tcf = { publisher_country: 'DE' };
  const languages = ['en', ...Array.from({ length: 26 }, (_, n) => `de-X${String.fromCharCode(65 + n)}`)];
  const settings = { ...defaultSettings(), languages, tcf };
  const parts = tcfParts(tcf, settings.categories, { cmp: { id: 300, version: 1 }, list });
  const sources = {
    ...{
      token: 'env_0123456789012345678901',
      server: 'https://consent.example.com',
      settings,
      settingsVersion: 1,
    },
    ...{ options: {}, vendors: [], scanned: [], domains: ['shop.example.com'] },
    tcf: { ...parts, cmp: { id: 300, version: 1 }, list, translations: {} },
  };
  // After each language, and after the cookies of each category that is not required.
  expect([...describeBundle(sources, PROGRAM)]).toHaveLength(languages.length + 3);
  const { texts } = runToEnd(describeBundle(sources, PROGRAM));
  expect(texts['de-XA']?.tcf?.data_categories.map(({ id }) => id)).toEqual(parts.data_categories);
  expect(parts.data_categories).toEqual([1, 3]);
});
