import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { waitingForLocks } from '../helpers/cluster/instruments';
import { cloneDatabase } from '../helpers/database';
import { childrenOf, freePort, ServerProcess } from '../helpers/processes/child';
import { miscounted, missing, outdatedChoices, query } from '../helpers/processes/evidence';
import { type Answer, endAll, Load, send } from '../helpers/processes/load';
import { until } from '../helpers/until';

jest.setTimeout(90_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-faults-'));
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let variables: Record<string, string>;

beforeAll(async () => {
  database = await cloneDatabase();
  variables = { DATABASE_URL: database.url, DATA_DIR: folder, DEMO: 'on' };
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

test('SIGTERM under load: everything acknowledged is there, and the process ends soon with 0', async () => {
  const server = await ServerProcess.start(variables);
  const token = await server.demoToken();
  const load = new Load({ urls: () => [server.url], token, connections: 32 });
  await until('the load runs', () => load.seen.acknowledged.length > 500);
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  const seen = await load.stop();
  expect(seen.faults).toEqual([]);
  expect(await missing(database.url, seen.acknowledged)).toEqual([]);
  expect(await miscounted(database.url, token)).toEqual([]);
});

test('SIGTERM: a request in flight is finished, and nobody is sent to the process any more', async () => {
  const server = await ServerProcess.start(variables);
  const token = await server.demoToken();
  const agent = new Agent({ keepAlive: true });
  expect((await log(agent, server, token)).status).toBe(201);
  const lock = new pg.Client({ connectionString: database.url });
  await lock.connect();
  await lock.query('BEGIN; LOCK TABLE session_choices IN ACCESS EXCLUSIVE MODE');
  const inFlight = log(agent, server, token);
  await until('the request waits for the lock', async () => {
    return (await waitingForLocks(database.url)) > 0;
  });
  const ended = server.kill('SIGTERM');
  await until('the process is not ready', async () => (await server.readiness()) !== 200);
  expect(server.running).toBe(true);
  await lock.query('ROLLBACK');
  await lock.end();
  const answer = await inFlight;
  expect(answer.status).toBe(201);
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(await missing(database.url, [JSON.parse(answer.text).data.consent_id])).toEqual([]);
  agent.destroy();
});

/** What a client saw that keeps its connection for as long as it is told nothing else. */
interface Visit {
  answers: number;
  /** Whether the last answer said that the connection ends. */
  told: boolean;
  lost: string | undefined;
}

/** Asks again and again on one connection, until an answer ends it. */
async function visitUntilTold(server: ServerProcess, token: string): Promise<Visit> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const visit: Visit = { answers: 0, told: false, lost: undefined };
  while (!visit.told && visit.lost === undefined) {
    await log(agent, server, token).then(
      ({ status, headers }) => {
        if (status !== 201) visit.lost = `status ${status}`;
        visit.answers += 1;
        visit.told = headers.connection === 'close';
      },
      (error: NodeJS.ErrnoException) => {
        visit.lost = error.code ?? error.message;
      },
    );
  }
  agent.destroy();
  return visit;
}

test('SIGTERM on 192 busy connections: every one is told to go elsewhere, and not a single request is lost', async () => {
  const server = await ServerProcess.start(variables);
  const token = await server.demoToken();
  const visits = Array.from({ length: 192 }, () => visitUntilTold(server, token));
  const stored = async (): Promise<number> =>
    (await query<{ n: number }>(database.url, 'SELECT count(*)::int AS n FROM consents'))[0]?.n ?? 0;
  const before = await stored();
  await until('all of them are busy', async () => (await stored()) > before + 2_000);
  const ended = server.kill('SIGTERM');
  const seen = await Promise.all(visits);
  expect(seen.filter(({ lost }) => lost !== undefined)).toEqual([]);
  expect(seen.every(({ told, answers }) => told && answers > 1)).toBe(true);
  expect(await ended).toEqual({ code: 0, signal: null });
});

test('SIGTERM: idle connections, and those that never asked anything, do not hold it up', async () => {
  const server = await ServerProcess.start({ ...variables, DRAIN_SECONDS: '0' });
  const token = await server.demoToken();
  const agent = new Agent({ keepAlive: true });
  await Promise.all(Array.from({ length: 20 }, () => log(agent, server, token)));
  const silent = await Promise.all(
    Array.from(
      { length: 5 },
      () =>
        new Promise<Socket>((resolve) => {
          const socket = connect(server.port, '127.0.0.1', () => resolve(socket));
          // A connection that is cut while it says nothing may end with a reset.
          socket.on('error', () => undefined);
        }),
    ),
  );
  // As a browser that connects before it knows what to ask. Grace for requests in flight is longer than this
  // test may take.
  const ends = silent.map((socket) => new Promise((resolve) => socket.once('close', resolve).resume()));
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  await Promise.all(ends);
  expect(server.log().some(({ level }) => level === 'error')).toBe(false);
  agent.destroy();
}, 18_000);

test('SIGTERM on the way up ends the process with 0, without a word of failure', async () => {
  const server = new ServerProcess(await freePort(), variables);
  await until('it listens', async () => (await server.readiness()) !== undefined);
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(server.errors).toBe('');
});

describe('WORKERS=2', () => {
  let server: ServerProcess;
  let token: string;
  let metricsPort: number;

  beforeAll(async () => {
    metricsPort = await freePort();
    const ports = { HOST: '0.0.0.0', METRICS_PORT: String(metricsPort) };
    server = await ServerProcess.start({ ...variables, ...ports, WORKERS: '2' });
    token = await server.demoToken();
  });

  const workers = (): number[] => childrenOf(server.pid);

  const metric = async (name: string): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const values = text.split('\n').filter((line) => line.startsWith(name));
    return values.reduce((sum, line) => sum + Number(line.split(' ').pop()), 0);
  };

  test('metrics are those of all processes, on a port of their own only', async () => {
    const agent = new Agent({ keepAlive: false });
    const before = await metric('avow_http_requests_total{operation="logConsent",status="201"}');
    const answers = await Promise.all(Array.from({ length: 40 }, () => log(agent, server, token)));
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    await until('all 40 are counted', async () => {
      return (await metric('avow_http_requests_total{operation="logConsent",status="201"}')) === before + 40;
    });
    expect(await metric('avow_ingest_entries_total')).toBeGreaterThanOrEqual(40);
    // The first process and both others.
    expect(await metric('process_resident_memory_bytes')).toBeGreaterThan(150 * 1024 * 1024);
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  });

  test('the metrics have one address of this machine, whatever HOST is', async () => {
    // Another one of Linux's own; elsewhere nobody has it.
    const others = fetch(`http://127.0.0.2:${metricsPort}/metrics`);
    await expect(others).rejects.toMatchObject({ cause: { code: expect.stringMatching(/^E/) } });
  });

  test('a killed process is replaced under load, and nothing acknowledged is lost', async () => {
    const before = workers();
    expect(before).toHaveLength(2);
    const load = new Load({ urls: () => [server.url], token });
    await until('the load runs', () => load.seen.acknowledged.length > 300);
    process.kill(before[0] as number, 'SIGKILL');
    await until('another one is there', () => {
      const now = workers();
      return now.length === 2 && !now.includes(before[0] as number);
    });
    const count = load.seen.acknowledged.length;
    await until('decisions are acknowledged', () => load.seen.acknowledged.length > count + 300);
    await until('both are counted', async () => (await metric('avow_ingest_commits_total')) > 0);
    const seen = await load.stop();
    // A connection that was on its way to the killed process is never answered: the client gives up.
    expect(seen.faults.filter((fault) => !fault.startsWith('AbortError'))).toEqual([]);
    expect(await missing(database.url, seen.acknowledged)).toEqual([]);
    expect(server.log().map(({ msg }) => msg)).toContain('a process died; another one is started');
  });

  test('SIGTERM under load ends all of them: 0, and nothing acknowledged is lost', async () => {
    const pids = workers();
    const load = new Load({ urls: () => [server.url], token, connections: 32 });
    await until('the load runs', () => load.seen.acknowledged.length > 300);
    expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    const seen = await load.stop();
    expect(seen.faults).toEqual([]);
    expect(await missing(database.url, seen.acknowledged)).toEqual([]);
    expect(await miscounted(database.url, token)).toEqual([]);
    expect(await outdatedChoices(database.url, token)).toEqual([]);
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });
});

test('a port chosen freely is the same for all processes, and the welcome and its set-up link name it', async () => {
  const server = new ServerProcess(0, { ...variables, WORKERS: '2' });
  const port = await until('the welcome', () => /ready at http:\/\/localhost:(\d+)/.exec(server.output)?.[1]);
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  expect(new URL(await server.setupLink()).port).toBe(port);
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});
