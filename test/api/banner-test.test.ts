import { PROGRAM } from '../helpers/banner/program';
import { post } from '../helpers/http/raw';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { type Client, useServer } from '../helpers/server';
import { member, rowsIn } from '../helpers/site/people';
import { BOT, openTest, PERSON, publishTest, testOf, view } from '../helpers/site/two-banners';
import { until } from '../helpers/until';

const server = useServer({ variables: { ROLE: 'api' }, program: PROGRAM });

const figures = (client: Client, token: string) => client.getBannerTest({ token });

describe('what a test may be', () => {
  const refused = async (look: object, plan: object = {}, more: object = {}) => {
    const { client, token } = await server.site({});
    const { settings } = await client.getEnvironment({ token });
    const banner_test = { ...testOf(settings), ...plan };
    Object.assign(banner_test.banner, look);
    const body = { settings: { banner_test, ...more } };
    return refusal(client.updateEnvironment({ token, body } as never));
  };
  const IN_B = 'body.settings.banner_test.banner';

  test('version B is held to the rules of the banner, by its own path', async () => {
    const logo = { image: 'data:image/png;base64,AAAA', width: 40, height: 40, alt: 'Shop' };
    expect(pathsOf(await refused({ design: { logo } }))).toEqual([`${IN_B}.design.logo.image`]);
    expect(pathsOf(await refused({ design: { radius: 99 } }))).toEqual([`${IN_B}.design.radius`]);
    const colours = {
      ...{ background: '#ffffff', text: '#eeeeee', button_background: '#1f4fd8', button_text: '#ffffff' },
    };
    expect(pathsOf(await refused({ theme: 'light', colours }))).toEqual([`${IN_B}.colours.text`]);
    expect(pathsOf(await refused({ theme: 'dark', dark_colours: colours }))).toEqual([
      `${IN_B}.dark_colours.text`,
    ]);
  });

  test('what the law asks for is no part of it', async () => {
    for (const name of ['first_layer_buttons', 'control', 'google_consent_mode', 'cookie', 'categories'])
      expect(pathsOf(await refused({ [name]: [] }))[0]).toMatch(new RegExp(`^${IN_B}`));
    for (const name of ['accept_all', 'reject_all', 'settings', 'save'])
      expect(pathsOf(await refused({ texts: { en: { [name]: 'Sure!' } } }))[0]).toMatch(
        new RegExp(`^${IN_B}.texts.en`),
      );
  });

  test('nobody tests a banner on which refusing is harder than accepting', async () => {
    const { settings } = await (async () => {
      const { client, token } = await server.site({});
      return client.getEnvironment({ token });
    })();
    const banner = { ...settings.banner, first_layer_buttons: ['accept_all', 'settings'] };
    const refusalOf = await refused({}, {}, { banner });
    expect(pathsOf(refusalOf)).toEqual(['body.settings.banner_test']);
    expect(refusalOf.errors[0]?.message).toMatch(/needs reject_all/);
  });

  test('two versions that are the same are no test, nor is one without bounds', async () => {
    expect(pathsOf(await refused({ layout: 'box', position: 'bottom_right' }))).toEqual([IN_B]);
    // Nor do they differ in what nobody sees: values that are as by default, and colours that the theme never shows.
    expect(pathsOf(await refused({ layout: 'box', position: 'bottom_right', design: {} }))).toEqual([IN_B]);
    expect(
      pathsOf(
        await refused({ layout: 'box', position: 'bottom_right', design: { font_size: 16, radius: 12 } }),
      ),
    ).toEqual([IN_B]);
    const dark = {
      ...{ background: '#000000', text: '#ffffff', button_background: '#ffffff', button_text: '#000000' },
    };
    const { client, token } = await server.site({});
    const { settings } = await client.getEnvironment({ token });
    const banner = { ...settings.banner, theme: 'light' };
    const same = { theme: 'light', layout: banner.layout, position: banner.position };
    expect(pathsOf(await refused({ ...same, dark_colours: dark }, {}, { banner }))).toEqual([IN_B]);
    expect(pathsOf(await refused({}, { share: 5 }))).toEqual(['body.settings.banner_test.share']);
    expect(pathsOf(await refused({}, { smallest_difference: 0 }))).toEqual([
      'body.settings.banner_test.smallest_difference',
    ]);
  });
});

