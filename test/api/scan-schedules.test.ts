import type { Schemas } from '@avow/sdk';
import { startScheduledScans } from '../../server/src/jobs/scan-schedules';
import { type Client, type TestServer, useServer } from '../helpers/server';
import { join, member } from '../helpers/site/people';
import { prove } from '../helpers/site/proofs';

const DAY = 86_400_000;
// Takes scans and runs none: how they end is up to the test.
const server = useServer({ variables: { ROLE: 'api' } });
const db = () => server.service.context.db;

beforeEach(async () => {
  await db()('scheduled_pages').delete();
  await db()('scan_schedules').delete();
  await db()('cookie_scans').delete();
});

const START = 'https://shop.example.com/';
const CHECKOUT = 'https://shop.example.com/checkout';

const set = (
  { client, token }: { client: Client; token: string },
  pages: string[] = [START],
  every: Schemas['ScanEvery'] = 'daily',
) => client.setScanSchedule({ token, body: { every, pages } });

/** The job, as if it were so many days later. */
const run = (days = 1.01, at: Pick<TestServer, 'service'> = server): Promise<void> =>
  startScheduledScans(at.service.context, new Date(Date.now() + days * DAY));

const scansOf = async (site: { client: Client; token: string }) =>
  (await site.client.listScans({ token: site.token })).items;

const end = (state: 'done' | 'failed', error: string | null = null) =>
  db()('cookie_scans').whereIn('state', ['queued', 'running']).update({ state, error });

async function provenSite() {
  const site = await server.site();
  await prove(server, site.token, ['shop.example.com']);
  return site;
}

test('an owner sets which pages are scanned, and everybody of the site reads it', async () => {
  const site = await server.site();
  const { client, token, email } = site;
  expect(await client.getScanSchedule({ token })).toEqual({
    ...{ every: 'off', state: 'off', pages: [], set_by: null, set_at: null, version: 0 },
  });
  const daily = await set(site, [START, CHECKOUT]);
  expect(daily).toMatchObject({ every: 'daily', state: 'active', set_by: email, version: 1 });
  for (const { next_at, ...page } of daily.pages) {
    const wait = Date.parse(next_at ?? '') - Date.now();
    expect([wait > -1_000, wait <= DAY]).toEqual([true, true]);
    expect(page).toMatchObject({ last_scan_id: null, failures: 0, error: null });
  }
  const viewer = await member(server, site, 'viewer');
  expect(await viewer.client.getScanSchedule({ token })).toEqual(daily);
  // What is so already is no change.
  expect(await set(site, [START, CHECKOUT])).toEqual(daily);
  const off = await set(site, [START], 'off');
  expect(off).toMatchObject({
    every: 'off',
    state: 'off',
    version: 2,
    pages: [{ url: START, next_at: null }],
  });
  const { items } = await client.listAuditEvents({ token });
  const own = items.filter(({ operation }) => operation === 'setScanSchedule');
  expect(own.map(({ changes }) => changes.map(({ field }) => field))).toEqual([
    ['every', 'pages'],
    ['every', 'pages'],
  ]);
});

test.each([
  ['a page of another domain', { every: 'daily', pages: ['https://other.example.org/'] }, 'body.pages.0'],
  ['no page', { every: 'weekly', pages: [] }, 'body.pages'],
  ['the same page twice', { every: 'daily', pages: [START, 'http://shop.example.com'] }, 'body.pages.1'],
  ['an unusual port', { every: 'daily', pages: ['https://shop.example.com:8443/'] }, 'body.pages.0'],
  ['a private address', { every: 'daily', pages: ['http://127.0.0.1/'] }, 'body.pages.0'],
  [
    'eleven pages',
    { every: 'daily', pages: Array.from({ length: 11 }, (_, at) => `${START}${at}`) },
    'body.pages',
  ],
] as const)('%s is refused', async (_, body, path) => {
  const { client, token } = await server.site();
  const refused = client.setScanSchedule({ token, body: { ...body, pages: [...body.pages] } });
  await expect(refused).rejects.toMatchObject({ status: 400, errors: [{ path }] });
});

