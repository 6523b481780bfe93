import { nextVersion } from '../../server/console/src/pages/banner/next-version';
import {
  type AskedVendors,
  askAgain,
  askedInBoth,
  askingVendors,
  vendorsAdding,
} from '../../server/src/domain/banner/asked-vendors';
import { atOnce } from '../helpers/at-once';

const CATEGORIES = [
  { key: 'necessary', required: true },
  { key: 'analytics', required: false },
  { key: 'marketing', required: false },
];
const vendor = (name: string, categories: string[], purposes: (1 | 2 | 3)[] = []) => ({
  name,
  categories,
  purposes,
});
const asked = (...vendors: ReturnType<typeof vendor>[]) => atOnce(askingVendors(vendors, CATEGORIES));
const added = (before: AskedVendors, now: AskedVendors) => atOnce(vendorsAdding(before, now));

test('only vendors that need consent are asked about', () => {
  expect(
    asked(
      vendor('Shop', ['necessary']),
      vendor('Counter', ['necessary', 'analytics']),
      vendor('Ads', [], [1]),
    ),
  ).toEqual({
    Counter: { categories: ['analytics'], purposes: [] },
    Ads: { categories: [], purposes: [1] },
  });
});

test('vendors of one name are asked about together, whichever stands last', () => {
  const [one, other] = [vendor('Ads', ['marketing'], [1]), vendor('Ads', ['analytics'], [1, 2])];
  expect(asked(one, other)).toEqual({ Ads: { categories: ['marketing', 'analytics'], purposes: [1, 2] } });
  // One that needs no consent takes nothing away.
  expect(asked(one, vendor('Ads', ['necessary']))).toEqual(asked(one));
  expect(added(asked(one, other), asked(other, one))).toEqual([]);
  expect(added(asked(one), asked(other, one))).toEqual(['Ads']);
});

test('a vendor, a category of one and a purpose of one are additions; what goes away is none', () => {
  const before = asked(vendor('Counter', ['analytics'], [1]), vendor('Ads', ['marketing']));
  expect(added(before, before)).toEqual([]);
  expect(added(before, asked(vendor('Counter', ['analytics'])))).toEqual([]);
  expect(added(before, asked(vendor('Counter', ['analytics', 'marketing'])))).toEqual(['Counter']);
  expect(added(before, asked(vendor('Ads', ['marketing'], [2])))).toEqual(['Ads']);
  expect(added(before, asked(vendor('New', ['analytics'])))).toEqual(['New']);
  // Names that objects have anyway are names like others.
  expect(added(before, asked(vendor('constructor', ['analytics'])))).toEqual(['constructor']);
});

test('what every visitor was asked is what all banners asked', () => {
  const first = asked(vendor('Counter', ['analytics'], [1, 2]), vendor('Ads', ['marketing']));
  const second = asked(vendor('Counter', ['analytics', 'marketing'], [2]));
  const both = askedInBoth(first, second);
  expect(both).toEqual({ Counter: { categories: ['analytics'], purposes: [2] } });
  expect(added(both, first)).toEqual(['Counter', 'Ads']);
});

test('a message names three vendors and stays within the contract', () => {
  const names = Array.from({ length: 2_000 }, (_, at) => `${at} ${'x'.repeat(198)}`);
  expect(askAgain(names)).toContain('and 1997 more would do');
  expect(askAgain(names).length).toBeLessThanOrEqual(500);
});

test.each([
  ['1', '2'],
  ['9', '10'],
  ['2026-11', '2026-12'],
  ['v1.09', 'v1.10'],
  ['spring', 'spring-2'],
])('the version after %s is %s', (version, next) => expect(nextVersion(version)).toBe(next));

test('a version has at most 40 characters', () => {
  expect(nextVersion('x'.repeat(40))).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(nextVersion(`${'x'.repeat(39)}9`)).toMatch(/^\d{4}-\d{2}-\d{2}$/);
});
