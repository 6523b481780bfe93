import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { waitingForLocks } from '../helpers/cluster/instruments';
import { cloneDatabase } from '../helpers/database';
import { childrenOf, runs, ServerProcess } from '../helpers/processes/child';
import { missing } from '../helpers/processes/evidence';
import { type Answer, endAll, send } from '../helpers/processes/load';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-faults-'));
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let settings: Record<string, string>;

beforeAll(async () => {
  database = await cloneDatabase();
  settings = { DATABASE_URL: database.url, DATA_DIR: folder, DEMO: 'on', WORKERS: '2' };
});

afterAll(async () => {
  await endAll();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const log = (agent: Agent, server: ServerProcess, token: string): Promise<Answer> =>
  send(agent, 'POST', `${server.url}/api/consents/${token}/log`, {
    session_id: randomUUID(),
    decision: 'accept_all',
  });

/** Requests that wait for a lock on both processes, and what ends it. */
async function heldUp(server: ServerProcess, token: string) {
  const lock = new pg.Client({ connectionString: database.url });
  await lock.connect();
  await lock.query('BEGIN; LOCK TABLE session_choices IN ACCESS EXCLUSIVE MODE');
  const agent = new Agent({ keepAlive: true });
  const answers = Promise.allSettled(Array.from({ length: 8 }, () => log(agent, server, token)));
  await until('both processes wait for the lock', async () => {
    return (await waitingForLocks(database.url)) >= 2;
  });
  return {
    release: async () => {
      await lock.query('ROLLBACK');
      await lock.end();
      const settled = await answers;
      agent.destroy();
      return settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason));
    },
  };
}

const idsOf = (answers: Answer[]): string[] => answers.map(({ text }) => JSON.parse(text).data.consent_id);

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s: what is in flight in every process is answered',
  async (signal) => {
    const server = await ServerProcess.start(settings);
    const held = await heldUp(server, await server.demoToken());
    const ended = server.kill(signal);
    await until('both are stopping', async () => (await server.readiness()) !== 200);
    const answers = await held.release();
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect(await missing(database.url, idsOf(answers))).toEqual([]);
    expect(await ended).toEqual({ code: 0, signal: null });
  },
);

test('kill -9 of the first process: the others answer what they have and end, and the next start works', async () => {
  const server = await ServerProcess.start({ ...settings, LOG_LEVEL: 'info' });
  const token = await server.demoToken();
  const others = childrenOf(server.pid);
  expect(others).toHaveLength(2);
  const held = await heldUp(server, token);
  process.kill(server.pid, 'SIGKILL');
  await until('both are told', () => server.log().filter(({ msg }) => msg === 'stopping').length === 2);
  expect(others.every(runs)).toBe(true);
  const answers = await held.release();
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
  expect(await missing(database.url, idsOf(answers))).toEqual([]);
  // The pipes close when the last process that writes to them has ended.
  expect(await server.ended).toEqual({ code: null, signal: 'SIGKILL' });
  await until('nothing is left', () => !others.some(runs));
  const next = await ServerProcess.start(settings, server.port);
  const agent = new Agent();
  expect((await log(agent, next, token)).status).toBe(201);
  expect(await next.kill()).toEqual({ code: 0, signal: null });
});

test('kill -9 of another process: it is replaced, and no new connection is refused meanwhile', async () => {
  const server = await ServerProcess.start(settings);
  const token = await server.demoToken();
  const [victim] = childrenOf(server.pid) as [number];
  const seen: Record<string, number> = {};
  let stopping = false;
  const visits = Array.from({ length: 8 }, async () => {
    while (!stopping) {
      const agent = new Agent({ keepAlive: false });
      const result = await log(agent, server, token).then(
        ({ status }) => String(status),
        ({ code, name }: NodeJS.ErrnoException) => code ?? name,
      );
      seen[result] = (seen[result] ?? 0) + 1;
    }
  });
  await until('they are answered', () => (seen['201'] ?? 0) > 100);
  process.kill(victim, 'SIGKILL');
  await until('another one is there', () => {
    const now = childrenOf(server.pid);
    return now.length === 2 && !now.includes(victim);
  });
  const count = seen['201'] ?? 0;
  await until('they are answered still', () => (seen['201'] ?? 0) > count + 200);
  stopping = true;
  await Promise.all(visits);
  const { 201: answered = 0, ECONNRESET = 0, ABORT_ERR = 0, TimeoutError = 0, ...others } = seen;
  expect(others).toEqual({});
  expect(answered).toBeGreaterThan(300);
  // What the killed process had in its hands: a request of each visitor, at most.
  expect(ECONNRESET + ABORT_ERR + TimeoutError).toBeLessThanOrEqual(8);
  expect(await server.kill()).toEqual({ code: 0, signal: null });
});