test('a change that was made from an older version is refused', async () => {
  const site = await server.site();
  const { client, token } = site;
  await set(site);
  const body = { every: 'weekly' as const, pages: [START] };
  const late = client.setScanSchedule({ token, body: { ...body, expected_version: 0 } });
  await expect(late).rejects.toMatchObject({ status: 409 });
  expect(await client.setScanSchedule({ token, body: { ...body, expected_version: 1 } })).toMatchObject({
    ...{ every: 'weekly', version: 2 },
  });
});

test('each page has its turn once a day, one of a site after the other, and counts for the site', async () => {
  const site = await provenSite();
  const other = await provenSite();
  await set(site, [START, CHECKOUT]);
  await set(other);
  // Nobody's turn has come.
  await run(-0.01);
  expect(await scansOf(site)).toEqual([]);
  // Even if two ran at once, which its lock rules out.
  await Promise.all([run(), run()]);
  expect([(await scansOf(site)).length, (await scansOf(other)).length]).toEqual([1, 1]);
  await run(1.03);
  expect(await scansOf(site)).toHaveLength(1);
  await end('done');
  await run(1.03);
  await end('done');
  await run(1.03);
  expect((await scansOf(site)).map(({ url }) => url).sort()).toEqual([START, CHECKOUT]);
  const { pages } = await site.client.getScanSchedule({ token: site.token });
  for (const { last_scan_id, last_started_at, next_at, failures } of pages) {
    expect([last_scan_id, last_started_at]).not.toContain(null);
    expect([failures, Date.parse(next_at ?? '') > Date.now() + DAY]).toEqual([0, true]);
  }
  await run(2.02);
  expect(await scansOf(site)).toHaveLength(3);
});

test('no more than ten of all sites wait or run at once', async () => {
  const sites = await Promise.all(Array.from({ length: 12 }, provenSite));
  for (const site of sites) await set(site);
  await run();
  const waiting = () => db()('cookie_scans').where({ state: 'queued' }).select('scan_id');
  expect(await waiting()).toHaveLength(10);
  await end('done');
  await run();
  expect(await waiting()).toHaveLength(2);
});

test('a page whose domain nothing proves is not visited, which is said, warned of, and tried again', async () => {
  const site = await server.site();
  const { client, token } = site;
  await set(site);
  const codes = async () => (await client.listWarnings({ token })).items.map(({ code }) => code);
  for (const days of [1.01, 2.01]) await run(days);
  expect(await codes()).not.toContain('scheduled_scans_failing');
  await run(3.01);
  const { pages } = await client.getScanSchedule({ token });
  expect(pages[0]).toMatchObject({
    failures: 3,
    error: expect.stringContaining('prove'),
    last_scan_id: null,
  });
  expect(await scansOf(site)).toEqual([]);
  expect(await codes()).toContain('scheduled_scans_failing');
  // The proof of a subdomain proves nothing of the domain above it.
  await client.updateEnvironment({ token, body: { domains: ['a.shop.example.com'] } });
  await prove(server, token, ['a.shop.example.com']);
  await run(4.01);
  expect(await scansOf(site)).toEqual([]);
  await prove(server, token, ['shop.example.com']);
  await run(5.01);
  await end('done');
  await run(5.01);
  expect(await codes()).not.toContain('scheduled_scans_failing');
  expect((await client.getScanSchedule({ token })).pages[0]).toMatchObject({ failures: 0, error: null });
});

test('a scan that fails is shown with its reason', async () => {
  const site = await provenSite();
  await set(site);
  await run();
  await end('failed', 'The page answered 503.');
  await run();
  const { pages } = await site.client.getScanSchedule({ token: site.token });
  expect(pages[0]).toMatchObject({ failures: 1, error: 'The page answered 503.' });
});

test('a scan that somebody started by hand puts a turn off', async () => {
  const site = await provenSite();
  await set(site);
  await site.client.startCookieScan({ body: { url: CHECKOUT, token: site.token } });
  await run();
  const { pages } = await site.client.getScanSchedule({ token: site.token });
  expect(pages[0]).toMatchObject({ failures: 0, last_scan_id: null });
  await end('done');
  await run(1.03);
  expect(await scansOf(site)).toHaveLength(2);
});

