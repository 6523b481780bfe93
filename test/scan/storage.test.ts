import { findChromium } from '../../server/src/scan/find-chromium';
import { html, loopbackNames, type Pages, scanToEnd, startPages } from '../helpers/browser/pages';
import { type Client, startServer, type TestServer } from '../helpers/server';

const browser = findChromium(process.env.CHROMIUM_PATH);
if (browser === undefined)
  console.warn('SKIPPED: no Chromium, so that scans see what is kept besides cookies is not tested.');
const withBrowser = browser === undefined ? test.skip : test;
const BANNER = '<div role="dialog" aria-label="cookies"><p>We use cookies.</p><button>Accept</button></div>';
const SECRET = 'never-to-be-seen';

/** What the pages of `/` do, and what is around it. */
jest.setTimeout(120_000);
let body = '';
let pages: Pages;
let third: Pages;
let server: TestServer;
beforeAll(async () => {
  third = await startPages((path, response) => {
    if (path === '/frame') html(response, `<script>localStorage['ph_phc_x_posthog'] = '${SECRET}'</script>`);
    else response.writeHead(404).end();
  });
  pages = await startPages((path, response) => {
    if (path === '/') html(response, BANNER + body);
    else if (path === '/own') html(response, `<script>sessionStorage['from-own-frame'] = 1</script>`);
    else response.writeHead(404).end();
  });
  server = await startServer({
    variables: { SCAN_ALLOW_NETWORKS: '127.0.0.0/8', PUBLIC_URL: 'http://consent.test' },
    scan: { lookup: loopbackNames, limits: { settleMs: 500, quietMs: 3_000 } },
  });
});
afterAll(async () => {
  await server.stop();
  await Promise.all([pages.stop(), third.stop()]);
});

/** A site of `host`, and a scan of its start page. */
async function siteOf(host: string) {
  const { client, token } = await server.site();
  await client.updateEnvironment({ token, body: { domain: host } });
  const scan = (content: string) => {
    body = content;
    return scanToEnd(server, `http://${host}:${pages.port}/`, { client, token });
  };
  return { client, token, scan };
}
const checkOf = async (client: Client, token: string) =>
  (await client.getComplianceScore({ token })).checks.find(({ id }) => id === 'nothing_before_consent');

withBrowser(
  'what a page and its frames keep in the browser is found by name, of every kind, and no value of it',
  async () => {
    const { scan } = await siteOf('keeps.test');
    const { status, stored_items, cookies, findings } = await scan(`
      <script>
        localStorage['ajs_anonymous_id'] = '${SECRET}';
        sessionStorage['mine'] = '${SECRET}';
        const open = indexedDB.open('app', 3);
        open.onupgradeneeded = () => {
          const keys = { autoIncrement: true };
          for (const name of ['files', 'documents']) open.result.createObjectStore(name, keys).add('${SECRET}');
        };
        document.cookie = 'plain=${SECRET}';
        // A page that lies to its own scripts does not lie to a scan.
        Storage.prototype.key = () => 'forged';
        Object.defineProperty(Storage.prototype, 'length', { get: () => 1 });
        IDBFactory.prototype.databases = async () => [];
      </script>
      <iframe src="/own"></iframe>
      <iframe src="http://127.0.0.1:${third.port}/frame"></iframe>
      <iframe sandbox="allow-scripts" srcdoc="<script>localStorage.x = 1</script>"></iframe>`);
    expect(status).toBe('done');
    const own = { host: 'keeps.test', object_stores: [], set_before_consent: true, first_party: true };
    expect(stored_items).toEqual([
      {
        ...own,
        storage: 'local_storage',
        name: 'ph_phc_x_posthog',
        host: '127.0.0.1',
        category: 'analytics',
        vendor: 'PostHog',
        first_party: false,
      },
      {
        ...own,
        storage: 'local_storage',
        name: 'ajs_anonymous_id',
        category: 'analytics',
        vendor: 'Twilio Segment',
      },
      {
        ...own,
        storage: 'indexed_db',
        name: 'app',
        category: 'unclassified',
        object_stores: ['documents', 'files'],
      },
      { ...own, storage: 'session_storage', name: 'from-own-frame', category: 'unclassified' },
      { ...own, storage: 'session_storage', name: 'mine', category: 'unclassified' },
    ]);
    expect(cookies).toMatchObject([{ storage: 'cookie', name: 'plain' }]);
    expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([
      ['storage_before_consent', 'critical'],
      ['page_without_tls', 'warning'],
      ['cookie_unclassified', 'info'],
      ['storage_unclassified', 'info'],
    ]);
    expect(findings[0]?.message).toContain(
      'ph_phc_x_posthog (analytics, local storage), ajs_anonymous_id (analytics, local storage)',
    );
    const [row] = await server.service.context.db('cookie_scans').orderBy('created_at', 'desc').limit(1);
    expect(JSON.stringify(row)).toContain('ajs_anonymous_id');
    expect(JSON.stringify(row)).not.toContain(SECRET);
  },
);

