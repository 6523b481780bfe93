import { createSocket, type Socket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { findChromium } from '../../server/src/scan/find-chromium';
import { html, type Pages, scanToEnd, startPages } from '../helpers/browser/pages';
import { startServer, type TestServer } from '../helpers/server';

const browser = findChromium(process.env.CHROMIUM_PATH);
if (browser === undefined)
  console.warn('SKIPPED: no Chromium, so refusals are tested with the http engine alone.');
const UNREACHABLE = 'The host is not reachable on the public Internet.';

/**
 * A part of the loopback network is open for the test's pages; the rest, where the canary listens, is not.
 */
const OPEN = '127.1.0.1';
const INWARD = '127.0.0.1';
const flips = new Map<string, number>();
const lookup = async (name: string) => {
  const asked = (flips.get(name) ?? 0) + 1;
  flips.set(name, asked);
  const to = (...addresses: string[]) => addresses.map((address) => ({ address, family: 4 }));
  if (name === 'inward.test') return to(INWARD);
  if (name === 'both.test') return to(OPEN, INWARD);
  if (name === 'metadata.test') return to('169.254.169.254');
  if (name === 'flip.test') return to(asked === 1 ? OPEN : INWARD);
  return to(OPEN);
};

let canary: Pages;
let udp: Socket;
let datagrams = 0;
let pages: Pages;
beforeAll(async () => {
  canary = await startPages((_path, response) =>
    html(response, 'secret', { 'Access-Control-Allow-Origin': '*' }),
  );
  udp = createSocket('udp4', () => {
    datagrams += 1;
  });
  await new Promise<void>((resolve) => udp.bind(0, INWARD, resolve));
  pages = await startPages((path, response) => {
    const target = new URL(path, 'http://x').searchParams.get('to');
    if (path.startsWith('/redirect')) response.writeHead(302, { Location: target as string }).end();
    else if (path.startsWith('/script'))
      html(response, `<script>location = ${JSON.stringify(target)}</script>`);
    else html(response, path === '/inside' ? inside() : 'fine');
  }, OPEN);
});
afterAll(async () => {
  udp.close();
  await Promise.all([canary.stop(), pages.stop()]);
});

/** Everything by which a page can make a browser connect. */
function inside(): string {
  const at = (host: string, path: string): string => `//${host}:${canary.port}/${path}`;
  const everywhere = [
    INWARD,
    'localhost',
    'inward.test',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    '2130706433',
  ];
  const stun = (udp.address() as AddressInfo).port;
  return (
    everywhere
      .map(
        (
          host,
        ) => `<link rel="stylesheet" href="http:${at(host, 'css')}"><link rel="preconnect" href="http:${at(host, '')}"><link rel="dns-prefetch" href="http:${at(host, '')}">
      <img src="http:${at(host, 'img')}"><iframe src="http:${at(host, 'frame')}"></iframe><script src="https:${at(host, 'script')}"></script>
      <script>fetch('http:${at(host, 'fetch')}', { mode: 'no-cors' }).catch(() => 0); try { new WebSocket('ws:${at(host, 'ws')}'); } catch {}
      navigator.sendBeacon('http:${at(host, 'beacon')}', 'x'); new EventSource('http:${at(host, 'events')}');
      new Worker(URL.createObjectURL(new Blob(["fetch('http:${at(host, 'worker')}', { mode: 'no-cors' })"])));
      try { new WebTransport('https:${at(host, 'transport')}').closed.catch(() => 0); } catch {}</script>
      <iframe src="data:text/html,<img src='http:${at(host, 'data')}'>"></iframe><object data="http:${at(host, 'object')}"></object>
      <video src="http:${at(host, 'video')}"></video><style>@import 'http:${at(host, 'import')}';</style>`,
      )
      .join('') +
    `<iframe src="file:///etc/passwd"></iframe>
      <script>window.open('http:${at(INWARD, 'window')}'); try { new WebTransport('https://${INWARD}:${stun}/').closed.catch(() => 0); } catch {}</script>
      <form action="http:${at(INWARD, 'form')}" target="posted" method="post"></form><iframe name="posted"></iframe><script>document.forms[0].submit();</script>
      <script>const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${INWARD}:${stun}' }, { urls: 'turn:${INWARD}:${stun}', username: 'a', credential: 'b' }, { urls: 'turn:${INWARD}:${canary.port}?transport=tcp', username: 'a', credential: 'b' }] });
      peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer));</script>`
  );
}

describe.each(browser === undefined ? (['http'] as const) : (['http', 'browser'] as const))(
  '%s engine',
  (engine) => {
    let server: TestServer;
    beforeAll(async () => {
      server = await startServer({
        variables: { SCAN_ALLOW_NETWORKS: '127.1.0.0/16' },
        scan: { lookup, limits: { settleMs: 1_500, quietMs: 4_000 }, ...(engine === 'http' && { engine }) },
      });
      flips.clear();
    });
    afterAll(() => server.stop());
    afterEach(() => {
      expect(canary.connections()).toBe(0);
      expect(datagrams).toBe(0);
    });
    const page = (path: string, host = 'shop.test'): string => `http://${host}:${pages.port}${path}`;
    const inward = (host: string): string => `http://${host}:${canary.port}/`;

    test.each(['inward.test', 'both.test', 'metadata.test', 'localhost'])(
      'a name that leads inwards is not visited: %s',
      async (host) => {
        expect(await scanToEnd(server, inward(host))).toMatchObject({
          status: 'failed',
          error: UNREACHABLE,
          cookies: [],
        });
      },
    );

    test.each(['inward.test', '127.0.0.1', '[::1]', '[::ffff:7f00:1]', '169.254.169.254'])(
      'a redirect inwards is not followed: %s',
      async (host) => {
        const scan = await scanToEnd(
          server,
          page(`/redirect?to=${encodeURIComponent(inward(host))}`, `r${host.length}.test`),
        );
        expect(scan).toMatchObject({ status: 'failed', error: UNREACHABLE });
      },
    );

    test('a redirect to another scheme or port is not followed', async () => {
      for (const to of ['file:///etc/passwd', 'data:text/html,x', 'ftp://shop.test/']) {
        expect((await scanToEnd(server, page(`/redirect?to=${encodeURIComponent(to)}`))).status).toBe(
          'failed',
        );
      }
    });

    test('sub-requests inwards are not made', async () => {
      const scan = await scanToEnd(server, page('/inside'));
      expect(scan).toMatchObject({ status: 'done', engine });
      expect(pages.asked).toContain('/inside');
      expect(scan.requests.map(({ host }) => host)).toContain('inward.test');
    });

    test('a name is resolved for each connection, and what it then leads to is vetted', async () => {
      // The first answer is for the redirect, the second one for where it leads to, on the same name.
      const scan = await scanToEnd(
        server,
        `http://flip.test:${pages.port}/redirect?to=${encodeURIComponent(inward('flip.test'))}`,
      );
      expect(scan).toMatchObject({ status: 'failed', error: UNREACHABLE });
    });

    test('the control: an open page is visited', async () => {
      expect(await scanToEnd(server, page('/'))).toMatchObject({ status: 'done', engine });
    });
  },
);

(browser === undefined ? test.skip : test)(
  'the control: were the network open, the canary would be reached, but never by UDP',
  async () => {
    const server = await startServer({
      variables: { SCAN_ALLOW_NETWORKS: '127.0.0.0/8,::1/128' },
      scan: { lookup, limits: { settleMs: 1_500, quietMs: 4_000 } },
    });
    try {
      await scanToEnd(server, `http://shop.test:${pages.port}/inside`);
      const ways = ['css', 'img', 'frame', 'fetch', 'beacon', 'ws', 'events', 'worker', 'data', 'object'];
      const paths = [...ways, 'video', 'import', 'form'].map((way) => `/${way}`);
      expect(new Set(canary.asked)).toEqual(new Set(paths));
      expect(datagrams).toBe(0);
    } finally {
      await server.stop();
    }
  },
);

test('what is no public web address is refused at once', async () => {
  const server = await startServer();
  try {
    const refused = [
      'http://127.0.0.1/',
      'http://[::1]/',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://169.254.169.254/',
      'http://10.0.0.1/',
      'http://[fd00::1]/',
      'http://[::ffff:10.0.0.1]/',
      'http://shop.example.com:8080/',
      'http://shop.example.com:22/',
      'https://shop.example.com:80443/',
      'http://user:pass@shop.example.com/',
      'file:///etc/passwd',
      'data:text/html,x',
      'blob:http://x/y',
      'ftp://shop.example.com/',
      'javascript:alert(1)',
      'chrome://version',
    ];
    for (const url of refused) {
      await expect(server.visitor.startCookieScan({ body: { url } })).rejects.toMatchObject({
        status: 400,
        code: 'validation_failed',
      });
    }
  } finally {
    await server.stop();
  }
});
