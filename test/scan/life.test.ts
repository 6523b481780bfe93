/** @jest-environment node */
import { randomUUID } from 'node:crypto';
import { applyRetention } from '../../server/src/jobs/retention';
import { claimScan, settleScan } from '../../server/src/scan/claim';
import { VisitCookies } from '../../server/src/scan/set-cookie';
import { itIs } from '../helpers/at-time';
import {
  html,
  loopbackNames,
  type Pages,
  scanToEnd,
  startPages,
  untilScanned,
} from '../helpers/browser/pages';
import { startServer, type TestServer } from '../helpers/server';
import { until } from '../helpers/until';

const OPEN = { SCAN_ALLOW_NETWORKS: '127.0.0.0/8' };
let pages: Pages;
let api: TestServer;
beforeAll(async () => {
  pages = await startPages((path, response) => {
    if (path !== '/hang')
      html(response, '<script src="//www.google-analytics.com/a.js"></script>', {
        'Set-Cookie': ['_ga=1', 'PHPSESSID=1'],
      });
  });
  // Takes scans and runs none.
  api = await startServer({ variables: { ...OPEN, ROLE: 'api' } });
});
afterAll(async () => {
  await api.stop();
  await pages.stop();
});
afterEach(() => void jest.useRealTimers());
const page = (host: string, path = '/'): string => `http://${host}:${pages.port}${path}`;
const start = (url: string, more: object = {}) => api.visitor.startCookieScan({ body: { url, ...more } });
const worker = () =>
  startServer({
    variables: OPEN,
    databaseUrl: api.databaseUrl,
    scan: { lookup: loopbackNames, engine: 'http' },
  });

