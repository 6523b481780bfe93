import { createHash, randomUUID } from 'node:crypto';
import { BundleRow } from '../../server/src/db/models';
import { isWhole } from '../../server/src/domain/banner/assemble';
import { refusal } from '../helpers/http/refusal';
import { startServer, type TestServer } from '../helpers/server';
import { member } from '../helpers/site/people';
import { settingFaults } from '../helpers/site/setting-faults';

interface Rule {
  place: string;
  category: string | null;
}

/** Auto-blocking switched on. */
const on = (rules: Rule[] = [], unclassified: string | null = null) => ({
  auto_blocking: { enabled: true, rules, unclassified },
});

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

const faults = (settings: object, first: object = {}): Promise<[string, string][]> =>
  settingFaults(server, settings, { first, below: 'auto_blocking.' });

test('rules name categories that visitors can refuse, each place once, and no host of the site', async () => {
  expect(
    await faults(
      on(
        [
          { place: 'tracker.example', category: 'necessary' },
          { place: 'tracker.example', category: 'unknown' },
          { place: 'shop.example.com/pixel', category: 'marketing' },
          { place: 'www.shop.example.com', category: 'marketing' },
          { place: 'shop.example.com', category: null },
          { place: 'js.stripe.com', category: 'marketing' },
          { place: 'tracker', category: 'marketing' },
          { place: '-a..example', category: null },
        ],
        'necessary',
      ),
    ),
  ).toEqual([
    ['rules.0.category', expect.stringContaining('give one of functional, analytics, marketing, or null')],
    ['rules.1.category', expect.stringContaining('unknown is no category that visitors can refuse')],
    ['rules.1.place', 'the place tracker.example is listed twice: give each place once'],
    ['rules.2.place', expect.stringContaining("is the site's own")],
    ['rules.3.place', expect.stringContaining("is the site's own")],
    ['rules.5.place', expect.stringContaining('known to be strictly necessary')],
    ['rules.6.place', expect.stringContaining('tracker is no host name')],
    ['rules.7.place', expect.stringContaining('is no host name')],
    ['unclassified', expect.stringContaining('or null to let them pass')],
  ]);
});

test('a rule is for a host that somebody registered, written as browsers have it', async () => {
  const places = ['com', 'co.uk', 'github.io', 'github.io/pixel/', '0.1', 'tracker.example.', 'paypal.com'];
  const rules = places.map((place) => ({ place, category: 'marketing' }));
  expect(await faults(on(rules))).toEqual([
    ['rules.0.place', expect.stringContaining('com is no host name')],
    ['rules.1.place', expect.stringContaining('co.uk belongs to nobody alone')],
    ['rules.2.place', expect.stringContaining('github.io belongs to nobody alone')],
    ['rules.3.place', expect.stringContaining('give a whole host such as tracker.example')],
    ['rules.4.place', expect.stringContaining('0.1 belongs to nobody alone')],
    ['rules.5.place', 'tracker.example. has a dot at its end: write tracker.example'],
    ['rules.6.place', expect.stringContaining('known to be strictly necessary')],
  ]);
  expect(await faults(on([{ place: 'Tracker.example', category: null }]))).toEqual([
    ['rules.0.place', expect.stringContaining('must be a host in lower case such as tracker.example')],
  ]);
  // Hosts below these may be necessary, and pass; an address is somebody's.
  const { client, token } = await server.site();
  const own = ['stripe.com', 'someone.github.io', '203.0.113.7'].map((place) => ({
    ...{ place, category: 'marketing' },
  }));
  await client.updateEnvironment({ token, body: { settings: on(own) } });
  const { config } = await client.previewBundle({ token });
  const free = config.auto_blocking?.rules.find(({ category }) => category === null)?.hosts;
  expect(free).toEqual(['api.stripe.com', 'js.stripe.com', 'm.stripe.com']);
  const { places: listed } = await client.getAutoBlocking({ token });
  expect(listed.find(({ place }) => place === 'js.stripe.com')).toMatchObject({
    ...{ category: null, reason: 'necessary', source: 'known', vendor: 'Stripe' },
  });
});

