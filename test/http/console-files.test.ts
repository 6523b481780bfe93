import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { raw } from '../helpers/http/raw';
import { startServer, type TestServer } from '../helpers/server';

const ASSETS = join(__dirname, '..', '..', 'dist', 'console', 'assets');
const PAGES = [
  ...['/console', '/console/', '/console/login', '/console/sites/env_1/dsar/x-1'],
  ...['/console/sites/x%20y', '/console/sites/%E0%A4%A/dsar', "/console/sites/(x)'/~"],
];

let server: TestServer;
beforeAll(async () => {
  if (!existsSync(ASSETS))
    throw new Error('dist/console is missing: npm test builds it, and so does npm run build');
  server = await startServer();
});
afterAll(() => server.stop());

test('the address of the server leads to the console', async () => {
  const { status, headers } = await raw(server.url, { path: '/' });
  expect([status, headers.location]).toEqual([302, '/console']);
});

test.each(PAGES)('%s is the page, under a policy that allows files of this server only', async (path) => {
  const { status, headers } = await raw(server.url, { path });
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'text/html;charset=utf-8',
    'no-cache',
  ]);
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("style-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|\*|https?:/);
});

test('its files are immutable and travel compressed', async () => {
  const script = readdirSync(ASSETS).find((name) => /^index-.*\.js$/.test(name));
  const path = `/console/assets/${script}`;
  for (const encoding of ['gzip', 'br']) {
    const { status, headers } = await raw(server.url, { path, headers: { 'Accept-Encoding': encoding } });
    expect([status, headers['content-encoding']]).toEqual([200, encoding]);
    expect(headers['cache-control']).toBe('public,max-age=31536000,immutable');
  }
});

test.each([
  '/console/assets/nothing.js',
  '/console/assets/../../package.json',
  '/console/manifest.json',
  '/console/assets/',
])('%s is not there, and is not answered with the page', async (path) => {
  const { status, json } = await raw(server.url, { path });
  expect([status, json.data.code]).toEqual([404, 'not_found']);
});

test('the preview may be shown in the console alone, has no origin and reaches no server', async () => {
  const { status, headers } = await raw(server.url, { path: '/console/preview' });
  expect(status).toBe(200);
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain('sandbox allow-scripts');
  expect(policy).toContain("frame-ancestors 'self'");
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('connect-src');
});

test('only reading is answered', async () => {
  const { status } = await raw(server.url, { path: '/console', method: 'POST', body: '{}' });
  expect(status).toBe(404);
});
