import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { raw } from '../helpers/http/raw';
import { startServer, type TestServer } from '../helpers/server';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    variables: { RATE_LIMIT: 'on', TRUST_PROXY: '1' },
    limits: { perAddress: 4, perSite: 100_000 },
  });
});
afterAll(() => server?.stop());

/** Twenty limits of 4 KiB each: of one address in a window. */
const MOST = 20 * 4 * 4_096;

const ASSETS = join(__dirname, '..', '..', 'dist', 'console', 'assets');
const largest = (): string =>
  readdirSync(ASSETS)
    .filter((name) => name.endsWith('.js'))
    .sort((a, b) => statSync(join(ASSETS, b)).size - statSync(join(ASSETS, a)).size)[0] as string;

/** Asks until it is told to wait; how many bytes it got. */
async function untilLimited(path: string, headers: Record<string, string>): Promise<number> {
  let bytes = 0;
  // Two windows of a minute at most, each of which ends in the middle of a file.
  for (let i = 0; i < 400; i += 1) {
    const { status, text } = await raw(server.url, { path, headers });
    if (status === 429) return bytes;
    bytes += Buffer.byteLength(text);
  }
  throw new Error(`${path} was not limited after ${bytes} bytes`);
}

test.each([
  ['the documentation in one file', '203.0.113.1', () => '/llms-full.txt'],
  ['a page that does not exist', '203.0.113.2', () => '/docs/nothing'],
  ['the page that verifies evidence', '203.0.113.3', () => '/verify'],
  ['a file of the console', '203.0.113.4', () => `/console/assets/${largest()}`],
])('what is sent of files outside of sites is limited by address: %s', async (_name, address, path) => {
  const headers = { 'X-Forwarded-For': address };
  const { text } = await raw(server.url, { path: path(), headers: { 'X-Forwarded-For': '203.0.113.9' } });
  const most = 2 * (MOST + Buffer.byteLength(text));
  expect(await untilLimited(path(), headers)).toBeLessThanOrEqual(most);
});

test('whoever has read much of the documentation may still look up an earlier script of a site', async () => {
  const headers = { 'X-Forwarded-For': '203.0.113.11' };
  const { token } = await server.site();
  await untilLimited('/llms-full.txt', headers);
  const earlier = `/api/bundles/${token}/${'x'.repeat(24)}.js`;
  expect((await raw(server.url, { path: earlier, headers })).status).toBe(404);
});

test.each([
  [
    'load',
    '203.0.113.10',
    { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' },
  ],
  // As Chromium says it: nothing of the page that made it do so.
  [
    'have loaded ahead',
    '203.0.113.12',
    {
      ...{ 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' },
      'Sec-Purpose': 'prefetch',
    },
  ],
])(
  'what pages of other sites %s of them uses up nothing of what their reader may open',
  async (_name, address, loaded) => {
    const headers = { 'X-Forwarded-For': address };
    await untilLimited('/llms-full.txt', { ...headers, ...loaded });
    expect((await raw(server.url, { path: '/console', headers })).status).toBe(200);
  },
);
