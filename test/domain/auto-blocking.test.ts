import type { Judged } from '../../server/src/domain/auto-blocking/judging';
import { inOrder, type PlaceSources, placesOf } from '../../server/src/domain/auto-blocking/places';
import { rulesOf } from '../../server/src/domain/auto-blocking/rules';
import { KNOWN } from '../../server/src/domain/cookies/classification';
import { defaultSettings } from '../../server/src/domain/settings';
import { runYielding } from '../../server/src/domain/yielding';

type Own = PlaceSources['settings']['rules'];

/** What a site's pages hold: places as they are listed, and of places in the rules their category. */
async function holds({
  rules: own = [],
  unclassified = null,
  ...more
}: Partial<PlaceSources> & { rules?: Own; unclassified?: string | null }) {
  const sources: PlaceSources = {
    settings: { enabled: true, rules: own, unclassified },
    categories: defaultSettings().categories,
    ...{ vendors: [], contacted: [], held: [] },
    ...{ domains: ['shop.example.com'], server: 'consent.example.com' },
    ...more,
  };
  const judged: Judged[] = await runYielding(placesOf(sources));
  const { rules, places } = await runYielding(rulesOf(judged, ['shop.example.com', 'consent.example.com']));
  const inRules = new Map(
    rules.rules.flatMap(({ category, hosts }) => hosts.map((host) => [host, category] as const)),
  );
  return {
    rules: rules.rules,
    inRules,
    places: inOrder(places),
    characters: [...inRules.keys()].join('').length,
    of: (place: string) => places.find((one) => one.place === place),
    crowded: places.filter(({ reason }) => reason === 'no_room').length,
  };
}

const many = <Of>(count: number, of: (at: number) => Of): Of[] =>
  Array.from({ length: count }, (_, at) => of(at));
const trackers = KNOWN.flatMap(({ hosts }) =>
  Object.entries(hosts).filter(([, category]) => category === 'analytics' || category === 'marketing'),
);

test('hosts that a page invents take no room from known trackers', async () => {
  const plain = await holds({});
  const long = (at: number) => `x${at}`.padEnd(60, 'y');
  for (const under of ['google-analytics.com', 'safeframe.googlesyndication.com']) {
    // They are no news: the rule of the host above them says it.
    const some = await holds({ contacted: many(240, (at) => `${long(at)}.${'z'.repeat(60)}.${under}`) });
    expect(some.crowded).toBe(0);
    expect(some.rules).toEqual(plain.rules);
  }
  const flood = await holds({
    unclassified: 'functional',
    contacted: many(2_000, (at) => `${long(at)}.invented${at}.example`),
  });
  for (const [host, category] of trackers) expect([host, flood.of(host)?.category]).toEqual([host, category]);
  expect(flood.crowded).toBeGreaterThan(1_000);
  expect(flood.characters).toBeLessThanOrEqual(16_000);
  for (const [host, category] of plain.inRules)
    expect([host, flood.inRules.get(host)]).toEqual([host, category]);
});

test('the registrable domain stands for more than ten hosts of it, with all that scans saw below it', async () => {
  const found = (count: number) => many(count, (at) => `r${at}.ads.example`);
  const ten = await holds({ unclassified: 'marketing', contacted: found(10) });
  expect(ten.inRules.get('r9.ads.example')).toBe('marketing');
  const contacted = many(40, (at) => `r${at + 40}.ads.example`);
  const more = await holds({ unclassified: 'marketing', contacted, held: ['x.y.ads.example'] });
  expect(more.of('ads.example')).toMatchObject({
    ...{ category: 'marketing', source: 'scan', reason: 'unclassified', contacted: true, held: true },
  });
  expect([...more.inRules.keys()].filter((host) => host.endsWith('.ads.example'))).toEqual([]);
  // Rotating names change nothing.
  const again = await holds({ unclassified: 'marketing', contacted: found(20) });
  expect(again.rules).toEqual(more.rules);
});