test('a site whose pages invent hosts gets its list and its banner, with all known trackers', async () => {
  const rules = Array.from({ length: 100 }, (_, at) => ({ place: `r${at}.own.example`, category: null }));
  const { client, token } = await server.site(on(rules, 'marketing'));
  const { db } = server.service.context;
  const { id: environment_id } = await db('environments').where({ token }).first('id');
  const known = (await client.previewBundle({ token })).config.auto_blocking?.rules ?? [];
  const scan = (page: number) => {
    const url = `https://shop.example.com/${page}`;
    const requests = Array.from({ length: 200 }, (_, at) => ({
      host: `a${at}.p${page}x${at}.example`,
      count: 1,
    }));
    const held_hosts = Array.from({ length: 200 }, (_, at) => `b${at}.q${page}x${at}.example`);
    return {
      ...{ scan_id: randomUUID(), environment_id, url, domain: 'shop.example.com', state: 'done', runs: 1 },
      page: createHash('sha256').update(url).digest(),
      ...{ created_at: new Date(), finished_at: new Date(Date.now() - page * 1_000) },
      result: JSON.stringify({
        ...{ cookies: [], findings: [], banner_detected: true, conclusive: true, held_hosts },
        requests: [...requests, { host: 'com', count: 1 }, { host: 'github.io', count: 1 }],
      }),
    };
  };
  const scans = Array.from({ length: 100 }, (_, page) => scan(page));
  await db('cookie_scans').insert(scans);
  const { places, scanned_at } = await client.getAutoBlocking({ token });
  expect(scanned_at).toBe(scans[0]?.finished_at.toISOString());
  expect(places.length).toBeLessThanOrEqual(3_000);
  expect(places.filter(({ place }) => place === 'com' || place === 'github.io')).toEqual([]);
  const found = places.filter(({ contacted, held }) => contacted || held);
  expect(found.length).toBeLessThanOrEqual(2_000);
  for (let page = 0; page < 100; page += 1)
    expect(found.filter(({ place }) => new RegExp(`[.][pq]${page}x`).test(place)).length).toBeGreaterThan(10);
  const { config, warnings } = await client.previewBundle({ token });
  const all = config.auto_blocking?.rules ?? [];
  for (const { category, hosts } of known)
    expect(all.find((one) => one.category === category)?.hosts).toEqual(expect.arrayContaining(hosts));
  const waits = all.flatMap(({ hosts }) => hosts);
  expect(waits.join('').length).toBeLessThanOrEqual(16_000);
  const left = places.filter(({ reason }) => reason === 'no_room').length;
  expect(warnings.find(({ code }) => code === 'auto_blocking_room')?.message).toContain(
    `Hosts that should wait are let pass, ${left} of them`,
  );
});

test('a category that a rule names cannot go', async () => {
  const { settings } = await server.site().then(({ client, token }) => client.getEnvironment({ token }));
  const categories = settings.categories.filter(({ key }) => key !== 'marketing');
  expect(
    await faults({ categories }, on([{ place: 'tracker.example', category: 'marketing' }], 'marketing')),
  ).toEqual([
    ['rules.0.category', expect.stringContaining('marketing is no category')],
    ['unclassified', expect.stringContaining('marketing is no category')],
  ]);
});

test('there are a hundred rules of hosts and addresses at most, and 4,000 characters of them', async () => {
  const rules = (count: number, place: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => ({ place: place(at), category: null }));
  expect(await faults(on(rules(101, (at) => `a${at}.example`)))).toEqual([['rules', expect.any(String)]]);
  expect(await faults(on(rules(50, (at) => `a${at}.example/${'x'.repeat(100)}`)))).toEqual([
    ['rules', expect.stringContaining('may have 4000: write shorter beginnings')],
  ]);
  for (const place of [
    ...['https://tracker.example', 'Tracker.example', 'tracker.example:8080', 'tracker.example?a=1'],
    ...['*.tracker.example', '', '/path', `${'a'.repeat(201)}.example`, 'tracker.example/<script>'],
  ])
    expect(new Set((await faults(on([{ place, category: null }]))).map(([path]) => path))).toEqual(
      new Set(['rules.0.place']),
    );
});

