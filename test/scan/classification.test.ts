import { classifyHost, cookieClassifier, KNOWN } from '../../server/src/domain/cookies/classification';
import data from '../../server/src/domain/cookies/classification.data.json';
import { listing } from '../../server/src/domain/cookies/listed-cookies';
import { isFirstParty } from '../../server/src/domain/cookies/party';
import type { Vendor } from '../../server/src/domain/types';
import { atOnce } from '../helpers/at-once';

const CATEGORIES = ['necessary', 'functional', 'analytics', 'marketing'];

test('the data file is large, names source and licence, and has no duplicates', () => {
  expect(data.about).toMatchObject({ licence: 'MIT', source: expect.any(String) });
  const cookies = KNOWN.flatMap((entry) => Object.entries(entry.cookies));
  const hosts = KNOWN.flatMap((entry) => Object.entries(entry.hosts));
  expect(cookies.length + hosts.length).toBeGreaterThanOrEqual(300);
  for (const list of [cookies, hosts]) expect(new Set(list.map(([name]) => name)).size).toBe(list.length);
  expect(new Set(KNOWN.map(({ vendor }) => vendor)).size).toBe(KNOWN.length);
  for (const [name, category] of [...cookies, ...hosts]) {
    expect(CATEGORIES).toContain(category);
    if (name.startsWith('^')) expect(() => new RegExp(name)).not.toThrow();
    if (name.startsWith('^')) expect(name.endsWith('$')).toBe(true);
  }
  for (const [host] of hosts) expect(host).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
  for (const { source } of KNOWN) expect(source.length).toBeGreaterThan(10);
});

test('a cookie or host is what the file says, subdomains included', () => {
  expect(cookieClassifier(atOnce(listing([])))('_ga_ABC123', 'x.test')).toEqual({
    category: 'analytics',
    vendor: 'Google Analytics',
  });
  expect(cookieClassifier(atOnce(listing([])))('something', 'x.test')).toEqual({ category: 'unclassified' });
  expect(classifyHost('stats.g.doubleclick.net').category).toBe('marketing');
  expect(classifyHost('notdoubleclick.net').category).toBe('unclassified');
});

test('the item that the banner keeps is necessary, and what only looks like it is not', () => {
  const classify = cookieClassifier(atOnce(listing([])));
  const name = 'avow:env_0123456789abcdefghijKL';
  expect(classify(name, 'shop.test')).toEqual({ category: 'necessary', vendor: 'Avow' });
  for (const other of [`${name}x`, `x${name}`, 'avow:env_', 'avow'])
    expect(classify(other, 'shop.test')).toEqual({ category: 'unclassified' });
});

test("the site's own vendors go first", () => {
  const vendor = {
    name: 'Own',
    cookies: [{ name: '_ga*', category: 'statistics', max_age_seconds: 0 }],
  } as unknown as Vendor;
  expect(cookieClassifier(atOnce(listing([vendor])))('_ga_X', 'x.test')).toEqual({
    category: 'statistics',
    vendor: 'Own',
  });
});

test('first party is the same host, its parents and its subdomains', () => {
  expect(isFirstParty('shop.example.com', 'www.shop.example.com')).toBe(true);
  expect(isFirstParty('example.com', 'shop.example.com')).toBe(true);
  expect(isFirstParty('a.shop.example.com', 'shop.example.com')).toBe(true);
  expect(isFirstParty('com', 'shop.example.com')).toBe(false);
  expect(isFirstParty('badexample.com', 'example.com')).toBe(false);
});
