import { contract, exampleRequest } from '../helpers/http/contract-requests';
import { raw } from '../helpers/http/raw';
import { startServer, type TestServer } from '../helpers/server';

const CONSOLE = 'https://console.example.com';
const STRANGER = 'https://elsewhere.example';
/** What browsers add to what a page of another site loads, and what they do without Fetch Metadata. */
const LOADED = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Dest': 'image' };
const SENT = { ...LOADED, 'Sec-Fetch-Dest': 'empty', Origin: STRANGER };

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    variables: { RATE_LIMIT: 'on', TRUST_PROXY: '1', CONSOLE_ORIGINS: CONSOLE },
    // Of owners forty, of people who log in thirty.
    limits: { perAddress: 8, perSite: 100_000 },
  });
});
afterAll(() => server?.stop());

let addresses = 0;
/** Somebody at an address of their own, with a login. */
async function somebody() {
  const { userId } = await server.person();
  const { token } = await server.service.context.tokens.issue(userId);
  addresses += 1;
  const from = { 'X-Forwarded-For': `203.0.113.${addresses}` };
  const status = async (path: string, headers: Record<string, string>, body?: string | Buffer) =>
    (
      await raw(server.url, {
        ...{ path, headers: { ...from, ...headers } },
        ...(body !== undefined && { method: 'POST', body }),
      })
    ).status;
  return {
    status,
    me: () => status('/api/me', { Authorization: `Bearer ${token}` }),
    login: (headers: Record<string, string> = {}) =>
      status(
        '/api/auth/console',
        { 'Content-Type': 'application/json', ...headers },
        JSON.stringify({ email: `nobody-${addresses}@example.com`, password: 'not the right one' }),
      ),
    /** More often than two windows of a minute allow. */
    many: async (ask: () => Promise<number>) => {
      const statuses = new Set<number>();
      for (let i = 0; i < 85; i += 1) statuses.add(await ask());
      return [...statuses].sort();
    },
  };
}

test.each([
  ['that browsers say is of another site', { ...SENT }, { ...LOADED }],
  [
    'of another host of the same site',
    { ...SENT, 'Sec-Fetch-Site': 'same-site' },
    { ...LOADED, 'Sec-Fetch-Site': 'same-site' },
  ],
  ['of another origin, as browsers say over plain HTTP', { Origin: STRANGER }, { Origin: STRANGER }],
  ['without an origin', { Origin: 'null' }, { Origin: 'null' }],
])('a page %s uses up nothing of what its reader may ask for', async (_name, sent, loaded) => {
  const { status, many, me, login } = await somebody();
  expect(
    await many(() => status('/api/auth/console', { ...sent, 'Content-Type': 'text/plain' }, 'x')),
  ).toEqual([403]);
  expect(await many(() => status('/api/me', loaded))).toEqual([403]);
  expect([await login(), await me()]).toEqual([401, 200]);
});

test('what a page of another site has loaded ahead is its own', async () => {
  const { status, many, me, login } = await somebody();
  // As Chromium sends it for a page's speculation rules.
  const ahead = {
    ...{ 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' },
    'Sec-Purpose': 'prefetch',
  };
  for (const headers of [
    ahead,
    { ...ahead, 'Sec-Purpose': 'prefetch;prerender' },
    { ...ahead, 'Sec-Purpose': '', Purpose: 'prefetch' },
  ])
    expect(await many(() => status('/api/auth/methods', headers))).toEqual([403]);
  expect([await login(), await me()]).toEqual([401, 200]);
  // A page of this server may load ahead what it leads to.
  expect(await status('/api/auth/methods', { ...ahead, 'Sec-Fetch-Site': 'same-origin' })).toBe(200);
});

test('pages of other sites use up no links of mails, and nothing of what a site’s own pages may send', async () => {
  const { status, many } = await somebody();
  const link = `/mail/verify/env_${'a'.repeat(22)}/00000000-0000-4000-8000-000000000000/x`;
  expect(await many(() => status(link, LOADED))).toContain(429);
  expect(await status(link, {})).toBe(404);
  const { token } = await server.site({ enforce_origin: true });
  const operation = contract.operations.find(({ id }) => id === 'recordImpression');
  const { path, headers, body } = exampleRequest(operation as NonNullable<typeof operation>, { token });
  const impression = (origin: string) => status(path, { ...headers, ...SENT, Origin: origin }, body);
  expect(await many(() => impression(STRANGER))).toEqual([403, 429]);
  expect(await impression('https://shop.example.com')).toBeLessThan(300);
});

test('what brings no login, or no body that can be read, counts by itself', async () => {
  const { status, many, me, login } = await somebody();
  expect(await many(() => status('/api/me', {}))).toEqual([401, 429]);
  expect(await many(() => status('/api/me', { Authorization: 'Basic YTpi' }))).toContain(429);
  expect(await many(() => status('/api/auth/console', { 'Content-Type': 'text/plain' }, 'x'))).toContain(429);
  expect([await login(), await me()]).toEqual([401, 200]);
});

test('operations of owners that are open to any origin count by themselves for pages of other sites', async () => {
  const { status, many, me } = await somebody();
  const { token } = await server.site();
  const operation = contract.operations.find(
    ({ bearer, anyOrigin, hasToken }) => bearer && anyOrigin && hasToken,
  );
  const { path, headers, body } = exampleRequest(operation as NonNullable<typeof operation>, { token });
  const forged = { ...headers, ...SENT, 'Sec-Fetch-Mode': 'cors', Authorization: 'Bearer abc.def.ghi' };
  expect(await many(() => status(path, forged, body))).toEqual([401, 429]);
  // The log of a site that does not publish it.
  expect(await many(() => status(`/ledger/${token}/checkpoint`, LOADED))).toContain(429);
  expect(await me()).toBe(200);
});

test('pages of this server, of the console’s origins, programs and whoever opens an address are let in', async () => {
  const { status, login } = await somebody();
  for (const headers of [
    {},
    { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors', Origin: 'https://avow.example' },
    { Origin: server.url },
    { Origin: CONSOLE },
    { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'cors', Origin: CONSOLE },
  ] as Record<string, string>[])
    expect([headers, await login(headers)]).toEqual([headers, 401]);
  const open = (site: string, dest: string) =>
    status('/api/auth/methods', {
      'Sec-Fetch-Site': site,
      'Sec-Fetch-Mode': 'navigate',
      'Sec-Fetch-Dest': dest,
    });
  expect([await open('none', 'document'), await open('cross-site', 'document')]).toEqual([200, 200]);
  expect(await open('cross-site', 'iframe')).toBe(403);
});

test('each operation that is not open to any origin says that it may be refused', () => {
  const silent = contract.operations.filter(
    ({ anyOrigin, declared }) => !anyOrigin && declared.responses['403'] === undefined,
  );
  expect(silent.map(({ id }) => id)).toEqual([]);
});