test.each([
  ['has what is strictly necessary', 'cloudflare.com'],
  ['has what is known for another category', 'google.com'],
  ['is the site’s own', 'example.com'],
])('a domain that %s stands for nothing: ten of its hosts wait', async (_, domain) => {
  const hosts = many(30, (at) => `r${at}.${domain}`);
  const { inRules, crowded, of } = await holds({ unclassified: 'functional', contacted: hosts });
  expect(inRules.has(domain)).toBe(false);
  expect(hosts.filter((host) => inRules.get(host) === 'functional')).toHaveLength(10);
  expect(crowded).toBe(20);
  expect(of(`r29.${domain}`)).toMatchObject({ category: null, reason: 'no_room' });
});

test('what is strictly necessary, or delivers libraries, passes below a host that waits, and is listed', async () => {
  const rules = [
    { place: 'stripe.com', category: 'functional' },
    { place: 'adyen.com/v1/', category: 'functional' },
    { place: 'jsdelivr.net', category: 'functional' },
    { place: 'cdn.jsdelivr.net/gh/tracker/', category: 'marketing' },
    { place: 'kit.fontawesome.com', category: 'functional' },
    { place: 'fontawesome.com', category: 'functional' },
  ];
  const contacted = ['cloudflare.com', 'js.stripe.com'];
  const { inRules, of } = await holds({ rules, contacted, unclassified: 'marketing' });
  for (const place of [
    'js.stripe.com',
    'm.stripe.com',
    'challenges.cloudflare.com',
    'cdnjs.cloudflare.com',
  ]) {
    expect([place, inRules.get(place)]).toEqual([place, null]);
    expect(of(place)).toMatchObject({ category: null, reason: 'necessary' });
  }
  expect(of('js.stripe.com')).toMatchObject({ contacted: true, held: false });
  // By a beginning of addresses, which would hold its subdomains, too.
  expect(inRules.get('checkoutshopper-live.adyen.com')).toBeNull();
  expect(of('cdn.jsdelivr.net')).toMatchObject({ category: null, reason: 'library' });
  expect(inRules.get('cdn.jsdelivr.net')).toBeNull();
  expect(inRules.get('cdn.jsdelivr.net/gh/tracker/')).toBe('marketing');
  expect(inRules.get('use.fontawesome.com')).toBeNull();
  // A rule for the very host says it of a library.
  expect(of('kit.fontawesome.com')?.category).toBe('functional');
  expect(inRules.has('js.hcaptcha.com')).toBe(false);
  const plain = await holds({});
  expect([...plain.inRules.values()]).not.toContain(null);
});

test('endings that many share, and ends of addresses, are no places', async () => {
  const shared = ['com', 'co.uk', 'github.io', '0.1', '1.0.1', 'localhost', 'x.0', '[::1]', 'a_b.example'];
  const { places, inRules } = await holds({
    unclassified: 'marketing',
    contacted: [...shared, 'someone.github.io', '203.0.113.7'],
    rules: [{ place: 'com', category: 'marketing' }],
    vendors: [
      {
        ...{ id: 1, name: 'v' },
        cookies: [{ name: 'c', domain: '.com', category: 'marketing', max_age_seconds: 1 }],
      },
    ],
  });
  expect(places.filter(({ place }) => shared.includes(place))).toEqual([]);
  expect(shared.filter((host) => inRules.has(host))).toEqual([]);
  expect(inRules.get('someone.github.io')).toBe('marketing');
  expect(inRules.get('203.0.113.7')).toBe('marketing');
});

test('rules are bounded with those that never wait, and by their number', async () => {
  const cookie = (domain: string, category: string) => ({ name: 'c', domain, category, max_age_seconds: 1 });
  const long = (at: number) => `${`n${at}`.padEnd(60, 'n')}.v${at}.example`;
  const vendor = (cookies: ReturnType<typeof cookie>[]) => [{ id: 1, name: 'v', cookies }];
  const nulls = await holds({
    vendors: vendor(
      many(400, (at) => [cookie(`v${at}.example`, 'marketing'), cookie(long(at), 'necessary')]).flat(),
    ),
  });
  expect(nulls.characters).toBeLessThanOrEqual(16_000);
  expect(nulls.characters).toBeGreaterThan(15_000);
  expect(nulls.crowded).toBeGreaterThan(0);
  // What waits has its exceptions.
  for (const at of many(400, (one) => one))
    if (nulls.inRules.has(`v${at}.example`)) expect(nulls.inRules.get(long(at))).toBeNull();
  const short = await holds({
    unclassified: 'functional',
    contacted: many(2_000, (at) => `${at.toString(36)}a.de`),
  });
  for (const { hosts } of short.rules) expect(hosts.length).toBeLessThanOrEqual(1_000);
  expect(short.rules.find(({ category }) => category === 'functional')?.hosts.length).toBe(1_000);
  expect(short.places.length).toBeLessThanOrEqual(3_000);
});

