import { raw } from '../helpers/http/raw';
import { startServer, type TestServer } from '../helpers/server';

let server: TestServer;
afterEach(() => server.stop());
const start = (perAddress: number, visitorHost = true) =>
  startServer({
    limits: { perAddress, perSite: 100_000 },
    visitorHost,
    variables: { RATE_LIMIT: 'on', TRUST_PROXY: '1' },
  });

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const ADDRESS = { 'X-Forwarded-For': '203.0.113.1' };

const zeros = `{"session_id":"x","events":[${'0,'.repeat(32_000)}0]}`;
const deep = `{"categories":${'['.repeat(32_000)}${']'.repeat(32_000)}}`;
const broken = `{${' '.repeat(65_000)}`;
const form = `form=x&message=${'m'.repeat(65_000)}`;

/** Each of them counts as sixteen requests or more: of a limit of 40, two pass in a window, or three of two bodies. */
const LIMIT = 40;
const MOST = 6;

describe.each([true, false])('visitor host: %s', (visitorHost) => {
  test.each([
    ['a list of what is no event', 'v', zeros, false],
    ['a list of what is no event, in chunks', 'v', zeros, true],
    ['deep nesting', 'v', deep, false],
    ['no JSON', 'v', broken, false],
    ['a form', 'pages', form, false],
  ] as const)('a body that is refused counts by its size, too: %s', async (_name, to, body, chunked) => {
    server = await start(LIMIT, visitorHost);
    const { token } = await server.site();
    const isForm = to === 'pages';
    const path = isForm ? `/pages/${token}/request` : `/api/v/${token}/e`;
    const headers = { ...ADDRESS, 'Content-Type': isForm ? FORM_TYPE : JSON_TYPE };
    const statuses: number[] = [];
    // The window of a minute may begin anew in between.
    for (let i = 0; i < 9; i += 1)
      statuses.push((await raw(server.url, { method: 'POST', path, headers, body, chunked })).status);
    expect(new Set(statuses)).toEqual(new Set([isForm ? 422 : 400, 429]));
    expect(statuses.filter((status) => status !== 429).length).toBeLessThanOrEqual(MOST);
  });

  test('what an address sends to all sites has a limit, too', async () => {
    server = await start(8, visitorHost);
    const send = async (token: string, address: string) =>
      (
        await raw(server.url, {
          method: 'POST',
          path: `/api/impressions/${token}`,
          headers: { 'X-Forwarded-For': address, 'Content-Type': JSON_TYPE },
          body: '{"no":"field"}',
        })
      ).status;
    const statuses: number[] = [];
    const tokens: string[] = [];
    for (let i = 0; i < 23; i += 1) tokens.push((await server.site()).token);
    // As often as each site takes it.
    for (const token of tokens)
      for (let i = 0; i < 8; i += 1) statuses.push(await send(token, '203.0.113.1'));
    // Eighty of each window of a minute, of which the test sees two at most.
    expect(statuses.slice(0, 80)).toEqual(Array<number>(80).fill(400));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(24);
    expect(await send(tokens[0] as string, '203.0.113.2')).toBe(400);
  });
});

test('a body that no login can be made of counts by its size, too', async () => {
  server = await start(1000);
  const headers = { ...ADDRESS, 'Content-Type': JSON_TYPE };
  const request = { method: 'POST', path: '/api/auth/console', headers, body: zeros };
  const statuses: number[] = [];
  for (let i = 0; i < 6; i += 1) statuses.push((await raw(server.url, request)).status);
  expect(new Set(statuses)).toEqual(new Set([400, 429]));
});
