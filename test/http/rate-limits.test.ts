import { randomUUID } from 'node:crypto';
import type { Operation } from '../../server/src/contract/operations';
import { contract, exampleRequest } from '../helpers/http/contract-requests';
import { raw } from '../helpers/http/raw';
import { startServer, type TestServer } from '../helpers/server';
import { join } from '../helpers/site/people';

let server: TestServer;
afterEach(() => server.stop());
const start = (limits: { perAddress: number; perSite: number }, visitorHost = true) =>
  startServer({ limits, visitorHost, variables: { RATE_LIMIT: 'on', TRUST_PROXY: '1' } });

const ask = (token: string, address: string) =>
  raw(server.url, {
    path: `/api/preferences/${token}?session_id=${randomUUID()}`,
    headers: { 'X-Forwarded-For': address },
  });

/**
 * Asks until it is told to wait: more often than two windows of a minute allow, so that one of them is
 * certainly full.
 */
async function exceed(token: string, addressOf: (i: number) => string, limit: number) {
  for (let i = 0; ; i += 1) {
    const answer = await ask(token, addressOf(i));
    if (answer.status === 429 || i > 2 * limit) return answer;
  }
}

test.each([true, false])(
  'an address that asks too often waits; others, and other sites, do not (visitor host: %s)',
  async (visitorHost) => {
    server = await start({ perAddress: 5, perSite: 1000 }, visitorHost);
    const [one, two] = [await server.site(), await server.site()];
    const limited = await exceed(one.token, () => '203.0.113.1', 5);
    expect([limited.status, limited.json.data.code]).toEqual([429, 'rate_limited']);
    expect(Number(limited.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(limited.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(limited.headers['access-control-allow-origin']).toBe('*');
    expect((await ask(one.token, '203.0.113.2')).status).toBe(200);
    expect((await ask(two.token, '203.0.113.1')).status).toBe(200);
  },
);

test('a site that is asked too often waits as a whole; other sites do not', async () => {
  server = await start({ perAddress: 1000, perSite: 8 });
  const [one, two] = [await server.site(), await server.site()];
  expect((await exceed(one.token, (i) => `203.0.113.${i}`, 8)).status).toBe(429);
  expect((await ask(two.token, '203.0.113.1')).status).toBe(200);
});

test.each([true, false])(
  'a report of several decisions counts as so many requests (visitor host: %s)',
  async (visitorHost) => {
    server = await start({ perAddress: 60, perSite: 1000 }, visitorHost);
    const { client, token } = await server.site();
    const session_id = randomUUID();
    const one = () => ({ event_id: randomUUID(), session_id, decision: 'accept_all' });
    const report = async () => {
      const body = JSON.stringify({ ...one(), earlier: Array.from({ length: 19 }, one) });
      const headers = { 'Content-Type': 'application/json' };
      return (await raw(server.url, { method: 'POST', path: `/api/v/${token}/ce`, headers, body })).status;
    };
    const statuses = [];
    // Three to a window of a minute, which may begin anew in between.
    for (let i = 0; i < 8; i += 1) statuses.push(await report());
    const admitted = statuses.filter((status) => status === 202).length;
    expect(statuses).toContain(429);
    expect(admitted).toBeLessThanOrEqual(6);
    expect((await client.listConsents({ token, limit: 200 })).items).toHaveLength(admitted * 20);
  },
);

test.each([true, false])(
  'ten interactions with the banner count as a request (visitor host: %s)',
  async (visitorHost) => {
    server = await start({ perAddress: 30, perSite: 1000 }, visitorHost);
    const { token } = await server.site();
    const send = async (many: number) => {
      const event = { name: 'settings_opened', at: new Date().toISOString() };
      const body = JSON.stringify({ session_id: randomUUID(), events: Array(many).fill(event) });
      const headers = { 'Content-Type': 'application/json' };
      return (await raw(server.url, { method: 'POST', path: `/api/v/${token}/e`, headers, body })).status;
    };
    // What a page's visitor does is one request.
    expect(await send(9)).toBe(202);
    const statuses = [];
    // Two to a window of a minute, which may begin anew in between.
    for (let i = 0; i < 8; i += 1) statuses.push(await send(99));
    expect(statuses).toContain(429);
    expect(statuses.filter((status) => status === 202).length).toBeLessThanOrEqual(5);
  },
);

test.each([true, false])(
  'a visitor’s body counts as a request for each 4 KiB more (visitor host: %s)',
  async (visitorHost) => {
    server = await start({ perAddress: 32, perSite: 1000 }, visitorHost);
    const { client, token } = await server.site();
    const statement = (i: number) => ({ key: `k${i}`, text: 'x'.repeat(4_900), accepted: true });
    const body = JSON.stringify({
      form_id: 'large',
      form_url: 'https://shop.example.com/',
      subject: { external_id: 'somebody' },
      statements: Array.from({ length: 13 }, (_, i) => statement(i)),
    });
    const headers = { 'Content-Type': 'application/json' };
    const send = async () =>
      (await raw(server.url, { method: 'POST', path: `/api/form-consents/${token}`, headers, body })).status;
    const statuses = [];
    // Two to a window of a minute, which may begin anew in between.
    for (let i = 0; i < 6; i += 1) statuses.push(await send());
    expect(statuses).toContain(429);
    const admitted = statuses.filter((status) => status === 201).length;
    expect(admitted).toBeLessThanOrEqual(4);
    expect((await client.listFormConsents({ token })).items).toHaveLength(admitted);
  },
);

test('every visitor operation but a bundle’s files is limited, and stores nothing when it is', async () => {
  server = await start({ perAddress: 2, perSite: 1000 });
  const { client, token } = await server.site();
  await exceed(token, () => '127.0.0.1', 2);
  for (const operation of contract.operations.filter(
    ({ visitor, hasToken, file }) => visitor && hasToken && !file,
  )) {
    const request = exampleRequest(operation, { token });
    const headers = { ...request.headers, 'X-Forwarded-For': '127.0.0.1' };
    const statuses = [];
    for (let i = 0; i < 6; i += 1) statuses.push((await raw(server.url, { ...request, headers })).status);
    expect([operation.id, statuses.filter((status) => status === 429).length >= 2]).toEqual([
      operation.id,
      true,
    ]);
  }
  expect((await client.listConsents({ token })).items.length).toBeLessThan(13);
});

test.each([true, false])(
  'tokens that name no site are looked up until an address has sent too many (visitor host: %s)',
  async (visitorHost) => {
    server = await start({ perAddress: 4, perSite: 1000 }, visitorHost);
    const { sites } = server.service.context;
    const found = jest.spyOn(sites, 'find');
    const guess = (address: string) => ask(`env_${randomUUID().replaceAll('-', '').slice(0, 22)}`, address);
    const statuses = [];
    // More than two windows of a minute allow, so that one of them is certainly full.
    for (let i = 0; i < 20; i += 1) statuses.push((await guess('203.0.113.1')).status);
    expect(new Set(statuses)).toEqual(new Set([404, 429]));
    expect(found.mock.calls.length).toBeLessThanOrEqual(8);
    expect((await guess('203.0.113.2')).status).toBe(404);
    const { token } = await server.site();
    expect((await ask(token, '203.0.113.2')).status).toBe(200);
    // A site that the process knows is answered whoever else has guessed from there.
    expect((await ask(token, '203.0.113.1')).status).toBe(200);
  },
);

test('an account begins so many downloads, from however many addresses; what is refused leaves no entry', async () => {
  // A fifth of it: six.
  server = await start({ perAddress: 30, perSite: 1000 });
  const { client, token } = await server.site();
  const person = await server.person();
  await join({ client, token }, person, 'viewer');
  const { context } = server.service;
  const noted = () => context.db('audit_events').where({ kind: 'export' }).pluck('audit_id');
  const fetched = async (userId: number, i: number) =>
    fetchedBy((await context.tokens.issue(userId)).token, i);
  const fetchedBy = async (bearer: string, i: number) => {
    const headers = { Authorization: `Bearer ${bearer}`, 'X-Forwarded-For': `203.0.113.${i}` };
    return (await raw(server.url, { path: `/api/cookies/${token}/erasures/export`, headers })).status;
  };
  const statuses = [];
  // More than two windows of a minute allow.
  for (let i = 0; i < 15; i += 1) statuses.push(await fetched(person.userId, i));
  expect(statuses.slice(0, 6)).toEqual([200, 200, 200, 200, 200, 200]);
  expect(statuses).toContain(429);
  expect(await noted()).toHaveLength(statuses.filter((status) => status === 200).length);
  const owner = (await client.getMe()).id;
  expect(await fetched(owner, 1)).toBe(200);
  // Nor does a key use up what is its maker's.
  const { key } = await client.createKey({ body: { name: 'export', set: 'export', site: token } });
  const byKey = [];
  for (let i = 0; i < 15; i += 1) byKey.push(await fetchedBy(key, i));
  expect(byKey).toContain(429);
  expect(await fetched(owner, 2)).toBe(200);
});

test('public look-ups use up no login, invitation or scan, and none of these the others', async () => {
  server = await start({ perAddress: 3, perSite: 1000 });
  const headers = { 'X-Forwarded-For': '203.0.113.1', 'Content-Type': 'application/json' };
  const lookUp = () => raw(server.url, { path: '/api/public/verify/shop.example.com', headers });
  const post = (path: string, body: object) =>
    raw(server.url, { method: 'POST', path, headers, body: JSON.stringify(body) });
  const scan = () => post('/api/public/cookie-scan', { url: 'not a URL' });
  const login = () => post('/api/auth/console', { email: 'nobody@example.com', password: 'not the one' });
  const accept = () => post('/api/auth/accept-invitation', {});
  const untilLimited = async (ask: typeof lookUp, most: number) => {
    for (let i = 0; i <= most; i += 1) if ((await ask()).status === 429) return i;
    throw new Error(`not limited after ${most}`);
  };
  await untilLimited(lookUp, 8);
  expect([(await login()).status, (await accept()).status, (await scan()).status]).toEqual([401, 400, 400]);
  await untilLimited(scan, 12);
  await untilLimited(accept, 62);
  expect((await login()).status).toBe(401);
});

test('an owner’s body counts as a request for each 4 KiB more', async () => {
  server = await start({ perAddress: 8, perSite: 1000 });
  const { client, token, userId } = await server.site();
  const { token: bearer } = await server.service.context.tokens.issue(userId);
  const statement = (i: number) => ({ key: `k${i}`, text: 'x'.repeat(4_900), accepted: true });
  const body = JSON.stringify({
    form_id: 'large',
    form_url: 'https://shop.example.com/',
    subject: { external_id: 'somebody' },
    visitor: { address: '203.0.113.5' },
    statements: Array.from({ length: 13 }, (_, i) => statement(i)),
  });
  const headers = {
    ...{ 'Content-Type': 'application/json', Authorization: `Bearer ${bearer}` },
    'X-Forwarded-For': '203.0.113.9',
  };
  const path = `/api/cookies/${token}/form-consents`;
  const statuses = [];
  // Two of the forty requests of a window of a minute, which may begin anew in between.
  for (let i = 0; i < 6; i += 1)
    statuses.push((await raw(server.url, { method: 'POST', path, headers, body })).status);
  expect(statuses).toContain(429);
  const admitted = statuses.filter((status) => status === 201).length;
  expect(admitted).toBeLessThanOrEqual(4);
  expect((await client.listFormConsents({ token })).items).toHaveLength(admitted);
});

test('strangers use up no scans of people with a login', async () => {
  server = await start({ perAddress: 1000, perSite: 1000 });
  const { userId } = await server.person();
  const { token } = await server.service.context.tokens.issue(userId);
  const scan = (address: string, headers = {}) =>
    raw(server.url, {
      method: 'POST',
      path: '/api/public/cookie-scan',
      headers: { 'X-Forwarded-For': address, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({ url: 'not a URL' }),
    });
  const statuses = [];
  // More than two windows of a minute allow, so that one of them is certainly full.
  for (let i = 0; i < 210; i += 1) statuses.push((await scan(`10.0.0.${i}`)).status);
  expect(new Set(statuses)).toEqual(new Set([400, 429]));
  expect((await scan('10.0.1.1', { Authorization: `Bearer ${token}` })).status).toBe(400);
});

test('an owner’s requests are limited by address before the signature of a token is looked at', async () => {
  server = await start({ perAddress: 2, perSite: 1000 });
  const checked = jest.spyOn(server.service.context.tokens, 'check');
  const me = (address: string) =>
    raw(server.url, {
      path: '/api/me',
      headers: { 'X-Forwarded-For': address, Authorization: 'Bearer abc.def.ghi' },
    });
  const statuses = [];
  // Ten a minute here: more than two windows allow.
  for (let i = 0; i < 30; i += 1) statuses.push((await me(`2001:db8:7:7::${i.toString(16)}`)).status);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect(checked.mock.calls.length).toBeLessThanOrEqual(20);
  expect((await me('2001:db8:7:8::1')).status).toBe(401);
});

test('the logins of others, however many networks they come from, keep no owner out', async () => {
  server = await start({ perAddress: 1000, perSite: 1 });
  const statuses = [];
  for (let i = 0; i < 700; i += 1) {
    const { status } = await raw(server.url, {
      method: 'POST',
      path: '/api/auth/console',
      headers: { 'X-Forwarded-For': `10.0.${i >> 8}.${i & 255}`, 'Content-Type': 'application/json' },
      // Refused by the contract, so that no password is hashed; it is counted all the same.
      body: '{}',
    });
    statuses.push(status);
  }
  expect(new Set(statuses)).toEqual(new Set([400]));
});

test('visitors of one IPv6 network of 64 bits share a limit, an IPv4 address has one in each spelling', async () => {
  server = await start({ perAddress: 5, perSite: 1000 });
  const { token } = await server.site();
  expect((await exceed(token, (i) => `2001:db8:1:2::${i.toString(16)}`, 5)).status).toBe(429);
  expect((await ask(token, '2001:db8:1:3::1')).status).toBe(200);
  expect(
    (
      await exceed(
        token,
        (i) => ['203.0.113.9', '::ffff:203.0.113.9', '::ffff:cb00:7109'][i % 3] as string,
        5,
      )
    ).status,
  ).toBe(429);
  expect((await ask(token, '::ffff:203.0.113.10')).status).toBe(200);
});

test.each([true, false])(
  'requests of data subjects have a limit of their own by address and site (visitor host: %s)',
  async (visitorHost) => {
    server = await start({ perAddress: 1000, perSite: 1000 }, visitorHost);
    const [one, two] = [await server.site(), await server.site()];
    const submit = (token: string, address: string) =>
      raw(server.url, {
        method: 'POST',
        path: `/api/dsar/${token}`,
        headers: { 'X-Forwarded-For': address, 'Content-Type': 'application/json' },
        body: JSON.stringify({ request_type: 'access', email: `${randomUUID()}@example.com` }),
      });
    const statuses = [];
    for (let i = 0; i < 25; i += 1) statuses.push((await submit(one.token, '203.0.113.1')).status);
    expect(new Set(statuses)).toEqual(new Set([201, 429]));
    expect(statuses.filter((status) => status === 201).length).toBeLessThanOrEqual(20);
    expect((await submit(one.token, '203.0.113.2')).status).toBe(201);
    expect((await submit(two.token, '203.0.113.1')).status).toBe(201);
    expect((await ask(one.token, '203.0.113.1')).status).toBe(200);
  },
);

test('a port behind the address makes nobody a new client', async () => {
  server = await start({ perAddress: 3, perSite: 1000 });
  const { token } = await server.site();
  const statuses = [];
  for (let i = 0; i < 8; i += 1) statuses.push((await ask(token, `203.0.113.1:${4000 + i}`)).status);
  expect(statuses).toContain(429);
});

test('RATE_LIMIT=off sets no limit', async () => {
  server = await startServer({ limits: { perAddress: 1, perSite: 1 } });
  const { token } = await server.site();
  for (let i = 0; i < 5; i += 1) expect((await ask(token, '203.0.113.1')).status).toBe(200);
});

test.each(['/metrics', '/openapi.json', '/openapi.yaml'])(
  '%s is limited by address, too: a fifth of what a visitor may ask',
  async (path) => {
    server = await start({ perAddress: 10, perSite: 1000 });
    const read = (address: string) => raw(server.url, { path, headers: { 'X-Forwarded-For': address } });
    const statuses: number[] = [];
    // More often than two windows of a minute allow.
    for (let i = 0; i < 5; i += 1) statuses.push((await read('203.0.113.1')).status);
    expect(statuses[0]).toBe(200);
    expect(statuses).toContain(429);
    expect((await read('203.0.113.2')).status).toBe(200);
  },
);

test('what an address stores at all sites is counted together', async () => {
  server = await start({ perAddress: 3, perSite: 1000 });
  const operation = contract.operations.find(({ id }) => id === 'recordFormConsent') as Operation;
  const sites: string[] = [];
  for (let i = 0; i < 14; i += 1) sites.push((await server.site()).token);
  const send = async (token: string, address: string) => {
    const request = exampleRequest(operation, { token });
    return (
      await raw(server.url, { ...request, headers: { ...request.headers, 'X-Forwarded-For': address } })
    ).status;
  };
  const statuses: number[] = [];
  for (const token of sites) statuses.push(await send(token, '203.0.113.1'));
  // Six of each window of a minute, of which the test sees two at most.
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(2);
  expect(await send(sites[0] as string, '203.0.113.2')).toBe(201);
});
