import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cloneDatabase } from '../helpers/database';
import { Balancer } from '../helpers/processes/balancer';
import { freePort, ServerProcess } from '../helpers/processes/child';
import { miscounted, missing } from '../helpers/processes/evidence';
import { type Answer, endAll, Load, send } from '../helpers/processes/load';
import { until } from '../helpers/until';

jest.setTimeout(120_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-faults-'));
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let variables: Record<string, string>;

beforeAll(async () => {
  database = await cloneDatabase();
  variables = { DATABASE_URL: database.url, DATA_DIR: folder, DEMO: 'on', LOG_LEVEL: 'info' };
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

test.each([1, 2])(
  'WORKERS=%i: two servers behind a TCP balancer are restarted in turn, and not one request fails',
  async (workers) => {
    const ports = [await freePort(), await freePort()] as const;
    const settings = { ...variables, WORKERS: String(workers), DRAIN_SECONDS: '3', LOG_LEVEL: 'warn' };
    const servers = await Promise.all(ports.map((port) => ServerProcess.start(settings, port)));
    const token = await (servers[0] as ServerProcess).demoToken();
    const balancer = await Balancer.before(ports);
    const urls = () => [balancer.url];
    const kept = new Load({ urls, token, connections: 24 });
    // New connections all the time: some are led to a process before its balancer has noticed.
    const fresh = new Load({ urls, token, connections: 4, keepAlive: false });
    for (const [n, port] of ports.entries()) {
      const count = kept.seen.acknowledged.length;
      await until('the load runs', () => kept.seen.acknowledged.length > count + 500);
      expect(await (servers[n] as ServerProcess).kill('SIGTERM')).toEqual({ code: 0, signal: null });
      servers[n] = await ServerProcess.start(settings, port);
      await until('the balancer has noticed', () => balancer.isReady(port));
      const led = balancer.led.get(port) ?? 0;
      await until('the new process is used', () => (balancer.led.get(port) ?? 0) > led + 5);
    }
    const seen = [await kept.stop(), await fresh.stop()];
    await balancer.close();
    for (const { statuses, broken, faults } of seen) {
      expect({ statuses: Object.keys(statuses), broken, faults }).toEqual({
        statuses: ['201'],
        broken: 0,
        faults: [],
      });
    }
    const acknowledged = seen.flatMap((one) => one.acknowledged);
    expect(await missing(database.url, acknowledged)).toEqual([]);
    expect(await miscounted(database.url, token)).toEqual([]);
    await Promise.all(servers.map((server) => server.kill('SIGINT')));
  },
);

test('during the drain /readyz is 503 and connections are kept, new ones too; then they are ended', async () => {
  const server = await ServerProcess.start({ ...variables, DRAIN_SECONDS: '3' });
  const token = await server.demoToken();
  const old = new Agent({ keepAlive: true, maxSockets: 1 });
  await log(old, server, token);
  const ended = server.kill('SIGTERM');
  await until('the process is not ready', async () => (await server.readiness()) === 503);
  const later = new Agent({ keepAlive: true, maxSockets: 1 });
  for (const agent of [old, later, old, later]) {
    const { status, headers } = await log(agent, server, token);
    expect([status, headers.connection]).toEqual([201, 'keep-alive']);
  }
  for (const agent of [old, later]) {
    const last = await until('an answer ends the connection', async () => {
      const { status, headers } = await log(agent, server, token);
      return headers.connection === 'close' && status;
    });
    expect(last).toBe(201);
    agent.destroy();
  }
  expect(await ended).toEqual({ code: 0, signal: null });
});

test.each(['1', '2'])(
  'WORKERS=%s: Ctrl-C waits for no balancer, and neither does one in the middle of a drain',
  async (WORKERS) => {
    // Longer than this test may take.
    const settings = { ...variables, WORKERS, DRAIN_SECONDS: '60' };
    const atOnce = await ServerProcess.start(settings);
    expect(await atOnce.kill('SIGINT')).toEqual({ code: 0, signal: null });
    const drained = await ServerProcess.start(settings);
    const ended = drained.kill('SIGTERM');
    await until('the process is not ready', async () => (await drained.readiness()) === 503);
    drained.process.kill('SIGINT');
    expect(await ended).toEqual({ code: 0, signal: null });
    const processes = drained.log().filter(({ msg }) => msg === 'stopping');
    expect(processes).toHaveLength(WORKERS === '1' ? 1 : 3);
  },
  50_000,
);

test('a process that was never ready does not drain', async () => {
  const server = new ServerProcess(await freePort(), { ...variables, DRAIN_SECONDS: '60' });
  await until('it listens', async () => (await server.readiness()) !== undefined);
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
}, 50_000);
