import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addTrigger, runOnNodes } from '../helpers/cluster/instruments';
import { notOnCluster } from '../helpers/cluster/skip';
import { cloneDatabase, onCluster } from '../helpers/database';
import { ServerProcess } from '../helpers/processes/child';
import { endAll, send } from '../helpers/processes/load';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-faults-'));
const agent = new Agent({ keepAlive: true, maxSockets: 50 });
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let server: ServerProcess;
let token: string;

beforeEach(async () => {
  database = await cloneDatabase();
  server = await ServerProcess.start({
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    DEMO: 'on',
    LOG_LEVEL: 'info',
  });
  token = await server.demoToken();
});
afterEach(async () => {
  await endAll();
  await database.drop();
});
afterAll(() => {
  agent.destroy();
  rmSync(folder, { recursive: true, force: true });
});

/** So many decisions; the statuses of their answers. */
async function decide(n: number): Promise<number[]> {
  const answers = await Promise.all(
    Array.from({ length: n }, () =>
      send(agent, 'POST', `${server.url}/api/consents/${token}/log`, {
        session_id: randomUUID(),
        decision: 'accept_all',
      }),
    ),
  );
  for (const { status, headers } of answers) if (status === 503) expect(headers['retry-after']).toBeDefined();
  return [...new Set(answers.map(({ status }) => status))];
}

async function readiness(): Promise<{ status: number; reason?: string }> {
  const response = await fetch(`${server.url}/readyz`);
  const { reason } = (await response.json()) as { reason?: string };
  return { status: response.status, ...(reason === undefined ? {} : { reason }) };
}

/** Every decision is refused with this code, as by a full disk. */
const refuse = (code: string): Promise<() => Promise<void>> =>
  addTrigger(database.url, {
    ...{ name: 'refuse', table: 'consents', event: 'BEFORE INSERT' },
    body: `RAISE EXCEPTION 'could not extend file "base/5/16384": No space left on device' USING ERRCODE = '${code}';`,
  });

test('a full disk: /readyz says so, and the log says it once in words, then only how often', async () => {
  expect(await decide(5)).toEqual([201]);
  expect(await readiness()).toEqual({ status: 200 });
  const mend = await refuse('53100');
  expect(await decide(300)).toEqual([503]);
  // On a cluster it is a node's, and other sites are served.
  const full = onCluster() ? { status: 200 } : { status: 503, reason: "the database's disk is full" };
  expect(await readiness()).toEqual(full);
  await mend();
  await until('the server is ready again', async () => (await readiness()).status === 200);
  expect(await decide(5)).toEqual([201]);
  expect(await server.kill()).toEqual({ code: 0, signal: null });
  const lines = server.log();
  const told = lines.filter(({ outage, msg }) => outage !== undefined || /disk/.test(String(msg)));
  const cause = "the database's disk is full: free some space or enlarge it";
  const [first, ...later] = told;
  const words = onCluster() ? expect.stringContaining(`is not accepting writes: ${cause}`) : cause;
  expect(first).toMatchObject({ level: 'error', outage: 'disk full', msg: words });
  const still = later.filter(({ level }) => level === 'error');
  expect(new Set(still.map(({ msg }) => msg)).size).toBe(1);
  expect(still[0]?.msg).toEqual(expect.stringMatching(/^still: .*free some space or enlarge it$/));
  const sum = (some: Record<string, unknown>[]): number =>
    some.reduce((total, { failures }) => total + Number(failures), 0);
  expect(sum(still)).toBe(299);
  // Neither does each request write a line; each is counted.
  const refused = lines.filter(({ operation, status }) => operation === 'logConsent' && status === 503);
  expect(refused.filter(({ msg }) => msg === 'request')).toHaveLength(1);
  expect(sum(refused.filter(({ msg }) => msg === 'still: requests are answered with 503'))).toBe(299);
  expect(lines.filter(({ msg, status }) => msg === 'request' && status === 201)).toHaveLength(10);
  // Nothing of the database's files.
  expect(server.output).not.toContain('base/5');
});

const onPlain = notOnCluster('a node that takes no writes stops its own sites only: see test/cluster/nodes');
onPlain(
  'a read-only database without a visitor: /readyz finds out by itself, and again when it is over',
  async () => {
    expect(await readiness()).toEqual({ status: 200 });
    await runOnNodes(database.url, [
      `ALTER DATABASE ${database.name} SET default_transaction_read_only = on`,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    ]);
    await until('it says so', async () => (await readiness()).reason === 'the database is read-only');
    expect(await decide(3)).toEqual([503]);
    await runOnNodes(database.url, [
      'SET default_transaction_read_only = off',
      `ALTER DATABASE ${database.name} RESET default_transaction_read_only`,
    ]);
    await until('the server is ready again', async () => (await readiness()).status === 200);
    await until('decisions are stored', async () => (await decide(1))[0] === 201);
  },
);

test.each([
  ['42501', 'permission denied'],
  ['53200', 'out of memory'],
  ['28P01', 'login refused'],
])('what no retry mends is no 500, and is told in words: %s', async (code, outage) => {
  await refuse(code);
  expect(await decide(20)).toEqual([503]);
  const told = await until('it is told', () => {
    const lines = server.log().filter((line) => line.outage === outage);
    return lines.length > 0 ? lines : undefined;
  });
  expect(told).toHaveLength(1);
});
