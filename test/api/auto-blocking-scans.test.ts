import { startServer, type TestServer } from '../helpers/server';
import { forgetScans, storeScans } from '../helpers/site/scanned';

const ON = { auto_blocking: { enabled: true, rules: [], unclassified: 'marketing' } };
const CUT = { rule: 'result_cut', severity: 'warning', message: 'Cut.' } as const;
const BAD = { rule: 'cookies_before_consent', severity: 'critical', message: 'Cookies.' } as const;
const MAPS = 'maps.googleapis.com';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

/** A site with auto-blocking, and what is read of it. */
async function open() {
  const { client, token } = await server.site(ON as never);
  const { db } = server.service.context;
  return {
    ...{ client, token, db },
    scan: (...scans: Parameters<typeof storeScans>[2]) => storeScans(db, token, scans),
    outdated: async () =>
      (await client.listWarnings({ token })).items.find(({ code }) => code === 'bundle_outdated')?.message,
    waits: async () => {
      const { places } = await client.getAutoBlocking({ token });
      return places
        .filter(({ category, contacted, held }) => category !== null && (contacted || held))
        .map(({ place }) => place);
    },
  };
}

test('what a banner holds by a scan waits on once the scan is too old, until a newer one of its page no longer finds it', async () => {
  const { client, token, db, scan, outdated, waits } = await open();
  await scan(
    { path: 'contact', contacted: [MAPS], days: 29 },
    { path: '', contacted: ['widget.example'], days: 1 },
  );
  const { hash, snippet } = await client.generateBundle({ token });
  expect(snippet).toContain(`"${MAPS}"`);
  await forgetScans(db, 'contact');
  expect(await waits()).toEqual([MAPS, 'widget.example']);
  expect(await outdated()).toBeUndefined();
  expect((await client.getAutoBlocking({ token })).outdated).toBe(false);
  expect((await client.generateBundle({ token })).hash).toBe(hash);
  // The scan of another page says nothing of this one; what is new is told as new alone.
  await scan({ path: '', contacted: ['widget.example', 'more.example'] });
  expect(await outdated()).toMatch(/since scans found other hosts that should wait for consent: generate/);
  await client.generateBundle({ token });
  await db('cookie_scans').where({ state: 'done' }).delete();
  expect(await waits()).toEqual([MAPS, 'more.example', 'widget.example']);
  expect(await outdated()).toBeUndefined();
  expect((await client.generateBundle({ token })).snippet).toContain(`"${MAPS}"`);
  // A newer scan of the page itself does, and the owner is told that something would be let pass.
  await scan({ path: 'contact' });
  expect(await outdated()).toMatch(
    /since hosts that wait in it were not found any more: generate .* would then be let pass: look at the list/,
  );
  await scan({ path: '', contacted: ['widget.example', 'more.example', 'third.example'] });
  expect(await outdated()).toMatch(
    /found other hosts that should wait for consent and hosts that wait in it/,
  );
  expect((await client.generateBundle({ token })).snippet).not.toContain(`"${MAPS}"`);
  expect(await outdated()).toBeUndefined();
});

test.each([
  ['without a browser', { plain: true }],
  ['that was cut short', { findings: [CUT] }],
  ['that found what must not be, without a browser,', { plain: true, findings: [BAD] }],
  ['that found what must not be and was cut short', { findings: [CUT, BAD] }],
] as const)('a scan %s adds to what one saw that saw more, and takes nothing away', async (_, less) => {
  const { client, token, db, scan, outdated, waits } = await open();
  await scan({ path: 'contact', contacted: [MAPS, 'old.example'], days: 3 });
  await scan({ path: 'contact', contacted: ['tag.example'], days: 2, ...less });
  expect(await waits()).toEqual([MAPS, 'old.example', 'tag.example']);
  const { hash } = await client.generateBundle({ token });
  // Of those that saw less the newest counts; also once nothing else is kept.
  await scan({ path: 'contact', contacted: ['newer.example'], days: 1, ...less });
  expect(await waits()).toEqual([MAPS, 'newer.example', 'old.example', 'tag.example']);
  await db('cookie_scans').where({ state: 'done' }).delete();
  expect((await client.generateBundle({ token })).hash).toBe(hash);
  await scan({ path: 'contact', ...less });
  expect(await waits()).toEqual([MAPS, 'old.example', 'tag.example']);
  expect(await outdated()).toBeUndefined();
  // One that saw all says what is there.
  await scan({ path: 'contact', contacted: [MAPS] });
  expect(await waits()).toEqual([MAPS]);
  // That something would be let pass is said whatever else has changed.
  await client.updateEnvironment({ token, body: { settings: { policy_version: '2' } } });
  expect(await outdated()).toMatch(/since the settings were changed: generate .* would then be let pass/);
});

