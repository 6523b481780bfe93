import { chooseHosts, MOST_FOUND } from '../../server/src/domain/auto-blocking/hosts';
import type { Judged } from '../../server/src/domain/auto-blocking/judging';
import { placesOf } from '../../server/src/domain/auto-blocking/places';
import { rulesOf } from '../../server/src/domain/auto-blocking/rules';
import { defaultSettings } from '../../server/src/domain/settings';
import { runYielding } from '../../server/src/domain/yielding';
import { growthOf, MAX_GROWTH } from './growth';

const hosts = <Of>(count: number, of: (at: number) => Of): Of[] =>
  Array.from({ length: count }, (_, at) => of(at));

/** A site with as many own rules, and hosts of vendors and of scans in proportion. */
const sources = (size: number) => ({
  settings: {
    ...{ enabled: true, unclassified: 'marketing' },
    rules: hosts(size, (at) => ({ place: `r${at}.own.example`, category: null })),
  },
  categories: defaultSettings().categories,
  vendors: [
    {
      ...{ id: 1, name: 'v' },
      cookies: hosts(size * 10, (at) => ({
        ...{ name: 'c', domain: `v${at}.example`, category: 'marketing', max_age_seconds: 1 },
      })),
    },
  ],
  contacted: hosts(size * 10, (at) => `a.b.c.d${at}.tracker${at % 7}.example`),
  held: hosts(size * 10, (at) => `b${at}.held${at}.example`),
  domains: ['shop.example.com'],
  server: 'consent.example.com',
});

test('own rules and hosts that pages invent cost no more than their number', async () => {
  const judge = (size: number) => runYielding<Judged[]>(placesOf(sources(size)));
  expect(await growthOf(judge, 250)).toBeLessThan(MAX_GROWTH);
}, 120_000);

test('four times the own rules and hosts are taken apart four times as often', async () => {
  const splits = async (size: number): Promise<number> => {
    const split = jest.spyOn(String.prototype, 'split');
    await runYielding(placesOf(sources(size)));
    const { length } = split.mock.calls;
    split.mockRestore();
    return length;
  };
  const small = await splits(20);
  expect(small).toBeGreaterThan(200);
  expect((await splits(80)) / small).toBeLessThan(5);
});

test('rules cost no more than places there are', async () => {
  const judged = new Map<number, Judged[]>();
  for (const size of [63, 250, 1_000]) judged.set(size, await runYielding(placesOf(sources(size))));
  const work = (size: number) =>
    runYielding(rulesOf(judged.get(size) as Judged[], ['shop.example.com', 'consent.example.com']));
  expect(await growthOf(work, 250)).toBeLessThan(MAX_GROWTH);
}, 120_000);

test('a task that judges them gives others their turn between hosts', () => {
  const steps = (task: Generator<unknown, unknown>): number => {
    let count = 0;
    while (task.next().done !== true) count += 1;
    return count;
  };
  expect(steps(placesOf(sources(100)))).toBeGreaterThan(3_000);
});

test('of the hosts of many pages a bounded number is looked at, fairly by page and by domain', async () => {
  const evil = {
    contacted: hosts(200, (at) => `a${at}.evil.example`),
    held: hosts(200, (at) => `b${at}.evil.example`),
  };
  const pages = [
    ...hosts(99, (page) => ({
      contacted: hosts(200, (at) => `a${at}.p${page}.example`),
      held: hosts(200, (at) => `b${at}.p${page}.example`),
    })),
    { contacted: [...evil.contacted, 'z.honest.example', 'Z.Other.example.'], held: evil.held },
  ];
  const { contacted, held } = await runYielding(chooseHosts(pages));
  expect(new Set([...contacted, ...held]).size).toBe(MOST_FOUND);
  expect(contacted).toEqual(expect.arrayContaining(['z.honest.example', 'z.other.example']));
  for (const page of ['.p0.', '.p50.', '.p98.', '.evil.'])
    expect([...contacted, ...held].filter((host) => host.includes(page)).length).toBeGreaterThanOrEqual(18);
  expect(await runYielding(chooseHosts(pages))).toEqual({ contacted, held, isCut: true });
});