test('nothing is started once the owner who set it is removed, until another takes it over', async () => {
  const site = await provenSite();
  const second = await server.person();
  await join(site, second, 'owner');
  await set({ client: second.client, token: site.token });
  await site.client.removeMember({ token: site.token, user_id: second.userId });
  await run();
  expect(await scansOf(site)).toEqual([]);
  const schedule = await site.client.getScanSchedule({ token: site.token });
  expect(schedule).toMatchObject({ state: 'stopped', set_by: second.email, pages: [{ next_at: null }] });
  const { items } = await site.client.listWarnings({ token: site.token });
  expect(items.map(({ code }) => code)).toContain('scheduled_scans_stopped');
  expect(await set(site)).toMatchObject({ state: 'active', set_by: site.email });
  await run();
  expect(await scansOf(site)).toHaveLength(1);
});

test('nothing is started for an owner who became less, whose account is blocked, or whose site is archived', async () => {
  const [less, blocked, archived] = await Promise.all([provenSite(), provenSite(), provenSite()]);
  for (const site of [less, blocked, archived]) await set(site);
  await db()('members').where({ user_id: less.userId }).update({ role: 'operator' });
  await db()('users').where({ id: blocked.userId }).update({ disabled_at: new Date() });
  await archived.client.updateEnvironment({ token: archived.token, body: { status: 'archived' } });
  await run();
  expect(await db()('cookie_scans').select('scan_id')).toEqual([]);
  expect(await archived.client.getScanSchedule({ token: archived.token })).toMatchObject({
    state: 'stopped',
  });
});

test('SCANS=off starts nothing and says so', async () => {
  const site = await provenSite();
  await set(site);
  const { config } = server.service.context;
  const scans = config.scans;
  config.scans = 'off';
  try {
    await run();
    expect(await scansOf(site)).toEqual([]);
    expect(await site.client.getScanSchedule({ token: site.token })).toMatchObject({ state: 'not_here' });
  } finally {
    config.scans = scans;
  }
});

test('a deleted site takes its schedule with it', async () => {
  const site = await provenSite();
  await set(site);
  await site.client.updateEnvironment({ token: site.token, body: { status: 'archived' } });
  await site.client.deleteEnvironment({ token: site.token, name: 'Example shop' });
  await run();
  expect(await db()('cookie_scans').select('scan_id')).toEqual([]);
});

test('pages of one account that take long keep those of others from no turn', async () => {
  const first = await provenSite();
  const sites = [first];
  for (let n = 0; n < 3; n += 1) {
    const { token } = await first.client.createEnvironment({
      body: { name: `Shop ${n}`, domain: 'shop.example.com' },
    });
    await prove(server, token, ['shop.example.com']);
    sites.push({ ...first, token });
  }
  const other = await provenSite();
  for (const [n, site] of sites.entries()) await set(site, [`https://shop.example.com/${n}`]);
  await set(other, ['https://shop.example.com/other']);
  // It is the last whose turn it is.
  const later = new Date(Date.now() + 10 * DAY);
  await db()('scheduled_pages')
    .whereNot({ url: 'https://shop.example.com/other' })
    .update({ next_at: new Date() });
  await db()('scheduled_pages').where({ url: 'https://shop.example.com/other' }).update({ next_at: later });
  await run(11);
  const waiting = async () => {
    const rows = await db()('scheduled_pages').where({ under_way: true }).select('url');
    return rows.map(({ url }: { url: string }) => url.split('/').at(-1)).sort();
  };
  const [one, two, ...rest] = await waiting();
  expect([rest, [one, two].every((url) => /^[0-3]$/.test(url ?? ''))]).toEqual([['other'], true]);
  await end('done');
  await run(11);
  // Then the others of the account have their turn.
  expect(new Set([one, two, ...(await waiting())])).toEqual(new Set(['0', '1', '2', '3']));
});
