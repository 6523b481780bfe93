import { findChromium } from '../../server/src/scan/find-chromium';
import { html, loopbackNames, type Pages, scanToEnd, startPages } from '../helpers/browser/pages';
import { startServer, type TestServer } from '../helpers/server';

const browser = findChromium(process.env.CHROMIUM_PATH);
if (browser === undefined)
  console.warn(
    'SKIPPED: no Chromium on PATH and no CHROMIUM_PATH, so cookie scans by browser are not tested.',
  );
const withBrowser = browser === undefined ? test.skip : test;
const ALLOW = { SCAN_ALLOW_NETWORKS: '127.0.0.0/8' };
const QUICK = { settleMs: 500, quietMs: 3_000 };
const YEAR = 365 * 86_400;

let token = '';
/** What a banner tells its server. */
const calls = (): [string, string][] => [
  [`/api/impressions/${token}`, '{}'],
  [
    `/api/v/${token}/e`,
    JSON.stringify({
      session_id: '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11',
      events: [{ name: 'settings_opened', at: new Date().toISOString() }],
    }),
  ],
];

let pages: Pages;
let third: Pages;
beforeAll(async () => {
  third = await startPages((path, response) => {
    if (path === '/frame')
      html(response, 'ad', { 'Set-Cookie': 'uuid2=1; Max-Age=7776000; SameSite=None; Secure; HttpOnly' });
    else response.writeHead(200, { 'Content-Type': 'text/javascript' }).end('');
  });
  pages = await startPages((path, response) => {
    if (path.startsWith('/moved'))
      response.writeHead(302, { Location: '/', 'Set-Cookie': 'connect.sid=2; HttpOnly' }).end();
    else if (path !== '/') response.writeHead(404).end();
    else
      html(
        response,
        `<script>document.cookie = '_ga=GA1.1; max-age=${2 * YEAR}'; document.cookie = 'mine=1; SameSite=Strict';</script>
         <iframe src="http://127.0.0.1:${third.port}/frame"></iframe>
         <script src="http://stats.g.doubleclick.net:${third.port}/tag.js"></script>
         <script type="text/plain" src="http://static.hotjar.com:${third.port}/h.js"></script>
         <div role="dialog" aria-label="cookies"><p>We use cookies.</p><button onclick="document.cookie='_fbp=1; max-age=100'">Accept</button></div>`,
        { 'Set-Cookie': ['PHPSESSID=1; HttpOnly; Path=/; SameSite=Lax'] },
      );
  });
});
afterAll(() => Promise.all([pages.stop(), third.stop()]));

describe('with a browser', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ variables: ALLOW, scan: { lookup: loopbackNames, limits: QUICK } });
  });
  afterAll(() => server.stop());

  withBrowser(
    'a new visitor is seen: header, script and third-party cookies, nothing that waits for consent',
    async () => {
      const scan = await scanToEnd(server, `http://shop.test:${pages.port}/moved`);
      expect(scan).toMatchObject({ status: 'done', engine: 'browser', banner_detected: true, error: null });
      const own = {
        storage: 'cookie',
        domain: 'shop.test',
        first_party: true,
        secure: false,
        set_before_consent: true,
      };
      expect(scan.cookies).toEqual([
        {
          storage: 'cookie',
          name: 'uuid2',
          domain: '127.0.0.1',
          category: 'marketing',
          vendor: 'Xandr (AppNexus)',
          max_age_seconds: expect.any(Number),
          secure: true,
          http_only: true,
          same_site: 'None',
          set_before_consent: true,
          first_party: false,
        },
        {
          ...own,
          name: 'PHPSESSID',
          category: 'necessary',
          vendor: 'PHP',
          max_age_seconds: 0,
          http_only: true,
          same_site: 'Lax',
        },
        {
          ...own,
          name: '_ga',
          category: 'analytics',
          vendor: 'Google Analytics',
          max_age_seconds: expect.any(Number),
          http_only: false,
          same_site: null,
        },
        {
          ...own,
          name: 'connect.sid',
          category: 'necessary',
          vendor: 'Express session',
          max_age_seconds: 0,
          http_only: true,
          same_site: null,
        },
        {
          ...own,
          name: 'mine',
          category: 'unclassified',
          max_age_seconds: 0,
          http_only: false,
          same_site: 'Strict',
        },
      ]);
      const [marketing] = scan.cookies;
      expect(Math.abs((marketing?.max_age_seconds ?? 0) - 7_776_000)).toBeLessThan(120);
      expect(scan.requests).toEqual([
        { host: '127.0.0.1', category: 'unclassified', before_consent: true },
        { host: 'shop.test', category: 'necessary', before_consent: true },
        {
          host: 'stats.g.doubleclick.net',
          category: 'marketing',
          vendor: 'Google Marketing Platform (DoubleClick)',
          before_consent: true,
        },
      ]);
      expect(scan.findings.map(({ rule, severity }) => [rule, severity])).toEqual([
        ['cookie_before_consent', 'critical'],
        ['tracker_before_consent', 'critical'],
        ['page_without_tls', 'warning'],
        ['cookie_lives_long', 'warning'],
        ['cookie_unclassified', 'info'],
      ]);
    },
  );
});