test('a scan waits with a random id until a worker takes it', async () => {
  const { scan_id, status } = await start(page('waits.test'));
  expect(status).toBe('queued');
  expect(scan_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  expect(await api.visitor.getScan({ scan_id })).toMatchObject({
    status: 'queued',
    engine: null,
    banner_detected: null,
    cookies: [],
  });
  const other = await worker();
  expect(await untilScanned(api, scan_id)).toMatchObject({ status: 'done', engine: 'http' });
  await other.stop();
});

test('a result that the database refuses fails its scan at once, and its domain is free', async () => {
  const odd = { name: 'half\ud800', domain: 'odd.test', maxAgeSeconds: 0, secure: false, httpOnly: false };
  const seen = jest.spyOn(VisitCookies.prototype, 'seen').mockResolvedValue([{ ...odd, sameSite: null }]);
  const other = await worker();
  const { scan_id } = await start(page('odd.test'));
  const scan = await untilScanned(api, scan_id);
  expect(scan).toMatchObject({ status: 'failed', engine: null, cookies: [] });
  expect(scan.error).toContain('cannot be stored');
  expect(seen).toHaveBeenCalledTimes(1);
  seen.mockRestore();
  const next = await start(page('odd.test'));
  expect(await untilScanned(api, next.scan_id)).toMatchObject({ status: 'done' });
  await other.stop();
});

test('a domain has one scan at a time', async () => {
  await start(page('one.test'));
  for (const host of ['one.test', 'www.one.test', 'ONE.test.']) {
    await expect(start(page(host, '/other'))).rejects.toMatchObject({ status: 409 });
  }
  await api.service.context.db('cookie_scans').where({ domain: 'one.test' }).update({ state: 'done' });
  await start(page('one.test'));
  const both = await Promise.allSettled([start(page('race.test')), start(page('race.test'))]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('the same idempotency key starts one scan', async () => {
  const idempotencyKey = randomUUID();
  const send = () =>
    fetch(`${api.url}/api/public/cookie-scan`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
      body: JSON.stringify({ url: page('again.test') }),
    }).then((response) => response.json());
  expect(await send()).toEqual(await send());
});

test('a scan whose process is gone is run again, but not a third time; a late result is fenced out', async () => {
  const { db } = api.service.context;
  await db('cookie_scans').delete();
  const [lost, twice, held] = [
    await start(page('lost.test')),
    await start(page('twice.test')),
    await start(page('held.test')),
  ];
  const late = await claimScan(db);
  expect(late?.scan).toMatchObject({ scan_id: lost.scan_id, runs: 1, state: 'running' });
  const past = new Date(Date.now() - 1_000);
  const lease = randomUUID();
  await db('cookie_scans').where({ scan_id: lost.scan_id }).update({ lease_until: past });
  await db('cookie_scans')
    .where({ scan_id: twice.scan_id })
    .update({ state: 'running', runs: 2, lease, lease_until: past });
  await db('cookie_scans')
    .where({ scan_id: held.scan_id })
    .update({ state: 'running', runs: 1, lease, lease_until: new Date(Date.now() + 60_000) });
  const other = await worker();
  expect(await untilScanned(api, lost.scan_id)).toMatchObject({ status: 'done' });
  expect(await untilScanned(api, twice.scan_id)).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('interrupted twice'),
  });
  expect(await api.visitor.getScan({ scan_id: held.scan_id })).toMatchObject({ status: 'running' });
  await other.stop();
  expect(late && (await settleScan(db, late, { error: 'late' }))).toBe(false);
  expect(await api.visitor.getScan({ scan_id: lost.scan_id })).toMatchObject({ status: 'done', error: null });
});

test('a process that stops gives its scans back at once', async () => {
  const { db } = api.service.context;
  await db('cookie_scans').delete();
  const { scan_id } = await start(page('stop.test', '/hang'));
  const other = await worker();
  await until('it runs', async () => (await api.visitor.getScan({ scan_id })).status === 'running');
  await other.stop();
  expect(await db('cookie_scans').where({ scan_id }).first()).toMatchObject({
    state: 'queued',
    runs: 0,
    lease: null,
  });
});

test('one client starts 5 scans a minute, and nobody fills the queue', async () => {
  // A window of the limiter is a minute of the clock: here it does not end.
  itIs(Date.now());
  const limited = await startServer({ variables: { ...OPEN, ROLE: 'api', RATE_LIMIT: 'on' } });
  const send = (n: number) => limited.visitor.startCookieScan({ body: { url: page(`limit${n}.test`) } });
  for (let n = 0; n < 5; n += 1) await send(n);
  await expect(send(5)).rejects.toMatchObject({ status: 429 });
  jest.useRealTimers();
  const rows = Array.from({ length: 200 }, (_, n) => ({
    scan_id: randomUUID(),
    url: 'http://x.test/',
    domain: `x${n}.test`,
    state: 'queued',
    runs: 0,
    created_at: new Date(),
  }));
  await limited.stop();
  await api.service.context.db('cookie_scans').insert(rows);
  await expect(start(page('full.test'))).rejects.toMatchObject({ status: 503 });
  await api.service.context.db('cookie_scans').delete();
});

test('after 30 days a scan cannot be read, and is deleted', async () => {
  const { db, log } = api.service.context;
  const { scan_id } = await start(page('old.test'));
  await api.visitor.getScan({ scan_id: scan_id.toUpperCase() });
  await db('cookie_scans')
    .where({ scan_id })
    .update({ created_at: new Date(Date.now() - 31 * 86_400_000) });
  await expect(api.visitor.getScan({ scan_id })).rejects.toMatchObject({ status: 404 });
  await applyRetention(db, log, new Date());
  expect(await db('cookie_scans').where({ scan_id })).toEqual([]);
  await expect(api.visitor.getScan({ scan_id: randomUUID() })).rejects.toMatchObject({ status: 404 });
});

describe('for a site', () => {
  test('only its own pages are scanned', async () => {
    const { token } = await api.site();
    await expect(start('http://other.example.org/', { token })).rejects.toMatchObject({ status: 400 });
    await expect(
      start('http://shop.example.com/', { token: 'env_0000000000000000000000' }),
    ).rejects.toMatchObject({ status: 404 });
  });

  test('a scan that none of its operators started is classified by its vendors, and is no evidence of it', async () => {
    const { token, client } = await api.site();
    await client.updateEnvironment({ token, body: { domain: 'public.test' } });
    const cookies = [{ name: '_ga', category: 'necessary', max_age_seconds: 0 }];
    const vendor = {
      id: 1,
      name: 'Own',
      purposes: [],
      leg_int_purposes: [],
      categories: [],
      urls: [],
      cookies,
    };
    await client.replaceVendors({ token, body: { vendors: [vendor] } });
    const viewer = await api.person();
    const { email } = viewer;
    await client.addMember({ token, body: { email, role: 'viewer' } });
    const stranger = await api.person();
    const other = await worker();
    for (const { client: caller } of [{ client: api.visitor }, stranger, viewer]) {
      const scan = await scanToEnd(api, page('public.test'), { client: caller, token });
      expect(scan).toMatchObject({ status: 'done' });
      expect(scan.cookies.find(({ name }) => name === '_ga')).toMatchObject({ vendor: 'Own' });
    }
    expect((await client.listScans({ token })).items).toEqual([]);
    const { checks } = await client.getComplianceScore({ token });
    expect(checks.find(({ id }) => id === 'nothing_before_consent')?.status).toBe('unknown');
    const { items } = await client.listWarnings({ token });
    expect(items.filter(({ code }) => code === 'scan_finding')).toEqual([]);
    await scanToEnd(api, page('public.test'), { client, token });
    await other.stop();
    expect((await client.listScans({ token })).items).toHaveLength(1);
    expect((await client.listWarnings({ token })).items.map(({ code }) => code)).toContain('scan_finding');
  });

  test('what was found counts for its score and is warned of', async () => {
    const { token, client } = await api.site();
    await client.updateEnvironment({ token, body: { domain: 'site.test' } });
    const check = async () =>
      (await client.getComplianceScore({ token })).checks.find(({ id }) => id === 'nothing_before_consent');
    expect(await check()).toMatchObject({ status: 'unknown' });
    const other = await worker();
    const scan = await scanToEnd(api, page('www.site.test'), { client, token });
    await other.stop();
    expect(scan.cookies.map(({ name, category }) => [name, category])).toEqual([
      ['PHPSESSID', 'necessary'],
      ['_ga', 'analytics'],
    ]);
    expect(await check()).toMatchObject({
      status: 'fail',
      evidence: expect.stringMatching(
        /^before consent on www\.site\.test:\d+\/ \(scan of [0-9-]+\): _ga \(analytics\)$/,
      ),
    });
    const { items } = await client.listWarnings({ token });
    const mine = items.filter(({ code }) => code === 'scan_finding');
    expect(mine.map(({ severity }) => severity)).toEqual(['critical', 'critical', 'critical', 'warning']);
    expect(mine[0]).toMatchObject({ subject_id: scan.scan_id });
    await client.replaceVendors({
      token,
      body: {
        vendors: [
          {
            id: 1,
            name: 'Own',
            purposes: [],
            leg_int_purposes: [],
            categories: ['necessary'],
            urls: [],
            cookies: [{ name: '_ga', category: 'necessary', max_age_seconds: 0 }],
          },
        ],
      },
    });
    const again = await worker();
    expect((await scanToEnd(api, page('www.site.test'), { client, token })).cookies[1]).toMatchObject({
      name: '_ga',
      category: 'necessary',
      vendor: 'Own',
    });
    await again.stop();
    // Scripts were not run: that nothing was seen proves nothing.
    expect(await check()).toMatchObject({ status: 'unknown' });
  });
});

describe('the operator says who may scan', () => {
  const withScans = (variables: Record<string, string>) =>
    startServer({ variables: { ...OPEN, ROLE: 'api', ...variables }, databaseUrl: api.databaseUrl });
  const url = 'http://who.test/';
  const freed = () => api.service.context.db('cookie_scans').delete();

  test('members: whoever has logged in', async () => {
    const server = await withScans({ SCANS: 'members' });
    await freed();
    await expect(server.visitor.startCookieScan({ body: { url } })).rejects.toMatchObject({ status: 401 });
    const { client } = await server.person();
    expect(await client.startCookieScan({ body: { url } })).toMatchObject({ status: 'queued' });
    const bad = await fetch(`${server.url}/api/public/cookie-scan`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer not.a.token' },
      body: JSON.stringify({ url }),
    });
    expect(bad.status).toBe(401);
    await server.stop();
  });

  const post = (server: TestServer) =>
    fetch(`${server.url}/api/public/cookie-scan`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ url }),
    });
  const keys = { JWT_SECRET: 'a'.repeat(32), SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };

  test('in production members, unless the operator opens it; the refusal says what to do', async () => {
    const production = await withScans({ NODE_ENV: 'production', ...keys });
    await freed();
    const refused = await post(production);
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({
      message: 'Log in to start a scan: this server scans for people with an account only.',
    });
    expect(await api.service.context.db('cookie_scans')).toEqual([]);
    const { client } = await production.person();
    expect(await client.startCookieScan({ body: { url } })).toMatchObject({ status: 'queued' });
    await production.stop();
    const open = await withScans({ NODE_ENV: 'production', SCANS: 'public', ...keys });
    await freed();
    expect((await post(open)).status).toBe(202);
    await open.stop();
  });

  test.each([undefined, 'development', 'test'])('with NODE_ENV=%s anybody', async (environment) => {
    const server = await withScans(environment === undefined ? {} : { NODE_ENV: environment });
    await freed();
    expect((await post(server)).status).toBe(202);
    await server.stop();
  });

  test('off: nobody, and none is run', async () => {
    const server = await withScans({ SCANS: 'off', ROLE: 'all' });
    await freed();
    const { client } = await server.person();
    for (const caller of [client, server.visitor]) {
      await expect(caller.startCookieScan({ body: { url } })).rejects.toMatchObject({ status: 403 });
    }
    await server.stop();
  });
});
