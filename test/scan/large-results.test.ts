import { randomUUID } from 'node:crypto';
import { MAX_RESULT } from '../../server/src/domain/cookies/bounded';
import { findChromium } from '../../server/src/scan/find-chromium';
import { html, loopbackNames, type Pages, scanToEnd, startPages } from '../helpers/browser/pages';
import { raw } from '../helpers/http/raw';
import { startServer, type TestServer } from '../helpers/server';

const browser = findChromium(process.env.CHROMIUM_PATH);
if (browser === undefined)
  console.warn('SKIPPED: no Chromium, so that a page cannot make its scan large is not tested.');
const withBrowser = browser === undefined ? test.skip : test;
const BANNER = '<div role="dialog" aria-label="cookies"><p>We use cookies.</p><button>Accept</button></div>';
const LONG_HOSTS = `<script>
  for (let i = 0; i < 7; i++) new Image().src = 'http://' + 'h'.repeat(1e6) + i + '.test/';
</script><img src="http://www.google-analytics.com/x.gif">`;

jest.setTimeout(120_000);
let body = '';
let cookies: string[] = [];
let pages: Pages;
let servers: { browser: TestServer; http: TestServer };
const variables = { SCAN_ALLOW_NETWORKS: '127.0.0.0/8', RATE_LIMIT: 'on', TRUST_PROXY: '1' };
beforeAll(async () => {
  pages = await startPages((path, response) => {
    if (path === '/') html(response, BANNER + body, { 'Set-Cookie': cookies });
    else response.writeHead(404).end();
  });
  const scan = { lookup: loopbackNames, limits: { settleMs: 500, quietMs: 3_000 } };
  servers = {
    browser: await startServer({ variables, scan }),
    http: await startServer({ variables, scan: { ...scan, engine: 'http' } }),
  };
});
afterAll(async () => {
  await Promise.all([servers.browser.stop(), servers.http.stop()]);
  await pages.stop();
});

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

for (const engine of ['browser', 'http'] as const) {
  (engine === 'http' ? test : withBrowser)(`hosts of a megabyte are in no result (${engine})`, async () => {
    body =
      engine === 'browser' ? LONG_HOSTS : `${LONG_HOSTS}<img src="http://${'h'.repeat(300)}.test/x.gif">`;
    const scan = await scanToEnd(servers[engine], `http://long.test:${pages.port}/`);
    expect(scan).toMatchObject({ status: 'done', engine });
    expect(scan.requests.map(({ host }) => host)).toEqual(['long.test', 'www.google-analytics.com']);
    expect(sizeOf(scan)).toBeLessThan(5_000);
  });
}

withBrowser(
  'a page that stores megabytes of names has a result that is cut, and proves nothing',
  async () => {
    const { client, token } = await servers.browser.site();
    await client.updateEnvironment({ token, body: { domain: 'stores.test' } });
    const check = async () =>
      (await client.getComplianceScore({ token })).checks.find(({ id }) => id === 'nothing_before_consent');
    // All of it necessary: what is not listed could be anything else.
    body = `<script>
    const name = (n) => String(n).padEnd(200, '\\u20ac');
    for (let n = 0; n < 40; n += 1)
      indexedDB.open(name(n)).onupgradeneeded = ({ target }) => {
        for (let m = 0; m < 50; m += 1) target.result.createObjectStore(name(m));
      };
  </script>`;
    const own = { client, token };
    const scan = await scanToEnd(servers.browser, `http://stores.test:${pages.port}/`, own);
    expect(scan).toMatchObject({ status: 'done', engine: 'browser' });
    expect(scan.stored_items).toHaveLength(40);
    expect(sizeOf(scan)).toBeLessThanOrEqual(MAX_RESULT);
    expect(scan.findings.map(({ rule }) => rule)).toContain('result_cut');
    expect(await check()).toMatchObject({ status: 'unknown' });
    const [{ bytes }] = await servers.browser.service.context
      .db('cookie_scans')
      .where('scan_id', scan.scan_id)
      .select(servers.browser.service.context.db.raw('octet_length(result::text) AS bytes'));
    expect(bytes).toBeLessThan(MAX_RESULT * 1.1);
  },
);

test('a cookie that no browser would keep is in no result', async () => {
  body = '';
  cookies = [`${'n'.repeat(4_095)}=12`, `${'m'.repeat(4_094)}=12`];
  const scan = await scanToEnd(servers.http, `http://named.test:${pages.port}/`);
  cookies = [];
  expect(scan.cookies.map(({ name }) => name[0])).toEqual(['m']);
});

/** A scan as an earlier version stored it: of megabytes. */
async function largeScan(server: TestServer): Promise<string> {
  const scan_id = randomUUID();
  const name = (n: number): string => `${n}`.padEnd(200, '\u20ac');
  const stores = Array.from({ length: 50 }, (_, n) => name(n));
  const common = { category: 'unclassified', set_before_consent: true, first_party: true };
  const result = {
    cookies: [
      {
        ...{ storage: 'cookie', name: '_ga', domain: 'shop.test', category: 'analytics', max_age_seconds: 0 },
        ...{ secure: true, http_only: false, same_site: null, set_before_consent: true, first_party: true },
      },
    ],
    stored_items: Array.from({ length: 150 }, (_, n) => ({
      ...{ ...common, storage: 'indexed_db', name: name(n), host: 'shop.test', object_stores: stores },
    })),
    requests: ['shop.test', 'h'.repeat(1_000_007)].map((host) => ({
      ...{ host, category: 'unclassified', before_consent: true },
    })),
    ...{ banner_detected: true, findings: [], conclusive: true },
  };
  await server.service.context.db('cookie_scans').insert({
    ...{ scan_id, url: 'https://shop.test/', domain: 'shop.test', state: 'done', engine: 'browser', runs: 1 },
    ...{ result: JSON.stringify(result), created_at: new Date(), finished_at: new Date() },
  });
  return scan_id;
}

test('a result of megabytes that is stored already is read cut', async () => {
  const scan_id = await largeScan(servers.http);
  const scan = await servers.http.visitor.getScan({ scan_id });
  expect(sizeOf(scan)).toBeLessThanOrEqual(MAX_RESULT + 1_024);
  expect(scan.cookies).toMatchObject([{ name: '_ga' }]);
  expect(scan.requests.map(({ host }) => host)).toEqual(['shop.test']);
  expect(scan.stored_items).toHaveLength(150);
  expect(scan.findings.map(({ rule }) => rule)).toEqual(['result_cut']);
});

test('a large result that is read without a login counts as a request for each 4 KiB', async () => {
  const path = `/api/public/cookie-scan/${await largeScan(servers.http)}`;
  const read = async (address: string) =>
    (await raw(servers.http.url, { path, headers: { 'X-Forwarded-For': address } })).status;
  const statuses = [];
  // Nine to a window of a minute, which may begin anew in between.
  for (let n = 0; n < 24; n += 1) statuses.push(await read('203.0.113.1'));
  expect(statuses).toContain(429);
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(18);
  expect(await read('203.0.113.2')).toBe(200);
});