describe('what a page has pass takes nothing from the owner’s rules and from what is known', () => {
  const below = (host: string, count = 200) =>
    many(count, (at) => `${`n${at}`.padEnd(60, 'n')}.${'m'.repeat(60)}.${host}`);

  test.each([
    ['cdn.example', 'cdn.example/pixel/'],
    ['cdn.jsdelivr.net', 'cdn.jsdelivr.net/gh/tracker/'],
    ['maps.googleapis.com', 'maps.googleapis.com/pixel/'],
  ])('below %s, of which a rule has a part', async (host, place) => {
    const categories = defaultSettings().categories.filter(({ key }) => key !== 'functional');
    const rules = [{ place, category: 'marketing' }];
    const plain = await holds({ rules, categories });
    const page = await holds({ rules, categories, contacted: below(host) });
    expect(page.rules).toEqual(plain.rules);
    expect(page.crowded).toBe(0);
    expect(page.inRules.get(place)).toBe('marketing');
  });

  test('what the owner’s list of vendors or the product lets pass still passes below a rule for a part', async () => {
    const cookies = [
      { name: 'c', domain: 'safe.cdn.example', category: 'necessary', max_age_seconds: 1 },
      { name: 'd', domain: 'deep.safe.x.cdn.example', category: 'necessary', max_age_seconds: 1 },
    ];
    const { inRules } = await holds({
      rules: [{ place: 'cdn.example/pixel/', category: 'marketing' }],
      vendors: [{ id: 1, name: 'v', cookies }],
      contacted: ['x.cdn.example'],
    });
    expect(inRules.get('safe.cdn.example')).toBeNull();
    expect(inRules.get('deep.safe.x.cdn.example')).toBeNull();
    expect(inRules.has('x.cdn.example')).toBe(false);
  });

  test('a known host without a category passes for all names below it, and last', async () => {
    const categories = defaultSettings().categories.filter(({ key }) => key !== 'functional');
    const some = {
      ...{ categories, unclassified: 'marketing' },
      contacted: ['trustedshops.com', ...below('widgets.trustedshops.com')],
    };
    const { inRules, of } = await holds(some);
    expect([...inRules].filter(([place]) => place.endsWith('trustedshops.com')).sort()).toEqual([
      ['trustedshops.com', 'marketing'],
      ['widgets.trustedshops.com', null],
    ]);
    expect(of('widgets.trustedshops.com')).toMatchObject({ reason: 'no_category', contacted: true });
    // Pages are full: it waits with what it lies in, and the list says so.
    const vendors = [
      {
        ...{ id: 1, name: 'v' },
        cookies: many(900, (at) => ({
          ...{ name: 'c', domain: `${`v${at}`.padEnd(60, 'v')}.example`, category: 'analytics' },
          max_age_seconds: 1,
        })),
      },
    ];
    const rules = [{ place: 'trustedshops.com', category: 'marketing' }];
    const full = await holds({
      ...some,
      vendors,
      contacted: ['trustpilot.com', ...below('widget.trustpilot.com')],
    });
    expect(full.of('trustpilot.com')?.reason).toBe('no_room');
    const listed = [
      {
        ...{ id: 2, name: 'w' },
        cookies: [{ name: 'c', domain: 'trustpilot.com', category: 'marketing', max_age_seconds: 1 }],
      },
      ...vendors,
    ];
    const inherits = await holds({
      ...some,
      rules,
      vendors: listed,
      contacted: below('widget.trustpilot.com'),
    });
    expect(inherits.crowded).toBeGreaterThan(0);
    for (const [host, category] of trackers)
      expect([host, inherits.inRules.get(host) ?? inherits.of(host)?.category]).toEqual([host, category]);
    expect(inherits.inRules.get('trustpilot.com')).toBe('marketing');
    expect(inherits.of(below('widget.trustpilot.com')[0] ?? '')?.category).toBe('marketing');
  });
});