test.each([
  ['without a browser', { plain: true }],
  ['that was cut short', { findings: [CUT] }],
] as const)('nor does a scan %s that no longer finds what must not be', async (_, less) => {
  const { scan, waits } = await open();
  await scan({ path: 'contact', contacted: [MAPS, 'old.example'], days: 9 });
  for (const days of [8, 7, 6, 5]) await scan({ path: 'contact', days, findings: [CUT, BAD] });
  await scan({ path: 'contact', contacted: ['tag.example'], days: 1, ...less });
  expect(await waits()).toEqual([MAPS, 'old.example', 'tag.example']);
  await scan({ path: 'contact', contacted: [MAPS] });
  expect(await waits()).toEqual([MAPS]);
});

test('a banner that was made by a scan that saw less drops nothing of an earlier one that saw all', async () => {
  const { client, token, scan, waits } = await open();
  await scan({ path: 'contact', contacted: ['tag.example'], days: 1, findings: [CUT] });
  await client.generateBundle({ token });
  await scan({ path: 'contact', contacted: [MAPS], days: 3 });
  expect(await waits()).toEqual([MAPS, 'tag.example']);
});

test('what a banner holds by a scan is let go by a rule of the owner', async () => {
  const { client, token, db, scan, waits } = await open();
  await scan({ path: 'contact', contacted: [MAPS] });
  await client.generateBundle({ token });
  await forgetScans(db, 'contact');
  const auto_blocking = { ...ON.auto_blocking, rules: [{ place: MAPS, category: null }] };
  await client.updateEnvironment({ token, body: { settings: { auto_blocking } } });
  expect((await client.generateBundle({ token })).snippet).not.toContain(`"${MAPS}"`);
  expect(await waits()).toEqual([]);
});

test('many scans of one page push out no other', async () => {
  const { scan, waits } = await open();
  await scan({ path: 'checkout', contacted: ['till.example'], days: 9 });
  await scan(
    ...Array.from({ length: 320 }, (_, at) => ({ path: '', contacted: ['home.example'], days: at / 50 })),
  );
  expect(await waits()).toEqual(['home.example', 'till.example']);
});

test('the hundred pages that were scanned last count, and the owner is told when there are more', async () => {
  const { client, token, scan, waits } = await open();
  const crowded = async () => (await client.getAutoBlocking({ token })).crowded;
  const pages = (first: number, length: number) =>
    Array.from({ length }, (_, at) => ({
      ...{ path: `p${first + at}`, contacted: [`h${first + at}.example`], days: (first + at) / 10 },
    }));
  await scan(...pages(0, 100));
  expect(await crowded()).toBe(false);
  expect(await waits()).toHaveLength(100);
  await scan(...pages(100, 1));
  expect(await crowded()).toBe(true);
  expect(await waits()).not.toContain('h100.example');
  expect(await waits()).toHaveLength(100);
});

test('the owner is told when the pages have more hosts than count', async () => {
  const { client, token, scan } = await open();
  const hosts = (page: number) => Array.from({ length: 200 }, (_, at) => `a${at}.p${page}x${at}.example`);
  const crowded = async () => (await client.getAutoBlocking({ token })).crowded;
  await scan(...Array.from({ length: 10 }, (_, page) => ({ path: `${page}`, contacted: hosts(page) })));
  expect(await crowded()).toBe(false);
  await scan({ path: 'more', contacted: ['a0.p0x0.example'] });
  expect(await crowded()).toBe(false);
  await scan({ path: 'more', contacted: ['one.more.example'] });
  expect(await crowded()).toBe(true);
});