withBrowser(
  'a scan is no visit: what it is shown is not counted, and this server is no third party',
  async () => {
    let avow = '';
    const shop = await startPages((path, response) => {
      if (path !== '/') response.writeHead(404).end();
      else
        html(
          response,
          `<script>for (const [path, body] of ${JSON.stringify(calls())})
          navigator.sendBeacon('${avow}' + path, new Blob([body], { type: 'text/plain' }));
          fetch('${avow}${calls()[0]?.[0]}', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' });
        </script>`,
        );
    });
    const server = await startServer({
      variables: { ...ALLOW, PUBLIC_URL: 'http://consent.test' },
      scan: { lookup: loopbackNames, limits: QUICK },
    });
    try {
      const { client, token: own } = await server.site();
      token = own;
      avow = server.url.replace('127.0.0.1', 'consent.test');
      await client.updateEnvironment({ token, body: { domain: 'shop.test' } });
      const scan = await scanToEnd(server, `http://shop.test:${shop.port}/`, { client, token });
      expect(scan).toMatchObject({ status: 'done', engine: 'browser' });
      expect(scan.requests).toContainEqual({
        host: 'consent.test',
        category: 'necessary',
        before_consent: true,
      });
      const counted = async () => {
        const rows = await server.service.context.db('hourly_counts').select('metric');
        return rows.map(({ metric }: { metric: string }) => metric);
      };
      expect(await counted()).toEqual([]);
      // The control: the same request of a visitor is counted.
      await server.visitor.recordImpression({ token, body: {} });
      expect(await counted()).toEqual(['impression']);
    } finally {
      await server.stop();
      await shop.stop();
    }
  },
);

test('without a browser headers and page source are read, and the scan says so', async () => {
  const server = await startServer({ variables: ALLOW, scan: { lookup: loopbackNames, engine: 'http' } });
  try {
    const scan = await scanToEnd(server, `http://shop.test:${pages.port}/moved`);
    expect(scan).toMatchObject({ status: 'done', engine: 'http' });
    expect(
      scan.cookies.map(({ name, category, http_only, set_before_consent }) => [
        name,
        category,
        http_only,
        set_before_consent,
      ]),
    ).toEqual([
      ['PHPSESSID', 'necessary', true, true],
      ['connect.sid', 'necessary', true, true],
    ]);
    expect(scan.requests.map(({ host, category }) => [host, category])).toEqual([
      ['127.0.0.1', 'unclassified'],
      ['shop.test', 'necessary'],
      ['stats.g.doubleclick.net', 'marketing'],
    ]);
    expect(scan.findings.map(({ rule }) => rule)).toContain('scripts_not_run');
  } finally {
    await server.stop();
  }
});
