import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createAvow } from '@avow/sdk';
import pino from 'pino';
import { raw } from '../helpers/http/raw';
import { startServer, type TestServer } from '../helpers/server';

const lines: string[] = [];
let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    variables: { RATE_LIMIT: 'on', TRUST_PROXY: '1' },
    limits: { perAddress: 40, perSite: 10_000 },
    log: pino({ level: 'info' }, { write: (line) => lines.push(line) }),
  });
});
afterAll(() => server?.stop());

const from = (network: string, n: number) => ({ 'X-Forwarded-For': `${network}.${n}` });

test('requests that store nothing use up nothing of what others may send to a site', async () => {
  const { token } = await server.site();
  const empty = async (n: number) =>
    (
      await raw(server.url, {
        method: 'POST',
        path: `/api/dsar/${token}`,
        headers: { ...from('203.0.113', n), 'Content-Type': 'application/json' },
        body: '{}',
      })
    ).status;
  const statuses = new Set<number>();
  // More than the site's limit of this operation, and less than the limit of any address.
  for (let n = 1; n <= 60; n += 1) for (let i = 0; i < 5; i += 1) statuses.add(await empty(n));
  expect([...statuses]).toEqual([400]);
  const stranger = createAvow({ baseUrl: server.url, retries: 0 });
  const body = { request_type: 'access', email: 'a@visitor.example' } as const;
  const { request_id } = await stranger.submitDsar({ token, body }, { headers: from('198.51.100', 1) });
  expect(request_id).toMatch(/^[0-9a-f-]{36}$/);
});

test('an account with a login has a limit of its own, from however many addresses its requests come', async () => {
  const [{ userId }, other] = [await server.person(), await server.person()];
  const { token } = await server.service.context.tokens.issue(userId);
  const ask = async (bearer: string, n: number) =>
    (
      await raw(server.url, {
        path: '/api/me',
        headers: { Authorization: `Bearer ${bearer}`, ...from('203.0.113', n) },
      })
    ).status;
  const statuses: number[] = [];
  for (let n = 0; n <= 200; n += 1) statuses.push(await ask(token, n % 250));
  expect(statuses).toEqual([...Array<number>(200).fill(200), 429]);
  const others = await server.service.context.tokens.issue(other.userId);
  expect(await ask(others.token, 1)).toBe(200);
});

test('a form of a mailed page that is broken off is no outage of the database', async () => {
  const { token } = await server.site();
  const path = `/mail/verify/${token}/${randomUUID()}/${'x'.repeat(32)}`;
  lines.length = 0;
  for (let n = 0; n < 3; n += 1) {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 20\r\n\r\nab`,
    );
    await delay(50);
    socket.resetAndDestroy();
  }
  // After the last of them, so that they have been told of if they ever are.
  for (let n = 0; n < 20; n += 1) {
    await delay(20);
    await raw(server.url, { path: '/healthz' });
  }
  expect(lines.filter((line) => /unreachable|cannot be reached/.test(line))).toEqual([]);
});

describe('limits by the day', () => {
  let small: TestServer;
  beforeAll(async () => {
    const limits = { perAddress: 600, perSite: 10_000, perDay: 12 };
    small = await startServer({ variables: { RATE_LIMIT: 'on', TRUST_PROXY: '1' }, limits });
  });
  afterAll(() => small?.stop());

  const set = ({ client, token }: Awaited<ReturnType<TestServer['site']>>, n: number) =>
    client.setSiteSystems({ token, body: { systems: [{ name: `Shop ${n}` }] } });

  test('what a login does to a site ends, because nobody can delete what the audit trail tells', async () => {
    const [site, next] = [await small.site(), await small.site()];
    const { client, token } = site;
    const key = await client.createKey({ body: { name: 'Program', scopes: ['dsar:write'], site: token } });
    // What is refused or changes nothing costs nothing.
    const unknown = { token, request_id: randomUUID(), body: { text: 'A comment' } };
    for (let n = 1; n <= 15; n += 1)
      await expect(client.addDsarComment(unknown)).rejects.toMatchObject({ status: 404 });
    const keyed = { headers: { 'Idempotency-Key': randomUUID() } };
    const text = { name: 'Access', request_type: 'access' as const, language: 'en', text: 'Here it is.' };
    const template = { token, body: text };
    const made = await client.createAnswerTemplate(template, keyed);
    for (let n = 2; n <= 12; n += 1) await set(site, n);
    const refused = { status: 429, message: expect.stringContaining('24 hours') };
    await expect(set(site, 13)).rejects.toMatchObject(refused);
    const other = { headers: { 'Idempotency-Key': randomUUID() } };
    await expect(client.createAnswerTemplate(template, other)).rejects.toMatchObject(refused);
    await expect(client.generateBundle({ token })).rejects.toMatchObject(refused);
    const invited = { email: 'new@member.example', name: 'New', role: 'viewer' as const };
    await expect(client.addMember({ token, body: invited })).rejects.toMatchObject(refused);
    // A repetition changes nothing.
    expect(await client.createAnswerTemplate(template, keyed)).toEqual(made);
    const { systems } = await client.getSiteSystems({ token });
    expect(systems.map(({ name }) => name)).toEqual(['Shop 12']);
    expect(await set(next, 1)).toBeDefined();
    const program = createAvow({ baseUrl: small.url, retries: 0, token: key.key });
    expect(await program.setSiteSystems({ token, body: { systems: [] } })).toBeDefined();
    // A site can always be paused; to take that back counts, and so does what comes with it.
    const change = (body: { status: 'active' | 'paused'; name?: string }) =>
      client.updateEnvironment({ token, body });
    await expect(change({ status: 'paused', name: 'Other' })).rejects.toMatchObject(refused);
    expect(await change({ status: 'paused' })).toMatchObject({ status: 'paused' });
    await expect(change({ status: 'active' })).rejects.toMatchObject(refused);
    // What its owner needs against whoever stole the login.
    await client.revokeKey({ key_id: key.key_id });
    await client.endOtherSessions({});
  });

  test('what strangers store at a site ends for one network, and for no other', async () => {
    const { token } = await small.site();
    const stranger = createAvow({ baseUrl: small.url, retries: 0 });
    const send = (address: string, n: number, detail?: string) =>
      stranger.submitDsar(
        {
          token,
          body: {
            request_type: 'access',
            email: `v${n}@visitor.example`,
            ...(detail === undefined ? {} : { message: detail }),
          },
        },
        { headers: { 'X-Forwarded-For': address } },
      );
    // Two requests that count by their size as six each.
    for (let n = 1; n <= 2; n += 1) await send(`2001:db8:1:${n}::1`, n, '語'.repeat(7_000));
    await expect(send('2001:db8:1:9::1', 3)).rejects.toMatchObject({ status: 429 });
    expect((await send('2001:db8:2:1::1', 4)).request_id).toBeDefined();
    expect((await send('203.0.113.8', 5)).request_id).toBeDefined();
  });
});