test('a bundle has the rules, its hash covers them, and its snippet holds them', async () => {
  const { client, token } = await server.site();
  const without = await client.generateBundle({ token });
  const codes = async () => (await client.listWarnings({ token })).items.map(({ code }) => code);
  await client.updateEnvironment({ token, body: { settings: on() } });
  expect(await codes()).toContain('bundle_outdated');
  const bundle = await client.generateBundle({ token });
  expect(await codes()).not.toContain('bundle_outdated');
  expect(bundle.hash).not.toBe(without.hash);
  expect(bundle.snippet_csp_hash).not.toBe(without.snippet_csp_hash);
  expect(without.snippet).not.toContain('doubleclick.net');
  expect(bundle.snippet).toContain('"doubleclick.net"');
  expect(bundle.snippet.length).toBeLessThan(16_000);
  const { config } = await client.getBundleRecord({ token, hash: bundle.hash });
  const of = (key: string | null) =>
    config.auto_blocking?.rules.find(({ category }) => category === key)?.hosts ?? [];
  expect(of('marketing')).toContain('facebook.net');
  expect(of('analytics')).toContain('google-analytics.com');
  // A parent says it for its subdomains.
  expect(of('analytics')).not.toContain('ssl.google-analytics.com');
  expect(of('functional')).toEqual([]);
  expect([...of('marketing'), ...of('analytics')].filter((host) => /stripe|jquery/.test(host))).toEqual([]);
  const { items } = await client.listBundles({ token });
  expect(items.map(({ snippet }) => snippet)).toEqual([bundle.snippet, without.snippet]);
  const row = await BundleRow.query(server.service.context.db)
    .findOne({ hash: bundle.hash })
    .throwIfNotFound();
  expect(isWhole(row)).toBe(true);
  expect(isWhole(Object.assign(row, { config: { ...row.config, auto_blocking: { rules: [] } } }))).toBe(
    false,
  );
  expect([without.stub_parts, bundle.stub_parts]).toEqual([
    ['consent_mode'],
    ['consent_mode', 'auto_blocking'],
  ]);
  // Off again, the snippet is the one of before, and the script lets go of what pages with the other one hold.
  await client.updateEnvironment({
    token,
    body: { settings: { auto_blocking: { ...on().auto_blocking, enabled: false } } },
  });
  const again = await client.generateBundle({ token });
  expect([again.snippet, again.stub_parts]).toEqual([without.snippet, without.stub_parts]);
  const configOf = async ({ hash }: { hash: string }) =>
    (await client.getBundleRecord({ token, hash })).config;
  expect((await configOf(again)).auto_blocking).toEqual({ rules: [] });
  expect(await configOf(without)).not.toHaveProperty('auto_blocking');
  expect(await codes()).not.toContain('bundle_outdated');
  expect((await client.generateBundle({ token })).hash).toBe(again.hash);
  // Once none of the bundles that are remembered has held anything, it is the one of before.
  const { db } = server.service.context;
  const { bundles } = await db('environments').where({ token }).first('bundles');
  const others = bundles.filter(({ holds }: { holds?: string }) => holds === undefined);
  expect(others).toHaveLength(bundles.length - 1);
  await db('environments')
    .where({ token })
    .update({ bundles: JSON.stringify(others) });
  server.service.context.sites.forget(token);
  expect(await codes()).not.toContain('bundle_outdated');
  expect(await configOf(await client.generateBundle({ token }))).not.toHaveProperty('auto_blocking');
});

test('the owner’s rules come before what is known, with all that lies within their hosts', async () => {
  const { client, token } = await server.site(
    on([
      { place: 'google.com', category: null },
      { place: 'doubleclick.net', category: 'analytics' },
      { place: 'stats.doubleclick.net/free/', category: null },
      { place: 'cdn.example/pixel/', category: 'marketing' },
    ]),
  );
  const { config } = await client.previewBundle({ token });
  const all = config.auto_blocking?.rules ?? [];
  const categoriesOf = (place: string) =>
    all.filter(({ hosts }) => hosts.includes(place)).map(({ category }) => category);
  expect(categoriesOf('doubleclick.net')).toEqual(['analytics']);
  expect(categoriesOf('stats.doubleclick.net/free/')).toEqual([null]);
  expect(categoriesOf('cdn.example/pixel/')).toEqual(['marketing']);
  expect(categoriesOf('adservice.google.com')).toEqual([]);
  const { places } = await client.getAutoBlocking({ token });
  expect(
    places.slice(0, 4).map(({ place, category, source, reason }) => [place, category, source, reason]),
  ).toEqual([
    ['google.com', null, 'own_rule', 'own_rule'],
    ['doubleclick.net', 'analytics', 'own_rule', 'needs_consent'],
    ['stats.doubleclick.net/free/', null, 'own_rule', 'own_rule'],
    ['cdn.example/pixel/', 'marketing', 'own_rule', 'needs_consent'],
  ]);
});

