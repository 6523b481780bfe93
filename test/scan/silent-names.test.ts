import { findChromium } from '../../server/src/scan/find-chromium';
import { html, type Pages, startPages, untilScanned } from '../helpers/browser/pages';
import { type NameServer, startNameServer } from '../helpers/net/name-server';
import { startServer, type TestServer } from '../helpers/server';
import { until } from '../helpers/until';
import { type Receiver, startReceiver } from '../helpers/webhooks/receiver';

const withBrowser = findChromium(process.env.CHROMIUM_PATH) === undefined ? test.skip : test;
const NAMES = 190;
/** Fewer than a scan's bound of hosts. */
const SOME = 60;
/** More than all that a scan may ask for at once, and than a process has threads. */
const HELD = 16;

let names: NameServer;
let pages: Pages;
let receiver: Receiver;
let server: TestServer;
beforeAll(async () => {
  names = await startNameServer({
    a: { 'page.test': ['127.0.0.1'], 'receiver.test': ['127.0.0.1'] },
  });
  pages = await startPages((path, response) => {
    const images = (length: number) =>
      Array.from({ length }, (_, n) => `<img src="http://n${n}.silent.test/">`).join('');
    if (path === '/many') html(response, images(NAMES));
    else if (path === '/some') html(response, images(SOME));
    else response.writeHead(404).end();
  });
  receiver = await startReceiver();
  server = await startServer({
    variables: {
      DNS_SERVERS: names.address,
      SCAN_ALLOW_NETWORKS: '127.0.0.0/8',
      WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
      WEBHOOK_ALLOW_HTTP: 'on',
    },
  });
});
afterAll(async () => {
  await server.stop();
  await Promise.all([pages.stop(), names.stop(), receiver.stop()]);
});

const silent = () => new Set(names.asked.filter((name) => name.endsWith('.silent.test'))).size;

/** A new webhook, by name, that has got its test event. */
async function deliver(): Promise<void> {
  const { client, token } = await server.site();
  const url = `http://receiver.test:${new URL(receiver.url).port}/`;
  const { webhook_id } = await client.createWebhook({ token, body: { url, events: '*' } });
  await server.visitor.logConsent({
    token,
    body: { session_id: '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11', decision: 'accept_all' },
  });
  await until('it is delivered', async () => {
    const { items } = await client.listDeliveries({ token, webhook_id });
    return items.some(({ state }) => state === 'delivered');
  });
}

test(`${NAMES} names that are never answered keep no webhook from being sent`, async () => {
  const { scanPolicy } = server.service.context;
  const stop = new AbortController();
  let settled = 0;
  const asked = Array.from({ length: NAMES }, (_, n) =>
    scanPolicy.lookup(`held${n}.silent.test`, stop.signal).then(
      () => (settled += 1),
      () => (settled += 1),
    ),
  );
  await until('names are asked for', async () => silent() >= HELD);
  await deliver();
  // Deliveries went ahead of the names, which still wait for their answer or their turn.
  expect(settled).toBeLessThan(NAMES);
  stop.abort();
  await Promise.all(asked);
  expect(settled).toBe(NAMES);
});

withBrowser(
  'a scan of a page with such names does not either',
  async () => {
    names.asked.length = 0;
    const { scan_id } = await server.visitor.startCookieScan({
      body: { url: `http://page.test:${pages.port}/some` },
    });
    await until('the page asks for its names', async () => silent() > 0);
    await deliver();
    // A page waits for its images for seconds.
    expect((await server.visitor.getScan({ scan_id })).status).toBe('running');
    expect((await untilScanned(server, scan_id)).status).toBe('done');
  },
  90_000,
);

withBrowser(
  'a scan of a page with more hosts than its bound ends there',
  async () => {
    names.asked.length = 0;
    const { scan_id } = await server.visitor.startCookieScan({
      body: { url: `http://page.test:${pages.port}/many` },
    });
    const scan = await untilScanned(server, scan_id);
    expect(scan.status).toBe('done');
    expect(scan.findings.find(({ rule }) => rule === 'scan_incomplete')?.message).toContain('100 hosts');
    expect(silent()).toBeLessThanOrEqual(100);
  },
  90_000,
);
