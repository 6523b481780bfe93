import { findChromium } from '../../server/src/scan/find-chromium';
import { html, loopbackNames, type Pages, scanToEnd, startPages } from '../helpers/browser/pages';
import { type Client, startServer, type TestServer } from '../helpers/server';

const browser = findChromium(process.env.CHROMIUM_PATH);
if (browser === undefined)
  console.warn('SKIPPED: no Chromium, so that a clean scan clears what an earlier one found is not tested.');
const withBrowser = browser === undefined ? test.skip : test;
const BANNER = '<div role="dialog" aria-label="cookies"><p>We use cookies.</p><button>Accept</button></div>';

let page: { status: number; body: string; cookies: string[] };
let pages: Pages;
let server: TestServer;
beforeAll(async () => {
  pages = await startPages((path, response) => {
    if (path !== '/') response.writeHead(404).end();
    else if (page.status !== 200) response.writeHead(page.status).end();
    else html(response, page.body, { 'Set-Cookie': page.cookies });
  });
  server = await startServer({
    variables: { SCAN_ALLOW_NETWORKS: '127.0.0.0/8' },
    scan: { lookup: loopbackNames, limits: { settleMs: 300, quietMs: 2_000 } },
  });
});
afterAll(async () => {
  await server.stop();
  await pages.stop();
});

/** What a site's owner sees of the last scan. */
async function seen(client: Client, token: string) {
  const { checks } = await client.getComplianceScore({ token });
  const { items } = await client.listWarnings({ token });
  const { warnings } = await client.getEnvironment({ token });
  expect(warnings).toEqual(items);
  const own = items.filter(({ code }) => code === 'scan_finding');
  return {
    status: Object.fromEntries(checks.map(({ id, status }) => [id, status])),
    evidence: checks.find(({ id }) => id === 'nothing_before_consent')?.evidence,
    critical: own.filter(({ severity }) => severity === 'critical').map(({ message }) => message),
    messages: own.map(({ message }) => message).join('\n'),
  };
}

withBrowser(
  'findings appear in score and warnings, and a clean scan clears them',
  async () => {
    const { client, token } = await server.site();
    await client.updateEnvironment({ token, body: { domain: 'fixed.test' } });
    const scan = (as: typeof page) => {
      page = as;
      return scanToEnd(server, `http://fixed.test:${pages.port}/`, { client, token });
    };
    expect((await seen(client, token)).status).toMatchObject({
      nothing_before_consent: 'unknown',
      banner_alive: 'unknown',
    });

    const dirty = {
      status: 200,
      body: `${BANNER}<script>document.cookie = '_ga=1'</script>`,
      cookies: ['_fbp=1'],
    };
    expect(await scan(dirty)).toMatchObject({ status: 'done', engine: 'browser' });
    const before = await seen(client, token);
    expect(before.status).toMatchObject({ nothing_before_consent: 'fail', banner_alive: 'unknown' });
    expect(before.evidence).toContain(`before consent on fixed.test:${pages.port}/ (scan of `);
    expect(before.evidence).toContain('): _fbp (marketing), _ga (analytics)');
    expect(before.critical).toEqual([expect.stringContaining('_fbp (marketing), _ga (analytics)')]);

    // A scan that could not be done says nothing: what the last one found still holds.
    expect(await scan({ ...dirty, status: 500 })).toMatchObject({ status: 'failed' });
    expect((await seen(client, token)).status).toMatchObject({ nothing_before_consent: 'fail' });
    // Nor does one that was shown nothing.
    for (const body of ['', ' <div></div><script>1</script>']) {
      const blank = await scan({ status: 200, body, cookies: [] });
      expect(blank).toMatchObject({ status: 'done', cookies: [] });
      expect(blank.findings.map(({ rule }) => rule)).toContain('page_blank');
      expect((await seen(client, token)).status).toMatchObject({ nothing_before_consent: 'fail' });
    }

    expect(await scan({ status: 200, body: BANNER, cookies: ['PHPSESSID=1'] })).toMatchObject({
      status: 'done',
    });
    const after = await seen(client, token);
    expect(after.status).toMatchObject({ nothing_before_consent: 'pass' });
    expect(after.critical).toEqual([]);
    expect(after.messages).not.toContain('_ga');

    // Neither a banner on the page nor a sign of life of one.
    const body =
      "<x-app></x-app><script>document.body.firstChild.attachShadow({ mode: 'open' }).innerHTML = '<p>Nothing here.'</script>";
    const shadow = await scan({ status: 200, body, cookies: [] });
    expect(shadow.findings.map(({ rule }) => rule)).not.toContain('page_blank');
    expect((await seen(client, token)).status).toMatchObject({
      nothing_before_consent: 'pass',
      banner_alive: 'fail',
    });
    // Anybody can report an impression of a banner that nobody has made.
    await server.visitor.recordImpression({ token, body: {} });
    expect((await seen(client, token)).status).toMatchObject({ banner_alive: 'fail' });
    await client.generateBundle({ token, body: {} });
    expect((await seen(client, token)).status).toMatchObject({ banner_alive: 'pass' });
  },
  90_000,
);
