import { randomUUID } from 'node:crypto';
import { post } from '../helpers/http/raw';
import { startServer, type TestServer } from '../helpers/server';

let direct: TestServer;
let proxied: TestServer;
beforeAll(async () => {
  [direct, proxied] = await Promise.all([
    startServer(),
    startServer({ variables: { TRUST_PROXY: 'loopback,203.0.113.0/24' } }),
  ]);
});
afterAll(() => Promise.all([direct.stop(), proxied.stop()]));

async function log(server: TestServer, headers: Record<string, string>, body: object = {}) {
  const { token } = await server.site();
  const sent = { session_id: randomUUID(), decision: 'accept_all', ...body };
  const answer = await post(server.url, `/api/consents/${token}/log`, sent, headers);
  expect(answer.status).toBe(201);
  const stored = await server.service.context
    .db('consents')
    .where({ consent_id: answer.json.data.consent_id })
    .first();
  expect(stored).toMatchObject({
    ip_masked: answer.json.data.ip_masked,
    page_url: answer.json.data.page_url,
  });
  return answer.json.data;
}

test.each([
  ['198.51.100.23', '198.51.***.***'],
  ['2001:db8:85a3:8d3:1319:8a2e:370:7348', '2001:db8:85a3:****:****:****:****:****'],
  ['2001:db8::1', '2001:db8:0:****:****:****:****:****'],
  ['2001:0db8:0001::', '2001:db8:1:****:****:****:****:****'],
  ['::ffff:198.51.100.23', '198.51.***.***'],
  ['::FFFF:198.51.100.23', '198.51.***.***'],
  ['::ffff:c633:6417', '198.51.***.***'],
  ['fe80::1%eth0', 'fe80:0:0:****:****:****:****:****'],
  ['::1', '0:0:0:****:****:****:****:****'],
  ['unknown', '***.***.***.***'],
  ['198.51.100.23:4711', '198.51.***.***'],
  ['[2001:db8:85a3::7]:4711', '2001:db8:85a3:****:****:****:****:****'],
])('behind a trusted proxy %s is stored as %s', async (address, masked) => {
  expect((await log(proxied, { 'X-Forwarded-For': address })).ip_masked).toBe(masked);
});

test('of several proxies the nearest that is not trusted counts', async () => {
  const record = await log(proxied, { 'X-Forwarded-For': '192.0.2.1, 198.51.100.23, 203.0.113.5' });
  expect(record.ip_masked).toBe('198.51.***.***');
});

test('without a trusted proxy nobody chooses their address', async () => {
  const record = await log(direct, { 'X-Forwarded-For': '198.51.100.23', Forwarded: 'for=198.51.100.23' });
  expect(record.ip_masked).toBe('127.0.***.***');
});

test.each([
  ['https://shop.example.com/a?email=a@example.com#top', 'https://shop.example.com/a'],
  ['https://shop.example.com#top?x', 'https://shop.example.com'],
  ['https://user:secret@shop.example.com/a@b', 'https://shop.example.com/a@b'],
  ['http://shop.example.com/a/b%20c', 'http://shop.example.com/a/b%20c'],
])('the page %s is stored as %s', async (page_url, stored) => {
  expect((await log(direct, {}, { page_url })).page_url).toBe(stored);
});

test('Global Privacy Control is recorded and overrides nothing', async () => {
  const said = await log(direct, { 'Sec-GPC': '1' });
  expect(said).toMatchObject({ gpc: true, categories: { analytics: true, marketing: true } });
  for (const value of ['0', 'true', '']) expect((await log(direct, { 'Sec-GPC': value })).gpc).toBe(false);
  expect((await log(direct, {})).gpc).toBe(false);
});

test('the browser is recorded as far as it prints, and no longer than 512 characters', async () => {
  expect((await log(direct, { 'User-Agent': 'Mozilla/5.0 (X11)\tFirefox' })).user_agent).toBe(
    'Mozilla/5.0 (X11)Firefox',
  );
  expect((await log(direct, { 'User-Agent': 'x'.repeat(2000) })).user_agent).toBe('x'.repeat(512));
  expect((await log(direct, {})).user_agent).toBeNull();
});
