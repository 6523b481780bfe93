import { readHosts } from '../../server/src/domain/cookies/held-hosts';
import { findChromium } from '../../server/src/scan/find-chromium';
import { html, loopbackNames, type Pages, scanToEnd, startPages } from '../helpers/browser/pages';
import { startServer, type TestServer } from '../helpers/server';

const browser = findChromium(process.env.CHROMIUM_PATH);
if (browser === undefined)
  console.warn('SKIPPED: no Chromium, so that scans tell what a page holds is not tested.');
const withBrowser = browser === undefined ? test.skip : test;

jest.setTimeout(180_000);
const HOST = 'holds.test';
let head = '';
let pages: Pages;
let third: Pages;
let server: TestServer;
beforeAll(async () => {
  third = await startPages((_path, response) =>
    response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(''),
  );
  pages = await startPages((path, response) => {
    if (path === '/' || path === '/other') html(response, `${head}<h1>Shop</h1>`);
    else response.writeHead(404).end();
  });
  server = await startServer({
    variables: { SCAN_ALLOW_NETWORKS: '127.0.0.0/8' },
    scan: { lookup: loopbackNames, limits: { settleMs: 500, quietMs: 3_000 } },
  });
});
afterAll(async () => {
  await server?.stop();
  await Promise.all([pages.stop(), third.stop()]);
});

const made = (...hosts: string[]): string =>
  `<script>for (const host of ${JSON.stringify(hosts)}) {
     const s = document.createElement('script'); s.src = 'http://' + host + ':${third.port}/a.js'; document.head.append(s);
   }</script>`;

withBrowser(
  'what scans find is held by the next bundle, what they then see held stays so, and the owner is told of others',
  async () => {
    const { client, token } = await server.site({
      auto_blocking: {
        enabled: true,
        unclassified: 'marketing',
        rules: [{ place: 'partner.test', category: null }],
      },
    });
    await client.updateEnvironment({ token, body: { domain: HOST } });
    const scan = (path = '/') => scanToEnd(server, `http://${HOST}:${pages.port}${path}`, { client, token });
    const outdated = async () =>
      (await client.listWarnings({ token })).items.find(({ code }) => code === 'bundle_outdated')?.message;
    const holds = async () => {
      const { places } = await client.getAutoBlocking({ token });
      return places
        .filter(({ contacted, held }) => contacted || held)
        .map(({ place, category, source, reason, contacted, held }) =>
          [place, category, source, reason, contacted && 'contacted', held && 'held']
            .filter(Boolean)
            .join(' '),
        );
    };
    await client.generateBundle({ token });
    const hosts = [
      'widget.test',
      'fonts.googleapis.com',
      'code.jquery.com',
      'partner.test',
      'cdn.partner.test',
    ];
    head = made(...hosts);
    await scan();
    expect(await outdated()).toContain('scans found other hosts that should wait for consent');
    expect((await client.getAutoBlocking({ token })).outdated).toBe(true);
    expect(await holds()).toEqual([
      'partner.test own_rule own_rule contacted',
      'code.jquery.com known library contacted',
      'fonts.googleapis.com functional known needs_consent contacted',
      'holds.test own_host first_party contacted',
      'widget.test marketing scan unclassified contacted',
    ]);
    const bundle = await client.generateBundle({ token });
    expect(await outdated()).toBeUndefined();
    expect(bundle.snippet).toContain('"widget.test"');
    // The page with its snippet: a scan sees nothing of these any more, and they go on to be held.
    head = bundle.snippet + made(...hosts);
    const again = await scan();
    const ownHost = new URL(server.service.context.publicUrl()).hostname;
    expect(again.requests.map(({ host }) => host)).toEqual(
      [ownHost, 'cdn.partner.test', 'code.jquery.com', HOST, 'partner.test'].sort(),
    );
    expect(await outdated()).toBeUndefined();
    expect((await holds()).slice(2)).toEqual([
      'fonts.googleapis.com functional known needs_consent held',
      'holds.test own_host first_party contacted',
      `${ownHost} own_host first_party contacted`,
      'widget.test marketing scan unclassified held',
    ]);
    // Another page adds to it, and takes nothing away.
    head = bundle.snippet + made('more.test');
    await scan('/other');
    expect(await outdated()).toContain('scans found other hosts');
    expect((await client.generateBundle({ token })).snippet).toContain('"widget.test"');
  },
);

test('pages may say anything of what they hold', () => {
  expect(readHosts('["b.test","a.test","b.test"]')).toEqual(['a.test', 'b.test']);
  for (const said of [
    undefined,
    {},
    '',
    'null',
    '{"a":1}',
    '[1,null,"<script>","", {}]',
    `["${'a'.repeat(70_000)}"]`,
  ])
    expect(readHosts(said)).toEqual([]);
  expect(readHosts(JSON.stringify(Array.from({ length: 900 }, (_, at) => `a${at}.test`)))).toHaveLength(200);
});
