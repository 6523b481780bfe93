import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRunning } from '../../server/src/db/embedded';
import { readPidFile } from '../../server/src/db/embedded/postmaster';
import { freePort, ServerProcess } from '../helpers/processes/child';
import { miscounted, missing, outdatedChoices } from '../helpers/processes/evidence';
import { endAll, Load } from '../helpers/processes/load';
import { until } from '../helpers/until';

jest.setTimeout(240_000);

const folder = mkdtempSync(join(tmpdir(), 'avow-faults-'));

afterAll(async () => {
  await endAll();
  const pid = readPidFile(join(folder, 'postgres'))?.pid;
  if (pid !== undefined) process.kill(pid, 'SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

test('kill -9 under load, ten times, every other time with the database: nothing acknowledged is lost', async () => {
  const port = await freePort();
  let server = await ServerProcess.start({ DATA_DIR: folder }, port);
  const token = await server.demoToken();
  const load = new Load({ urls: () => [server.url], token, connections: 8 });
  for (let round = 0; round < 10; round += 1) {
    const before = load.seen.acknowledged.length;
    await until('some decisions are acknowledged', () => load.seen.acknowledged.length > before + 100);
    const postmaster = readPidFile(join(folder, 'postgres'))?.pid as number;
    const killed = server.kill('SIGKILL');
    if (round % 2 === 1) process.kill(postmaster, 'SIGKILL');
    await killed;
    server = await ServerProcess.start({ DATA_DIR: folder }, port);
  }
  const seen = await load.stop();
  const url = (await findRunning(folder)) as string;
  expect(seen.faults).toEqual([]);
  expect(seen.acknowledged.length).toBeGreaterThan(1_000);
  expect(await missing(url, seen.acknowledged)).toEqual([]);
  expect(await miscounted(url, token)).toEqual([]);
  expect(await outdatedChoices(url, token)).toEqual([]);
  expect(await server.kill('SIGTERM')).toEqual({ code: 0, signal: null });
});