test('without a test a bundle has not a byte of it, and its program is the usual one', async () => {
  const { client, token } = await server.site({});
  const plain = await client.previewBundle({ token });
  expect(plain.config).not.toHaveProperty('test');
  expect(plain.script).not.toContain('tested');
  await client.updateEnvironment({ token, body: { settings: { banner_test: null } } });
  const switchedOff = await client.previewBundle({ token });
  const version = (text: string) => text.replace(/"settings_version":\d+|[\w-]{24}/g, '');
  expect(version(switchedOff.script)).toBe(version(plain.script));
  expect(await figures(client, token)).toEqual({
    ...{ state: 'none', publishing: 'nothing', current: null, ended: [] },
  });
});

test('each version is a bundle of its own, and the first one names the other', async () => {
  const texts = { en: { title: 'May we?' } };
  const { client, token, a, b } = await openTest(server, {
    ...{ layout: 'bar', position: 'top', theme: 'light', design: { radius: 0 }, texts },
  });
  const ofA = await client.getBundleRecord({ token, hash: a });
  const ofB = await client.getBundleRecord({ token, hash: b });
  expect(ofA.config).toMatchObject({ layout: 'box', test: { number: 1, version: 'a', share: 50 } });
  expect(ofA.config.test?.b?.look).toMatchObject({ layout: 'bar', position: 'top', theme: 'light', texts });
  expect(ofB.config).toMatchObject({ layout: 'bar', test: { number: 1, version: 'b', share: 50 } });
  expect(ofB.config.test).not.toHaveProperty('b');
  expect(ofB.config.texts.en?.title).toBe('May we?');
  expect(ofB.config.design).toEqual(ofA.config.test?.b?.look.design);
  expect(ofB.config.categories).toEqual(ofA.config.categories);
  expect([ofA, ofB].map(({ current, test_version }) => [current, test_version])).toEqual([
    [true, 'a'],
    [true, 'b'],
  ]);
  const { items } = await client.listBundles({ token });
  expect(items.map(({ hash, current, test_version }) => [hash, current, test_version]).sort()).toEqual(
    [
      [a, true, 'a'],
      [b, true, 'b'],
    ].sort(),
  );
  // Other texts are loaded by the hash of the version that is shown.
  const answer = await server.visitor.getBundleTexts({ token, hash: b, language: 'en' });
  expect(answer).toMatchObject({ texts: { title: 'May we?' } });
});

test('a record names the version that was shown, and its proof says which', async () => {
  const { client, token, a, b } = await openTest(server);
  for (const [hash, test_version] of [
    [a, 'a'],
    [b, 'b'],
  ] as const) {
    const consent_id = (await view(server, token, hash, 'accept_all')) as string;
    const proof = await client.getConsent({ token, consent_id });
    expect(proof).toMatchObject({
      bundle_hash: hash,
      shown: { settings: { banner_test: { share: 50 } } },
      shown_bundle: { hash, test_version, matches_shown: true },
    });
  }
  await client.updateEnvironment({ token, body: { settings: { banner_test: null } } });
  const { hash } = await client.generateBundle({ token });
  const consent_id = (await view(server, token, hash, 'accept_all')) as string;
  expect((await client.getConsent({ token, consent_id })).shown_bundle?.test_version).toBeNull();
});

