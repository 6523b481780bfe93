import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRunning } from '../../server/src/db/embedded';
import { readPidFile } from '../../server/src/db/embedded/postmaster';
import { processesIn } from '../../server/src/db/embedded/processes';
import { skipOnCluster } from '../helpers/cluster/skip';
import { ServerProcess } from '../helpers/processes/child';
import { miscounted, missing, outdatedChoices } from '../helpers/processes/evidence';
import { endAll, Load, send } from '../helpers/processes/load';
import { until } from '../helpers/until';

skipOnCluster('it ends the embedded PostgreSQL, which is one server; test/cluster ends nodes');

jest.setTimeout(120_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-faults-'));
const cluster = join(folder, 'postgres');
const agent = new Agent({ keepAlive: true });
let server: ServerProcess;
let token: string;

beforeAll(async () => {
  server = await ServerProcess.start({ DATA_DIR: folder });
  token = await server.demoToken();
});

afterAll(async () => {
  agent.destroy();
  await endAll();
  for (const pid of processesIn(cluster)) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

/** Ends the postmaster as a crash, as pg_ctl stop -m fast and as pg_ctl stop -m immediate do. */
test.each(['SIGKILL', 'SIGINT', 'SIGQUIT'] as const)(
  'PostgreSQL is ended by %s under load: 503 with Retry-After meanwhile, then it goes on by itself with nothing lost',
  async (signal) => {
    const load = new Load({ urls: () => [server.url], token });
    await until('some decisions are acknowledged', () => load.seen.acknowledged.length > 200);
    const postmaster = readPidFile(cluster)?.pid as number;
    process.kill(postmaster, signal);
    await until('requests are refused', () => (load.seen.statuses[503] ?? 0) > 0);
    const before = load.seen.acknowledged.length;
    await until('decisions are acknowledged again', () => load.seen.acknowledged.length > before + 200);
    const seen = await load.stop();
    expect(seen.faults).toEqual([]);
    expect(seen.broken).toBe(0);
    expect(seen.slowest).toBeLessThan(8_000);
    expect(readPidFile(cluster)?.pid).not.toBe(postmaster);
    const url = (await findRunning(folder)) as string;
    expect(await missing(url, seen.acknowledged)).toEqual([]);
    expect(await miscounted(url, token)).toEqual([]);
    expect(await outdatedChoices(url, token)).toEqual([]);
    expect(await server.readiness()).toBe(200);
  },
);

test('a PostgreSQL that cannot be started again: everybody gets 503 at once until it can', async () => {
  const session_id = '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11';
  const control = join(cluster, 'global', 'pg_control');
  renameSync(control, `${control}.away`);
  process.kill(readPidFile(cluster)?.pid as number, 'SIGKILL');
  await until('the probe says so', async () => (await server.readiness()) === 503);
  await until('a start has failed', () =>
    server.log().some(({ msg }) => /could not be started/.test(String(msg))),
  );
  const ask = () =>
    Promise.all([
      send(agent, 'POST', `${server.url}/api/consents/${token}/log`, { session_id, decision: 'accept_all' }),
      send(agent, 'GET', `${server.url}/api/preferences/${token}?session_id=${session_id}`),
      send(agent, 'POST', `${server.url}/api/auth/console`, { email: 'ada@example.com', password: 'wrong' }),
    ]);
  for (const { status, headers } of await ask()) {
    expect({ status, retryAfter: headers['retry-after'] }).toEqual({ status: 503, retryAfter: '2' });
  }
  renameSync(`${control}.away`, control);
  await until('the server is ready again', async () => (await server.readiness()) === 200);
  expect((await ask()).map(({ status }) => status)).toEqual([201, 200, 401]);
});

test('the log tells of the crashes and of the new starts', async () => {
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(processesIn(cluster)).toEqual([]);
  const messages = server.log().map(({ msg }) => msg);
  expect(messages).toContain('PostgreSQL ended by itself (SIGKILL): starting it again');
  expect(messages.filter((message) => message === 'PostgreSQL is running again')).toHaveLength(4);
});

test('a PostgreSQL that was taken over from a killed server is started again too', async () => {
  server = await ServerProcess.start({ DATA_DIR: folder });
  await server.kill('SIGKILL');
  const orphan = readPidFile(cluster)?.pid as number;
  server = await ServerProcess.start({ DATA_DIR: folder });
  expect(readPidFile(cluster)?.pid).toBe(orphan);
  process.kill(orphan, 'SIGKILL');
  await until('another one runs', () => {
    const now = readPidFile(cluster);
    return now?.status === 'ready' && now.pid !== orphan;
  });
  await until('the server is ready again', async () => (await server.readiness()) === 200);
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(processesIn(cluster)).toEqual([]);
});
