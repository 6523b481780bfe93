import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAvow } from '@avow/sdk';
import { findChromium } from '../../server/src/scan/find-chromium';
import { html, type Pages, startPages } from '../helpers/browser/pages';
import { emptyDatabase } from '../helpers/database';
import { childrenOf, endChildren, runs, ServerProcess } from '../helpers/processes/child';
import { until } from '../helpers/until';

const browser = findChromium(process.env.CHROMIUM_PATH);
if (browser === undefined)
  console.warn('SKIPPED: no Chromium, so the process that drives one is not tested.');
/** A body that the browser tells of twice, as text and as base64: 300 MB of JSON in one message. */
const BODY = 130_000_000;
const MB = 1024;
const PRELOAD = join(__dirname, '..', 'helpers', 'processes', 'list-modules.cjs');

let pages: Pages;
const databases: Awaited<ReturnType<typeof emptyDatabase>>[] = [];
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'avow-driver-'));
  // The browser runs as a user of its own.
  chmodSync(folder, 0o755);
  pages = await startPages((path, response) => {
    if (path === '/never') return;
    if (path === '/small') html(response, '<p>x</p>');
    else if (path === '/waits') html(response, '<img src="/never"><p>x</p>');
    else
      html(
        response,
        `<img src="/never"><script>
          fetch('http://127.0.0.1:1/', { method: 'POST', mode: 'no-cors', body: 'x'.repeat(${BODY}) }).catch(() => 0);
        </script>`,
      );
  });
});
afterAll(async () => {
  await endChildren();
  await pages?.stop();
  await Promise.all(databases.map(({ drop }) => drop()));
  rmSync(folder, { recursive: true, force: true });
});

/** A folder for temporary files, in which the browser's user may write, as in the system's. */
function temporaryFolder(): string {
  const made = mkdtempSync(join(folder, 'tmp-'));
  chmodSync(made, 0o1777);
  return made;
}

/** A server as its operator runs it, with a database and temporary files of its own. */
async function startServer(variables: Record<string, string> = {}) {
  const database = await emptyDatabase();
  databases.push(database);
  return ServerProcess.start({
    ...{ DATABASE_URL: database.url, DATA_DIR: join(folder, 'data'), SCANS: 'public' },
    ...{ SCAN_ALLOW_NETWORKS: '127.0.0.0/8', TMPDIR: temporaryFolder(), ...variables },
  });
}

const startScan = (server: ServerProcess, path: string) =>
  createAvow({ baseUrl: server.url }).startCookieScan({
    body: { url: `http://127.0.0.1:${pages.port}${path}` },
  });

const untilOver = (server: ServerProcess, scan_id: string) =>
  until(
    'the scan is over',
    async () => {
      const scan = await createAvow({ baseUrl: server.url }).getScan({ scan_id });
      return (scan.status === 'done' || scan.status === 'failed') && scan;
    },
    60_000,
  );

const scanToEnd = async (server: ServerProcess, path: string) =>
  untilOver(server, (await startScan(server, path)).scan_id);

/** The most memory that a process ever had, in kB. */
const peakOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

/** All processes that a process started, and those that they started. */
const below = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...below(child)]);

/** Starts a scan of a page that never ends, and waits until its browser is there. */
async function scanning(server: ServerProcess) {
  const { scan_id } = await startScan(server, '/waits');
  const started = await until('its browser shows the page', () => {
    const pids = below(server.pid);
    // The driver, and of the browser at least its own process, two that start others, and the page's.
    return pages.asked.includes('/never') && pids.length > 4 && pids;
  });
  return { scan_id, started };
}

/** The processes that a server started for scans, and what they wrote, are gone. */
async function untilGone(started: number[], temporary: string): Promise<void> {
  await until(
    () => `the processes end: ${execFileSync('ps', ['-o', 'pid,ppid,args', ...started.map(String)])}`,
    () => started.every((pid) => !runs(pid)),
  );
  await until('their folder is gone', () =>
    readdirSync(temporary).every((name) => !name.startsWith('avow-scan-')),
  );
}

(browser === undefined ? describe.skip : describe)('the process that drives a browser', () => {
  beforeEach(() => {
    pages.asked.length = 0;
  });

  test('a page that makes its browser tell 300 MB at once fails, and the server never holds it', async () => {
    // Without its sandbox the browser is not ended by so large a message before it has told of it.
    const server = await startServer({ SCAN_MEMORY_MB: '6000', SCAN_SANDBOX: 'off' });
    expect(await scanToEnd(server, '/small')).toMatchObject({ status: 'done', engine: 'browser' });
    const before = peakOf(server.pid);
    expect(await scanToEnd(server, '/large')).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('took too much memory'),
    });
    expect(peakOf(server.pid) - before).toBeLessThan(60 * MB);
    expect(await scanToEnd(server, '/small')).toMatchObject({ status: 'done', engine: 'browser' });
    await server.kill();
  }, 150_000);

  test('when the server is killed, no process of its scans remains, and no file', async () => {
    const temporary = temporaryFolder();
    const server = await startServer({ TMPDIR: temporary });
    const { started } = await scanning(server);
    await server.kill('SIGKILL');
    await untilGone(started, temporary);
  }, 60_000);

  test('when the server stops, its scans end and wait for another, and it never loaded the library', async () => {
    const temporary = temporaryFolder();
    const file = join(folder, 'modules.json');
    const server = await startServer({
      ...{ TMPDIR: temporary, NODE_OPTIONS: `--require ${PRELOAD}`, MODULES_FILE: file },
    });
    expect(await scanToEnd(server, '/small')).toMatchObject({ status: 'done', engine: 'browser' });
    const { scan_id, started } = await scanning(server);
    await server.kill('SIGTERM');
    await untilGone(started, temporary);
    const loaded = JSON.parse(readFileSync(file, 'utf8')) as string[];
    expect(loaded.length).toBeGreaterThan(300);
    expect(loaded.filter((path) => /playwright|scan[\\/]driver[\\/]/.test(path))).toEqual([]);
    const other = await startServer({ ROLE: 'api', DATABASE_URL: databases.at(-1)?.url ?? '' });
    expect(await createAvow({ baseUrl: other.url }).getScan({ scan_id })).toMatchObject({ status: 'queued' });
    await other.kill();
  }, 120_000);

  test('when it is killed, the scan fails and says so, and its browser ends', async () => {
    const temporary = temporaryFolder();
    const server = await startServer({ TMPDIR: temporary });
    const { scan_id, started } = await scanning(server);
    const [driver = 0] = childrenOf(server.pid).filter((pid) => started.includes(pid));
    expect(readFileSync(`/proc/${driver}/cmdline`, 'utf8')).toContain('driver');
    process.kill(driver, 'SIGKILL');
    expect(await untilOver(server, scan_id)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('process that drove the browser'),
    });
    await untilGone(started, temporary);
    await server.kill();
  }, 60_000);
});