test('page views and what they end in are counted by version, and everything else is not', async () => {
  const { client, token, a, b } = await openTest(server);
  await view(server, token, a);
  await view(server, token, a, 'accept_all');
  await view(server, token, b, 'reject_all');
  await view(server, token, b, 'save_preferences');
  // A visitor who changes their mind later ends no impression.
  await view(server, token, b, 'accept_all', { ends_impression: false });
  await view(server, token, b, 'accept_all', { agent: BOT });
  // Hashes that the site never had, as strangers make up.
  await view(server, token, 'x'.repeat(24), 'accept_all');
  const { state, current } = await figures(client, token);
  expect(state).toBe('running');
  expect(current).toMatchObject({
    ...{ number: 1, ended_at: null, verdict: 'not_enough', difference: null, p_value: null },
    a: {
      bundle_hash: a,
      impressions: 2,
      decisions: 1,
      accept_all: 1,
      reject_all: 0,
      save_preferences: 0,
      bots: 0,
    },
    b: {
      bundle_hash: b,
      impressions: 3,
      decisions: 2,
      accept_all: 0,
      reject_all: 1,
      save_preferences: 1,
      bots: 1,
    },
  });
  expect(current?.a.decision_rate?.rate).toBe(0.5);
  expect(current?.verdict_text).toMatch(/^Not enough yet: 5 of \d+ impressions\.$/);
  // Reports count what they counted before, and nothing of it twice.
  const { totals } = await client.getAnalytics({ token });
  expect(totals).toMatchObject({ impressions: 7, decisions: 6 });
});

test('an impression counts in a test only where the program says so', async () => {
  const { client, token, a } = await openTest(server);
  for (const more of [{}, { in_test: false }])
    await post(
      server.url,
      `/api/impressions/${token}`,
      { bundle_hash: a, ...more },
      { 'User-Agent': PERSON },
    );
  expect((await figures(client, token)).current?.a.impressions).toBe(0);
  expect((await client.getAnalytics({ token })).totals.impressions).toBe(2);
});

test('at most eight counts of a test are kept for a day and a kind of device', async () => {
  const { token, a, b } = await openTest(server);
  for (let round = 0; round < 3; round += 1)
    for (const hash of [a, b])
      for (const decision of ['accept_all', 'reject_all', 'save_preferences'] as const)
        await view(server, token, hash, decision);
  const rows = await rowsIn(server, 'daily_counts', token).where({ metric: 'test' });
  expect(new Set(rows.map(({ key, device }) => `${key} ${device}`)).size).toBe(8);
  expect(rows.every(({ language, banner_version }) => language === '' && banner_version === 0)).toBe(true);
});

test('a site without a test writes no count of one', async () => {
  const { client, token } = await server.site({});
  const { hash } = await client.generateBundle({ token });
  await view(server, token, hash, 'accept_all');
  expect(await rowsIn(server, 'daily_counts', token).where({ metric: 'test' })).toEqual([]);
});