withBrowser(
  "it counts like a cookie for the site's score and warnings, and its vendors classify it",
  async () => {
    const { client, token, scan } = await siteOf('counts.test');
    await scan(`<script>localStorage['visits'] = 1</script>`);
    expect(await checkOf(client, token)).toMatchObject({
      status: 'unknown',
      evidence: expect.stringMatching(/^of unknown purpose on counts\.test.*\): visits$/),
    });
    const vendor = {
      ...{ id: 1, name: 'Counter', purposes: [], leg_int_purposes: [], categories: [], urls: [] },
      cookies: [
        {
          ...{ name: 'visits', storage: 'local_storage' as const },
          ...{ category: 'analytics', max_age_seconds: 0 },
        },
      ],
    };
    await client.replaceVendors({ token, body: { vendors: [vendor] } });
    expect((await client.getVendors({ token })).vendors[0]?.cookies[0]).toMatchObject({
      storage: 'local_storage',
    });
    const { stored_items } = await scan(`<script>localStorage['visits'] = 1</script>`);
    expect(stored_items).toMatchObject([{ name: 'visits', category: 'analytics', vendor: 'Counter' }]);
    expect(await checkOf(client, token)).toMatchObject({
      status: 'fail',
      evidence: expect.stringMatching(/^before consent on counts.*\): visits \(analytics, local storage\)$/),
    });
    const { items } = await client.listWarnings({ token });
    expect(items.filter(({ severity }) => severity === 'critical').map(({ message }) => message)).toEqual([
      expect.stringContaining('visits (analytics, local storage)'),
    ]);
    expect((await scan('')).stored_items).toEqual([]);
    expect(await checkOf(client, token)).toMatchObject({ status: 'pass' });
  },
);

withBrowser('what the banner of this server keeps is necessary', async () => {
  const { client, token, scan } = await siteOf('banner.test');
  await client.generateBundle({ token });
  const script = server.url.replace('127.0.0.1', 'consent.test');
  const { stored_items } = await scan(
    `<script src="${script}/api/bundles/${token}.js"></script><script>Avow.on('ready', () => Avow.reject())</script>`,
  );
  expect(stored_items).toEqual([
    {
      ...{ storage: 'local_storage', name: `avow:${token}`, host: 'banner.test', category: 'necessary' },
      ...{ vendor: 'Avow', object_stores: [], set_before_consent: true, first_party: true },
    },
  ]);
  expect(await checkOf(client, token)).toMatchObject({ status: 'pass' });
});

withBrowser(
  'names are cut and cleaned, their number is bounded, and a scan says that it left some out',
  async () => {
    const { client, token, scan } = await siteOf('many.test');
    const odd = await scan(`<script>
    localStorage['l'.repeat(5000)] = 1;
    localStorage['nul\\u0000 half\\ud800'] = 1;
    localStorage[''] = 1;
    document.cookie = 'half\\ud800=1';
  </script>`);
    expect(odd.cookies.map(({ name }) => name)).toEqual(['half\ufffd']);
    expect(odd.stored_items.map(({ name }) => name).sort()).toEqual([
      '',
      'l'.repeat(200),
      'nul\ufffd half\ufffd',
    ]);
    expect(odd.findings.map(({ rule }) => rule)).not.toContain('storage_incomplete');

    const many = await scan(`<script>
    for (let n = 0; n < 600; n += 1) localStorage['avow:env_' + String(n).padStart(22, '0')] = 1;
    for (let n = 0; n < 400; n += 1) sessionStorage['avow:env_' + String(n).padStart(22, '0')] = 1;
    sessionStorage['ajs_user_id'] = 1;
  </script>`);
    expect(many.stored_items).toHaveLength(500);
    // What needs consent is never what is left out.
    expect(many.stored_items[0]).toMatchObject({ storage: 'session_storage', name: 'ajs_user_id' });
    expect(many.findings.map(({ rule }) => rule)).toContain('storage_incomplete');

    await scan(`<script>
    for (let n = 0; n < 600; n += 1) localStorage['avow:env_' + String(n).padStart(22, '0')] = 1;
  </script>`);
    // Nothing was seen that needs consent, but not everything was seen.
    expect(await checkOf(client, token)).toMatchObject({ status: 'unknown' });
  },
);

test('without a browser nothing is known of it', async () => {
  const other = await startServer({
    variables: { SCAN_ALLOW_NETWORKS: '127.0.0.0/8' },
    scan: { lookup: loopbackNames, engine: 'http' },
  });
  try {
    body = `<script>localStorage['ajs_anonymous_id'] = 1</script>`;
    const scan = await scanToEnd(other, `http://http.test:${pages.port}/`);
    expect(scan).toMatchObject({ status: 'done', engine: 'http', stored_items: [] });
    expect(scan.findings.map(({ rule }) => rule)).toContain('scripts_not_run');
  } finally {
    await other.stop();
  }
});
