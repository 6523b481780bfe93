import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, loadPlaywright } from '../../server/src/scan/driver/chromium';
import * as confinement from '../../server/src/scan/driver/confine';
import { findChromium, findProgram } from '../../server/src/scan/find-chromium';
import { SCAN_LIMITS } from '../../server/src/scan/limits';
import { html, loopbackNames, type Pages, scanToEnd, startPages } from '../helpers/browser/pages';
import { startServer } from '../helpers/server';
import { until } from '../helpers/until';

const browser = findChromium(process.env.CHROMIUM_PATH);
const isRoot = process.getuid?.() === 0;
/** Whether an ordinary user may make the namespaces that the sandbox is made of. */
const hasSandbox = (() => {
  try {
    const become = isRoot ? ['--reuid=64900', '--regid=64900', '--clear-groups'] : [];
    execFileSync('setpriv', [...become, '--', 'unshare', '--user', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
if (browser === undefined || !hasSandbox)
  console.warn('SKIPPED: no Chromium, or no namespaces for its sandbox, so its rights are not tested.');
const confined = browser !== undefined && hasSandbox ? test : test.skip;
const withBrowser = browser === undefined ? test.skip : test;

const PROXY = { server: 'http://127.0.0.1:1', username: 'x', password: 'x' };
const start = (sandbox: boolean) => ({
  program: browser as string,
  proxy: PROXY,
  sandbox,
  folder: mkdtempSync(join(tmpdir(), 'avow-scan-')),
  temporary: tmpdir(),
  userAgent: 'Avow-Scan/1.0',
  limits: { ...SCAN_LIMITS, reserveMs: 5_000 },
});

/** How every process of this machine was called. */
const commandsOf = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    });

/** The processes of a group: who they belong to, how they were called, and how much they stand back. */
const processesOf = (group: number) =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        if (Number(fields[2]) !== group) return [];
        const called = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return [{ uid: statSync(`/proc/${pid}`).uid, called, nice: Number(fields[16]) }];
      } catch {
        return [];
      }
    });

confined(
  'the browser has its sandbox and the lowest priority, is never root, and nothing of it stays',
  async () => {
    const running = await launch(
      loadPlaywright() as NonNullable<ReturnType<typeof loadPlaywright>>,
      start(true),
    );
    try {
      const page = await running.context.newPage();
      await page.goto('data:text/html,<p>x');
      const processes = processesOf(running.group);
      expect(processes.length).toBeGreaterThan(3);
      expect(processes.filter(({ uid }) => uid === 0)).toEqual([]);
      if (isRoot) expect(new Set(processes.map(({ uid }) => uid)).size).toBe(1);
      expect(processes.filter(({ called }) => called.includes('--no-sandbox'))).toEqual([]);
      // A page that takes all of the processor leaves the server what it needs.
      expect(new Set(processes.map(({ nice }) => nice))).toEqual(new Set([19]));
    } finally {
      await running.close();
    }
    await until('its processes are gone', () => processesOf(running.group).length === 0);
  },
);

(isRoot && browser !== undefined ? test : test.skip)(
  'root that cannot become another user starts no browser, and says what to do',
  async () => {
    const path = process.env.PATH;
    process.env.PATH = '/nonexistent';
    try {
      expect(findProgram(['setpriv'])).toBeUndefined();
      const playwright = loadPlaywright() as NonNullable<ReturnType<typeof loadPlaywright>>;
      await expect(launch(playwright, start(true))).rejects.toThrow(/run the server as another user/);
    } finally {
      process.env.PATH = path;
    }
  },
);

describe('the group of its processes', () => {
  const playwright = () => loadPlaywright() as NonNullable<ReturnType<typeof loadPlaywright>>;
  const { confine } = confinement;

  withBrowser(
    'a browser that outlives its scan is ended with its children',
    async () => {
      const running = await launch(playwright(), start(false));
      try {
        const page = await running.context.newPage();
        await page.goto('data:text/html,<p>x');
        expect(processesOf(running.group).length).toBeGreaterThan(3);
        // From now on it answers nobody, and no request to end.
        process.kill(-running.group, 'SIGSTOP');
        await running.close();
        await until('its processes are gone', () => processesOf(running.group).length === 0);
      } finally {
        if (processesOf(running.group).length > 0) process.kill(-running.group, 'SIGKILL');
      }
    },
    60_000,
  );

  // None that is known, that of the server itself, and one that is not there.
  withBrowser.each([0, 1, 2 ** 22 + 1])(
    'a browser whose group would be %i is not used, and ends',
    async (group) => {
      const folders: string[] = [];
      const confined = jest.spyOn(confinement, 'confine').mockImplementation(async (...given) => {
        const real = await confine(...given);
        folders.push(real.profile);
        return { ...real, group: async () => group };
      });
      const kill = jest.spyOn(process, 'kill');
      try {
        await expect(launch(playwright(), start(false))).rejects.toThrow(/cannot be watched/);
        // Signal 0 only asks.
        expect(kill.mock.calls.filter(([pid, signal]) => pid === -group && signal !== 0)).toEqual([]);
      } finally {
        kill.mockRestore();
        confined.mockRestore();
      }
      const [profile = ''] = folders;
      await until('it has ended', () => commandsOf().every((called) => !called.includes(profile)));
      expect(existsSync(profile)).toBe(false);
    },
    60_000,
  );
});

describe('memory', () => {
  let pages: Pages;
  beforeAll(async () => {
    pages = await startPages((path, response) => {
      if (path === '/small') html(response, '<p>x</p>');
      else
        html(
          response,
          `<script>
            const kept = [];
            setInterval(() => { for (let n = 0; n < 8; n += 1) kept.push(new Uint8Array(8388608).fill(1)); }, 10);
          </script>`,
        );
    });
  });
  afterAll(() => pages.stop());

  withBrowser(
    'a page that takes more than it may ends the browser, and the next page is visited as ever',
    async () => {
      const server = await startServer({
        variables: { SCAN_ALLOW_NETWORKS: '127.0.0.0/8', SCAN_MEMORY_MB: '700' },
        scan: { lookup: loopbackNames, limits: { settleMs: 10_000, quietMs: 12_000 } },
      });
      const seen: string[] = [];
      const kill = jest.spyOn(process, 'kill');
      try {
        const scan = await scanToEnd(server, `http://hungry.test:${pages.port}/`);
        expect(scan).toMatchObject({ status: 'failed', error: expect.stringContaining('over the limits') });
        seen.push(...kill.mock.calls.filter(([pid]) => pid < 0).map(([, signal]) => String(signal)));
        expect(await scanToEnd(server, `http://small.test:${pages.port}/small`)).toMatchObject({
          status: 'done',
          engine: 'browser',
        });
      } finally {
        kill.mockRestore();
        await server.stop();
      }
      expect(seen).toContain('SIGKILL');
    },
    90_000,
  );
});