test('no verdict before the planned number, then one in words, by known numbers', async () => {
  const { client, token } = await openTest(server);
  const { current } = await figures(client, token);
  const planned = current?.planned_impressions as number;
  // A half against eight tenths: 39 of each (0.5 is expected, and 30 points more).
  expect(planned).toBe(78);
  const add = async (version: string, what: string, n: number) => {
    const { id } = await server.service.context.db('environments').where({ token }).first('id');
    const row = { environment_id: id, day: new Date().toISOString().slice(0, 10), metric: 'test' };
    const rest = { language: '', banner_version: 0, device: 'desktop', slot: 0 };
    await server.service.context
      .db('daily_counts')
      .insert({ ...row, ...rest, key: `1${version}:${what}`, n })
      .onConflict(['environment_id', 'day', 'metric', 'key', 'language', 'banner_version', 'device', 'slot'])
      .merge();
  };
  // Newcombe's example: 48 of 80 and 56 of 70.
  await add('a', 'impression', 38);
  await add('b', 'impression', 70);
  await add('a', 'accept_all', 30);
  await add('b', 'reject_all', 56);
  expect((await figures(client, token)).current).toMatchObject({
    ...{ verdict: 'not_enough', verdict_text: 'Not enough yet: 77 of 78 impressions.', p_value: null },
  });
  await add('a', 'impression', 80);
  await add('a', 'accept_all', 40);
  await add('a', 'save_preferences', 8);
  const found = (await figures(client, token)).current;
  expect(found?.a.decision_rate?.rate).toBe(0.6);
  expect(found?.b.decision_rate?.rate).toBe(0.8);
  expect(found?.difference?.from).toBeCloseTo(0.0524, 4);
  expect(found?.difference?.to).toBeCloseTo(0.3339, 4);
  expect(found?.p_value).toBeCloseTo(0.00804, 4);
  expect(found).toMatchObject({
    verdict: 'b_better',
    verdict_text: 'B is better by 20.0 percentage points (95 %: 5.2 to 33.4).',
  });
  await add('b', 'reject_all', 42);
  expect((await figures(client, token)).current).toMatchObject({
    verdict: 'no_difference',
    verdict_text: expect.stringMatching(
      /^No difference found: B minus A is 0\.0 percentage points \(95 %: −/,
    ),
  });
  await add('b', 'reject_all', 20);
  expect((await figures(client, token)).current?.verdict_text).toMatch(
    /^A is better by 31\.4 percentage points/,
  );
});

test('a plan expects what the days before have shown', async () => {
  const { client, token } = await server.site({});
  const { hash } = await client.generateBundle({ token });
  const { id } = await server.service.context.db('environments').where({ token }).first('id');
  const row = {
    ...{ environment_id: id, day: new Date().toISOString().slice(0, 10), language: 'en' },
    ...{ banner_version: 1, slot: 1 },
  };
  const count = (metric: string, key: string, n: number, device = 'desktop') => ({
    ...row,
    metric,
    key,
    n,
    device,
  });
  await server.service.context
    .db('daily_counts')
    .insert([
      count('impression', '', 1000),
      count('decision', 'accept_all', 100),
      count('decision', 'reject_all', 50),
      count('impression', '', 5000, 'bot'),
    ]);
  const start = async (aim: 'decisions' | 'accept_all') => {
    const { settings } = await client.getEnvironment({ token });
    const banner_test = testOf(settings, undefined, { aim, smallest_difference: 5 });
    await client.updateEnvironment({ token, body: { settings: { banner_test } } });
    await publishTest(client, token);
    return (await figures(client, token)).current;
  };
  expect(hash).toHaveLength(24);
  expect(await start('decisions')).toMatchObject({ number: 1, expected_rate: 0.15 });
  // R: power.prop.test(p1 = .1, p2 = .15, power = .8) gives n = 685.6.
  expect(await start('accept_all')).toMatchObject({
    number: 2,
    expected_rate: 0.1,
    planned_impressions: 1372,
  });
  // Where some visitors are only told, what was counted says little of those who are asked.
  await client.updateEnvironment({ token, body: { settings: { regions: { rules: 'law' } } } });
  expect(await start('decisions')).toMatchObject({ number: 3, expected_rate: 0.5 });
  await client.updateEnvironment({ token, body: { settings: { regions: null, policy_version: '2' } } });
  // More decisions than impressions, as under Global Privacy Control, tell nothing of impressions.
  await server.service.context
    .db('daily_counts')
    .insert([{ ...count('decision', 'reject_all', 900), slot: 2 }]);
  expect(await start('decisions')).toMatchObject({ number: 4, expected_rate: 0.5 });
});

describe('a test in its time', () => {
  test('its figures stay, however old it is', async () => {
    const { client, token } = await openTest(server);
    const { db } = server.service.context;
    const { id, banner_tests } = await db('environments').where({ token }).first('id', 'banner_tests');
    const [running] = banner_tests;
    const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
    const old = { ...running, started_at: daysAgo(900), ended_at: daysAgo(870) };
    await db('environments')
      .where({ id })
      .update({ banner_tests: JSON.stringify([old]) });
    await db('daily_counts').insert({
      ...{
        environment_id: id,
        day: daysAgo(880).slice(0, 10),
        metric: 'test',
        key: `${running.number}b:impression`,
      },
      ...{ n: 70, device: 'desktop', language: 'en', banner_version: 1, slot: 1 },
    });
    expect((await figures(client, token)).ended[0]).toMatchObject({ b: { impressions: 70 } });
  });

  test('it goes on when something else is saved and published, and counts both publications', async () => {
    const { client, token, a, b } = await openTest(server);
    await view(server, token, b);
    await client.updateEnvironment({ token, body: { settings: { controller: { name: 'Example' } } } });
    expect((await figures(client, token)).publishing).toBe('nothing');
    const next = await publishTest(client, token);
    expect(next.a).not.toBe(a);
    await view(server, token, next.b);
    // A page that was open since.
    await view(server, token, b);
    const { current, ended } = await figures(client, token);
    expect(ended).toEqual([]);
    expect(current).toMatchObject({ number: 1, b: { impressions: 3, bundle_hash: next.b } });
  });

  test('what was chosen for the bundle is no change of the settings', async () => {
    const { client, token } = await openTest(server);
    await client.generateBundle({ token, body: { theme: 'dark' } });
    expect(await figures(client, token)).toMatchObject({ publishing: 'nothing', current: { number: 2 } });
    await client.generateBundle({ token, body: { theme: 'dark' } });
    expect((await figures(client, token)).current?.number).toBe(2);
    const { settings } = await client.getEnvironment({ token });
    const banner = { ...settings.banner, position: 'top' as const };
    await client.updateEnvironment({ token, body: { settings: { banner } } });
    expect((await figures(client, token)).publishing).toBe('starts_anew');
  });

  test('a change of either version starts it anew, and that is said before', async () => {
    const { client, token, settings, banner_test, b } = await openTest(server);
    await view(server, token, b);
    const warned = async (change: object) => {
      const { warnings } = await client.previewBundle({ token, body: { settings: change } });
      return warnings.filter(({ code }) => code === 'test_ends').map(({ message }) => message);
    };
    expect(await warned({})).toEqual([]);
    expect(await warned({ banner: { ...settings.banner, theme: 'dark' } })).toEqual([
      expect.stringMatching(/starts a new one/),
    ]);
    expect(await warned({ banner_test: { ...banner_test, smallest_difference: 20 } })).toHaveLength(1);
    expect(await warned({ banner_test: null })).toEqual([expect.stringMatching(/ends it/)]);
    const body = { settings: { banner_test: { ...banner_test, share: 20 } } };
    await client.updateEnvironment({ token, body });
    expect(await figures(client, token)).toMatchObject({ state: 'running', publishing: 'starts_anew' });
    const next = await publishTest(client, token);
    // What a page that was open reports of the test that ended counts no more.
    await view(server, token, b);
    await view(server, token, next.b);
    const { current, ended } = await figures(client, token);
    expect(current).toMatchObject({ number: 2, share: 20, b: { impressions: 1 } });
    expect(ended).toMatchObject([{ number: 1, share: 50, b: { impressions: 1 } }]);
    expect(ended[0]?.ended_at).toBe(current?.started_at);
  });

  test('kept as the banner, version B is what everybody sees, and the figures stay', async () => {
    const { client, token, settings, banner_test, b } = await openTest(server, {
      ...{ layout: 'bar', texts: { en: { title: 'May we?' } } },
    });
    await view(server, token, b, 'accept_all');
    const { texts = {}, ...look } = banner_test.banner;
    const banner = { ...settings.banner, ...look, texts };
    await client.updateEnvironment({ token, body: { settings: { banner, banner_test: null } } });
    expect((await figures(client, token)).publishing).toBe('ends');
    const { hash, test_version } = await client.generateBundle({ token });
    const { config } = await client.getBundleRecord({ token, hash });
    expect([config.layout, config.texts.en?.title, test_version]).toEqual(['bar', 'May we?', undefined]);
    expect(await figures(client, token)).toMatchObject({
      ...{ state: 'none', publishing: 'nothing', current: null },
      ended: [{ number: 1, b: { impressions: 1, accept_all: 1 } }],
    });
    // An earlier version of the settings comes back whole, its test included, and that is a new one.
    const earlier = await client.getSettingsVersion({ token, version: 2 });
    const { banner: first, banner_test: again } = earlier.settings;
    await client.updateEnvironment({
      token,
      body: { settings: { banner: first, banner_test: again ?? null } },
    });
    expect(await figures(client, token)).toMatchObject({ state: 'waiting', publishing: 'starts' });
    await client.generateBundle({ token });
    expect(await figures(client, token)).toMatchObject({
      ...{ state: 'running', publishing: 'nothing', current: { number: 2, b: { impressions: 0 } } },
    });
  });

  test('ten that ended are kept', async () => {
    const { client, token, banner_test } = await openTest(server);
    for (let share = 10; share < 22; share += 1) {
      await client.updateEnvironment({
        token,
        body: { settings: { banner_test: { ...banner_test, share } } },
      });
      await client.generateBundle({ token });
    }
    const { current, ended } = await figures(client, token);
    expect(current?.number).toBe(13);
    expect(ended.map(({ number }) => number)).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
  });

  test('what was chosen for one bundle is that of version A alone', async () => {
    const { client, token } = await openTest(server, { layout: 'bar' });
    const { hash } = await client.generateBundle({ token, body: { layout: 'dialog', languages: ['en'] } });
    const { config } = await client.getBundleRecord({ token, hash });
    expect([config.layout, config.test?.b?.look.layout]).toEqual(['dialog', 'bar']);
  });
});

test('whoever may read reports reads the figures, and others do not', async () => {
  const site = await openTest(server);
  for (const role of ['viewer', 'operator'] as const) {
    const { client } = await member(server, site, role);
    expect(await figures(client, site.token)).toMatchObject({ state: 'running' });
    const body = { settings: { banner_test: null } };
    expect((await refusal(client.updateEnvironment({ token: site.token, body }))).status).toBe(403);
  }
  const stranger = await server.person();
  expect((await refusal(figures(stranger.client, site.token))).status).toBe(404);
  expect((await refusal(figures(server.visitor, site.token))).status).toBe(401);
});

test('an erasure leaves the counts as they are', async () => {
  const { client, token, b } = await openTest(server);
  const consent_id = (await view(server, token, b, 'accept_all')) as string;
  const { session_id } = await client.getConsent({ token, consent_id });
  await client.eraseSession({ token, session_id } as never);
  expect((await refusal(client.getConsent({ token, consent_id }))).status).toBe(404);
  expect((await figures(client, token)).current?.b).toMatchObject({ impressions: 1, accept_all: 1 });
});

test('a test starts without the month before it being added up while nobody can write to the site', async () => {
  const { client, token } = await server.site({});
  const { settings } = await client.getEnvironment({ token });
  await client.updateEnvironment({ token, body: { settings: { banner_test: testOf(settings) } } });
  const { db } = server.service.context;
  const counting = await db.transaction();
  await counting.raw('LOCK TABLE daily_counts IN ACCESS EXCLUSIVE MODE');
  const publishing = publishTest(client, token);
  try {
    await until('the counts to be asked for', async () => {
      const { rows } = await db.raw(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND query LIKE '%daily_counts%'`,
      );
      return rows.length > 0;
    });
    const { rows } = await db.raw('SELECT token FROM environments WHERE token = ? FOR UPDATE NOWAIT', [
      token,
    ]);
    expect(rows).toEqual([{ token }]);
  } finally {
    await counting.commit();
  }
  await publishing;
  expect((await figures(client, token)).current?.number).toBe(1);
});
