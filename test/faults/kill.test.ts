import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRunning } from '../../server/src/db/embedded';
import { readPidFile } from '../../server/src/db/embedded/postmaster';
import { cloneDatabase, onCluster } from '../helpers/database';
import { freePort, ServerProcess } from '../helpers/processes/child';
import { miscounted, missing, outdatedChoices } from '../helpers/processes/evidence';
import { endAll, Load } from '../helpers/processes/load';
import { until } from '../helpers/until';

/** TEST_KILLS=1000 is the long run. */
const KILLS = Number(process.env.TEST_KILLS ?? 6);
/** A long run tells in between how far it is, and ends early when something is missing. */
const REPORT = 20;
/** How long a start may take, in milliseconds: in hours the machine is busy with something else now and then. */
const READY = 180_000;
jest.setTimeout(KILLS * 24_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-faults-'));
/** Of a cluster; otherwise each server has the embedded database, which is killed too. `test/cluster` kills nodes. */
let database: Awaited<ReturnType<typeof cloneDatabase>> | undefined;

beforeAll(async () => {
  if (onCluster()) database = await cloneDatabase();
});
afterAll(async () => {
  await endAll();
  await database?.drop();
  const pid = readPidFile(join(folder, 'postgres'))?.pid;
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

async function start(port: number): Promise<ServerProcess> {
  const variables = { DATA_DIR: folder, ...(database && { DATABASE_URL: database.url, DEMO: 'on' }) };
  const server = new ServerProcess(port, variables);
  await server.ready(READY);
  return server;
}

/** What is wrong with the evidence of the decisions acknowledged so far. Must be empty. */
async function wrong(acknowledged: readonly string[], token: string): Promise<object> {
  const url = database?.url ?? ((await findRunning(folder)) as string);
  return {
    missing: await missing(url, acknowledged),
    miscounted: await miscounted(url, token),
    outdated: await outdatedChoices(url, token),
  };
}
const NOTHING = { missing: [], miscounted: [], outdated: [] };

test(`kill -9 under load, ${KILLS} times${onCluster() ? '' : ', every other time with the database'}: nothing acknowledged is lost`, async () => {
  const port = await freePort();
  let server = await start(port);
  const token = await server.demoToken();
  const load = new Load({ urls: () => [server.url], token, connections: 8 });
  for (let round = 0; round < KILLS; round += 1) {
    const before = load.seen.acknowledged.length;
    await until('some decisions are acknowledged', () => load.seen.acknowledged.length > before + 100);
    const postmaster = readPidFile(join(folder, 'postgres'))?.pid;
    const killed = server.kill('SIGKILL');
    if (round % 2 === 1 && postmaster !== undefined) process.kill(postmaster, 'SIGKILL');
    await killed;
    server = await start(port);
    if ((round + 1) % REPORT > 0) continue;
    const { acknowledged, faults } = load.seen;
    expect({ faults, ...(await wrong(acknowledged, token)) }).toEqual({ faults: [], ...NOTHING });
    process.stderr.write(`${round + 1} kills, ${acknowledged.length} acknowledged, 0 missing\n`);
  }
  const seen = await load.stop();
  expect(seen.faults).toEqual([]);
  expect(seen.acknowledged.length).toBeGreaterThan(KILLS * 100);
  expect(await wrong(seen.acknowledged, token)).toEqual(NOTHING);
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});
