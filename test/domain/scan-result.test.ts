import { bounded, MAX_RESULT } from '../../server/src/domain/cookies/bounded';
import { judge } from '../../server/src/domain/cookies/judge';
import type { Observation, ScanResult, SeenCookie, SeenItem } from '../../server/src/domain/cookies/result';
import { summarise } from '../../server/src/domain/cookies/summary';

const SITE = { listed: () => undefined, categories: [] };
const seenOf = (change: Partial<Observation>): Observation => ({
  ...{ engine: 'browser', finalUrl: 'https://shop.test/', cookies: [], items: [], itemsCut: false },
  ...{ hosts: ['shop.test'], bannerDetected: true, blank: false, cutShort: undefined },
  ...change,
});
const cookie = (name: string, domain = 'shop.test'): SeenCookie => ({
  ...{ name, domain, maxAgeSeconds: 0, secure: true, httpOnly: false, sameSite: null },
});
const item = (name: string, stores: string[] = [], host = 'shop.test'): SeenItem => ({
  ...{ storage: 'indexed_db', name, host, objectStores: stores },
});
const many = <One>(count: number, make: (n: number) => One): One[] =>
  Array.from({ length: count }, (_, n) => make(n));
const wide = (n: number, length: number): string => `${n}`.padEnd(length, '\u20ac');
const sizeOf = (result: unknown): number => Buffer.byteLength(JSON.stringify(result));
const rulesOf = ({ findings }: ScanResult): string[] => findings.map(({ rule }) => rule);

test('a result of usual size is whole', () => {
  const seen = seenOf({
    cookies: many(300, (n) => cookie(`c${n}`)),
    items: many(300, (n) => item(`i${n}`, ['one', 'two'])),
    hosts: many(200, (n) => `h${n}.test`),
  });
  const result = judge(seen, SITE);
  expect([result.cookies, result.stored_items, result.requests].map((list) => list?.length)).toEqual([
    300, 300, 200,
  ]);
  expect(result.stored_items?.[0]?.object_stores).toEqual(['one', 'two']);
  expect(result.conclusive).toBe(true);
  expect(rulesOf(result)).not.toContain('result_cut');
});

test('hosts that no DNS has are left out, in whatever list', () => {
  const host = 'h'.repeat(254);
  const whole = {
    ...seenOf({ cookies: [cookie('a'), cookie('b', host)], items: [item('a'), item('b', [], host)] }),
    hosts: ['shop.test', host, 'h'.repeat(1_000_000)],
  };
  const result = judge(whole, SITE);
  expect(result.cookies.map(({ name }) => name)).toEqual(['a']);
  expect(result.stored_items?.map(({ name }) => name)).toEqual(['a']);
  expect(result.requests.map((one) => one.host)).toEqual(['shop.test']);
  expect(result.conclusive).toBe(true);
  const earlier = {
    ...result,
    requests: [...result.requests, { ...result.requests[0], host }],
  } as ScanResult;
  expect(bounded(earlier)).toEqual(result);
});

test('object stores are the first that is cut, and the result says so', () => {
  const stores = many(50, (n) => wide(n, 200));
  const seen = seenOf({ items: many(150, (n) => item(wide(n, 200), stores)), cookies: [cookie('x')] });
  const result = judge(seen, SITE);
  expect(sizeOf(result)).toBeLessThanOrEqual(MAX_RESULT);
  expect([result.cookies.length, result.stored_items?.length]).toEqual([1, 150]);
  const kept = result.stored_items?.filter(({ object_stores }) => object_stores.length > 0).length ?? 0;
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThan(150);
  expect(rulesOf(result)).toContain('result_cut');
  expect(result.conclusive).toBe(false);
  expect(bounded(result)).toEqual(result);
});

test('where the banner held something counts, and is cut behind what is known', () => {
  const held = many(200, (n) => `${n}.${'h'.repeat(240)}.test`);
  const small = judge(seenOf({ held: [...held, 'h'.repeat(254)] }), SITE);
  expect(small.held_hosts).toEqual(held);
  const much = { cookies: [...many(480, (n) => cookie(wide(n, 1_300))), cookie('_ga')], held };
  const result = judge(seenOf(much), SITE);
  expect(sizeOf(result)).toBeLessThanOrEqual(MAX_RESULT);
  expect(result.held_hosts).toEqual(held);
  expect(result.cookies.some(({ name }) => name === '_ga')).toBe(true);
  expect(rulesOf(result)).toContain('result_cut');
  expect(bounded(result)).toEqual(result);
  const listed = { listed: () => ({ category: 'marketing', vendor: 'v' }) as never, categories: [] };
  const full = judge(seenOf(much), listed);
  expect(sizeOf(full)).toBeLessThanOrEqual(MAX_RESULT);
  expect(full.held_hosts?.length).toBeLessThan(200);
});

test('what is known to be more than necessary is never hidden behind much else, and no cut result is clean', () => {
  const much = {
    cookies: [...many(499, (n) => cookie(wide(n, 1_300))), cookie('zz_last'), cookie('_ga')].slice(1),
    items: [...many(400, (n) => item(wide(n, 200))), item('ajs_user_id')],
    hosts: [...many(199, (n) => `${n}.${'h'.repeat(240)}.test`), 'www.google-analytics.com'],
  };
  const result = judge(seenOf(much), SITE);
  expect(sizeOf(result)).toBeLessThanOrEqual(MAX_RESULT);
  const known = (list: readonly { category: string }[] = []): object[] =>
    list.filter(({ category }) => !['unclassified', 'necessary'].includes(category));
  expect(known(result.cookies)).toMatchObject([{ name: '_ga' }]);
  expect(known(result.requests)).toMatchObject([{ host: 'www.google-analytics.com' }]);
  expect(known(result.stored_items)).toMatchObject([{ name: 'ajs_user_id' }]);
  expect(result.cookies.length).toBeGreaterThan(50);
  expect(result.cookies.length).toBeLessThan(500);
  expect(summarise('browser', result)).toMatchObject({ rank: 2, sight: 0 });

  const harmless = judge(seenOf({ cookies: many(500, (n) => cookie(wide(n, 1_300))) }), SITE);
  expect(harmless.conclusive).toBe(false);
  expect(summarise('browser', harmless)).toMatchObject({ rank: 1, sight: 0 });
  expect(summarise('http', harmless)).toMatchObject({ sight: 0 });
});

test('many harmless cookies hide none that needs consent, and what is left out is told', () => {
  const listed = (name: string) => ({ category: name.startsWith('t') ? 'marketing' : 'necessary' });
  const site = { listed: listed as never, categories: [] };
  const harmless = many(600, (n) => cookie(`a${n}`));
  const result = judge(seenOf({ cookies: [...harmless, cookie('tracker')] }), site);
  expect(result.cookies).toHaveLength(500);
  expect(result.cookies.some(({ name }) => name === 'tracker')).toBe(true);
  expect(result.conclusive).toBe(false);
  expect(rulesOf(result)).toContain('storage_incomplete');
  expect(judge(seenOf({ cookies: harmless.slice(0, 500) }), site).conclusive).toBe(true);
});
