import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyDatabase } from '../helpers/database';
import { freePort, ServerProcess } from '../helpers/processes/child';
import { miscounted, missing, outdatedChoices, query } from '../helpers/processes/evidence';
import { endAll, Load, send } from '../helpers/processes/load';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-faults-'));
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
let database: Awaited<ReturnType<typeof emptyDatabase>>;
let servers: ServerProcess[];
let token: string;

beforeAll(async () => {
  database = await emptyDatabase();
});

afterAll(async () => {
  agent.destroy();
  await endAll();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

test('two processes start at once on an empty database: one demo site, one set-up link that works', async () => {
  const variables = { DATABASE_URL: database.url, DATA_DIR: folder, DEMO: 'on', LOG_LEVEL: 'warn' };
  const ports = [await freePort(), await freePort()];
  servers = ports.map((port) => new ServerProcess(port, variables));
  // Whoever comes too early is told so.
  const early = await until('the first process listens', async () => {
    const sent = send(
      agent,
      'GET',
      `${servers[0]?.url}/api/preferences/env_${'0'.repeat(22)}?session_id=${randomUUID()}`,
    );
    return sent.catch(() => undefined);
  });
  expect([404, 503]).toContain(early.status);
  await Promise.all(servers.map((server) => server.ready()));
  const tokens = await Promise.all(servers.map((server) => server.demoToken()));
  expect(new Set(tokens).size).toBe(1);
  token = tokens[0] as string;
  expect(await query(database.url, 'SELECT token FROM environments')).toEqual([{ token }]);
  expect(await query(database.url, 'SELECT count(*)::int AS n FROM invitations')).toEqual([{ n: 1 }]);
  expect(servers.map(({ errors }) => errors)).toEqual(['', '']);
});

test('64 first visitors at once over both processes: every decision stored and counted once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 64 }, (_, n) =>
      send(agent, 'POST', `${servers[n % 2]?.url}/api/consents/${token}/log`, {
        session_id: randomUUID(),
        decision: n % 3 === 0 ? 'reject_all' : 'accept_all',
      }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(64).fill(201));
  const ids = answers.map(({ text }) => JSON.parse(text).data.consent_id as string);
  expect(await missing(database.url, ids)).toEqual([]);
  expect(await query(database.url, 'SELECT count(*)::int AS n FROM consents')).toEqual([{ n: 64 }]);
  expect(await miscounted(database.url, token)).toEqual([]);
});

test('the same sessions and keys under load on both: no deadlock, each key counts once, counts exact', async () => {
  const sessions = Array.from({ length: 20 }, () => randomUUID());
  const urls = () => servers.map(({ url }) => url);
  // Requests 4n to 4n+3 have one key and one body, and two of them go to each process.
  const keyed = Array.from({ length: 400 }, (_, n) => ({
    url: `${servers[n % 2]?.url}/api/consents/${token}/log`,
    body: { session_id: sessions[Math.floor(n / 4) % sessions.length], decision: 'accept_all' },
    key: `key-${Math.floor(n / 4)}`,
  }));
  const load = new Load({ urls, token, sessions, connections: 24 });
  const answers = await Promise.all(
    keyed.map(({ url, body, key }) => send(agent, 'POST', url, body, { 'Idempotency-Key': key })),
  );
  await until('the load has done something', () => load.seen.acknowledged.length > 1_000);
  const seen = await load.stop();
  // Of the start there may be probes that were answered "not ready".
  const told = servers.flatMap((server) => server.log());
  expect(told.filter(({ msg, operation }) => msg !== 'request' && operation !== 'readyz')).toEqual([]);
  expect(seen.faults).toEqual([]);
  expect(Object.keys(seen.statuses)).toEqual(['201']);
  expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
  const byKey = new Map<string, Set<string>>();
  for (const [n, { text }] of answers.entries()) {
    const key = `key-${Math.floor(n / 4)}`;
    byKey.set(key, (byKey.get(key) ?? new Set()).add(JSON.parse(text).data.consent_id));
  }
  expect([...byKey.values()].map(({ size }) => size)).toEqual(Array(100).fill(1));
  const [{ n } = { n: 0 }] = await query<{ n: number }>(
    database.url,
    'SELECT count(*)::int AS n FROM consents',
  );
  expect(n).toBe(64 + 100 + seen.acknowledged.length);
  expect(await missing(database.url, seen.acknowledged)).toEqual([]);
  expect(await miscounted(database.url, token)).toEqual([]);
  expect(await outdatedChoices(database.url, token)).toEqual([]);
  const [deadlocks] = await query(
    database.url,
    'SELECT deadlocks::int AS n FROM pg_stat_database WHERE datname = current_database()',
  );
  expect(deadlocks).toEqual({ n: 0 });
  for (const server of servers) {
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  }
});

test('a key that was used for another body is refused by the other process too', async () => {
  const variables = { DATABASE_URL: database.url, DATA_DIR: folder };
  servers = await Promise.all([ServerProcess.start(variables), ServerProcess.start(variables)]);
  const body = { session_id: randomUUID(), decision: 'accept_all' };
  const [first, second] = servers.map(({ url }) => `${url}/api/consents/${token}/log`) as [string, string];
  const key = { 'Idempotency-Key': 'across' };
  expect((await send(agent, 'POST', first, body, key)).status).toBe(201);
  expect((await send(agent, 'POST', second, { ...body, decision: 'reject_all' }, key)).status).toBe(409);
  expect((await send(agent, 'POST', second, body, key)).status).toBe(201);
});
