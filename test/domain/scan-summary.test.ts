import { pageOf, spansOf } from '../../server/src/domain/cookies/page';
import { isFirstParty } from '../../server/src/domain/cookies/party';
import type { ScanResult } from '../../server/src/domain/cookies/result';
import { MAX_BYTES, summarise } from '../../server/src/domain/cookies/summary';
import type { ScannedCookie } from '../../server/src/domain/types';

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const cookie = (name: string, category: string): ScannedCookie => ({
  ...{ storage: 'cookie', name, category, domain: 'shop.example', max_age_seconds: 0, secure: true },
  ...{ http_only: false, same_site: null, set_before_consent: true, first_party: true },
});
const resultOf = (change: Partial<ScanResult>): ScanResult => ({
  ...{ cookies: [], stored_items: [], requests: [], banner_detected: true, findings: [], conclusive: true },
  ...change,
});

test('whatever a page keeps, its summary is short, counts everything and names what needs consent', () => {
  const wide = '\u20ac"'.repeat(2_000);
  const rules = Array.from({ length: 8 }, (_, n) => ({
    ...{ rule: `rule_${n}`.padEnd(60, '_'), severity: 'critical' as const, message: wide },
  }));
  const odd = Array.from({ length: 499 }, (_, n) => cookie(`${n}${wide}`, `kind_${n}`.padEnd(40, '_')));
  const cookies = [...odd, cookie('_ga', 'analytics')];
  const { summary, cookies: own, rank } = summarise('browser', resultOf({ cookies, findings: rules }));
  expect(bytesOf(summary)).toBeLessThanOrEqual(MAX_BYTES);
  expect(bytesOf(own)).toBeLessThanOrEqual(MAX_BYTES);
  expect(rank).toBe(2);
  expect(Object.values(summary.counts).reduce((sum, count) => sum + count, 0)).toBe(500);
  expect(summary.counts).toMatchObject({ analytics: 1, unclassified: 480 });
  expect(summary.findings.map(({ rule }) => rule)).toEqual(rules.map(({ rule }) => rule));
});

test.each([
  ['nothing', resultOf({}), { rank: 0, sight: 2 }],
  ['what is necessary', resultOf({ cookies: [cookie('sid', 'necessary')] }), { rank: 0, sight: 2 }],
  ['an unknown name', resultOf({ cookies: [cookie('x', 'unclassified')] }), { rank: 1, sight: 2 }],
  ['a known one', resultOf({ cookies: [cookie('_ga', 'analytics')] }), { rank: 2, sight: 2 }],
  ['less than all', resultOf({ conclusive: false }), { rank: 1, sight: 0 }],
])('%s', (_, result, judged) => {
  expect(summarise('browser', result)).toMatchObject(judged);
});

test('the spans of domains hold the places of their first-party hosts, each once, and no others', () => {
  const hosts = [
    'example.com',
    'www.example.com',
    'shop.example.com',
    'a.shop.example.com',
    'www.shop.example.com',
  ];
  const others = [
    'example-x.com',
    'xexample.com',
    'example.com.evil.test',
    'com',
    'blog.example.com',
    '127.0.0.1',
  ];
  const sites = [
    ...[['example.com'], ['www.example.com'], ['shop.example.com'], ['shop.example.com', 'example.com']],
    ...[['a.b.shop.example.com', 'blog.example.com'], ['localhost', '127.0.0.1'], ['one.github.io'], []],
  ];
  for (const domains of sites) {
    const spans = spansOf(domains);
    for (const host of [...hosts, ...others, 'localhost', 'github.io', 'two.github.io', 'one.github.io']) {
      const { place } = pageOf(`https://${host}/`);
      const within = spans.filter(({ low, high }) => place >= low && place < high);
      const isOwn = domains.some((domain) => isFirstParty(host, domain));
      expect([domains, host, within.length]).toEqual([domains, host, isOwn ? 1 : 0]);
    }
  }
});

test('a page is its host, path and query', () => {
  const key = (address: string): string => pageOf(address).page.toString('hex');
  const same = ['https://SHOP.example:443/a?b', 'http://shop.example/a?b#c', 'https://shop.example./a?b'];
  expect(new Set(same.map(key)).size).toBe(1);
  const others = ['https://www.shop.example/a?b', 'https://shop.example/a', 'https://shop.example/a?c'];
  expect(new Set([...same, ...others, 'https://shop.example:81/a?b'].map(key)).size).toBe(5);
  expect(pageOf(`https://shop.example/${'x'.repeat(2_000)}`).shown).toHaveLength(200);
});