test('categories of other names stand for what is known by what they grant, or it is let pass', async () => {
  const category = (key: string, required: boolean, google_consent: string[] = []) => ({
    ...{ key, name: key, description: '', required, google_consent },
  });
  const { client, token } = await server.site({
    categories: [category('needed', true), category('statistics', false, ['analytics_storage'])],
    ...on(),
  } as never);
  const { places, enabled, outdated, scanned_at } = await client.getAutoBlocking({ token });
  expect([enabled, outdated, scanned_at]).toEqual([true, false, null]);
  const of = (name: string) => places.find(({ place }) => place === name);
  expect(of('google-analytics.com')).toMatchObject({ category: 'statistics', source: 'known' });
  expect(of('doubleclick.net')).toMatchObject({ category: null, reason: 'no_category' });
});

test('hosts where vendors of the list keep cookies wait, by the vendor where visitors choose by vendor', async () => {
  const { client, token } = await server.site({ choice_by_vendor: true, ...on() });
  const cookie = (name: string, domain: string, category: string) => ({
    ...{ name, domain, category, max_age_seconds: 60 },
  });
  const vendor = (id: number, name: string, cookies: object[]) => ({
    ...{ id, name, categories: ['marketing'], purposes: [], leg_int_purposes: [], urls: [], cookies },
  });
  await client.replaceVendors({
    token,
    body: {
      vendors: [
        vendor(7, 'Pixel Ltd', [
          cookie('a', '.pixel.example', 'marketing'),
          cookie('b', 'pixel-cdn.example', 'necessary'),
          cookie('c', '.shop.example.com', 'marketing'),
        ]),
      ] as never,
    },
  });
  const { config } = await client.previewBundle({ token });
  expect(config.auto_blocking?.rules.find(({ vendor: id }) => id === 7)).toEqual({
    ...{ category: 'marketing', vendor: 7, hosts: ['pixel.example'] },
  });
  const { places } = await client.getAutoBlocking({ token });
  const of = (name: string) => places.find(({ place }) => place === name);
  expect(of('pixel.example')).toMatchObject({ source: 'vendor_list', vendor: 'Pixel Ltd' });
  expect(of('pixel-cdn.example')).toMatchObject({ category: null, reason: 'necessary' });
  expect(of('shop.example.com')).toMatchObject({ category: null, reason: 'first_party', source: 'own_host' });
});

test('viewers read what is held, and only owners change it', async () => {
  const owned = await server.site();
  const viewer = await member(server, owned, 'viewer');
  const { token } = owned;
  expect((await viewer.client.getAutoBlocking({ token })).enabled).toBe(false);
  expect((await refusal(viewer.client.updateEnvironment({ token, body: { settings: on() } }))).status).toBe(
    403,
  );
  const operator = await member(server, owned, 'operator');
  expect((await refusal(operator.client.updateEnvironment({ token, body: { settings: on() } }))).status).toBe(
    403,
  );
  const stranger = await server.person();
  expect((await refusal(stranger.client.getAutoBlocking({ token }))).status).toBe(404);
});

test('a preview of unsaved settings has the rules, and faults of it are told', async () => {
  const { client, token } = await server.site();
  const { config } = await client.previewBundle({ token, body: { settings: on() } });
  expect(config.auto_blocking?.rules.length).toBeGreaterThan(1);
  const own = on([{ place: 'shop.example.com', category: 'marketing' }]);
  expect((await refusal(client.previewBundle({ token, body: { settings: own } }))).status).toBe(400);
});
