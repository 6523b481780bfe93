import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPidFile } from '../../server/src/db/embedded/postmaster';
import { skipOnCluster } from '../helpers/cluster/skip';
import { freePort, runs } from '../helpers/processes/child';
import { until } from '../helpers/until';

skipOnCluster('npm start brings the embedded PostgreSQL, which is one server');

jest.setTimeout(180_000);

const ROOT = join(__dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'avow-npm-'));
const started: NpmStart[] = [];

/** `npm start` as a supervisor runs it, with the embedded database. */
class NpmStart {
  readonly npm: ChildProcess;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  private output = '';

  constructor(
    readonly port: number,
    variables: Record<string, string>,
  ) {
    // A process group of its own, as in a terminal.
    this.npm = spawn('npm', ['start'], {
      cwd: ROOT,
      detached: true,
      env: {
        ...{ PATH: process.env.PATH, HOME: folder, DATA_DIR: folder, PORT: String(port), HOST: '127.0.0.1' },
        ...{ LOG_LEVEL: 'info', npm_config_update_notifier: 'false' },
        ...variables,
      },
    });
    for (const stream of [this.npm.stdout, this.npm.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text;
      });
    this.ended = new Promise((resolve) =>
      this.npm.once('close', (code, signal) => resolve({ code, signal })),
    );
    started.push(this);
  }

  static async ready(variables: Record<string, string> = {}): Promise<NpmStart> {
    const start = new NpmStart(await freePort(), variables);
    await until(
      'npm start answers',
      async () => {
        if (start.npm.exitCode !== null) throw new Error(`npm start ended:\n${start.output}`);
        const answer = await fetch(`http://127.0.0.1:${start.port}/readyz`).catch(() => undefined);
        return answer?.status === 200;
      },
      120_000,
    );
    return start;
  }

  get pid(): number {
    return this.npm.pid as number;
  }

  get database(): number {
    return readPidFile(join(folder, 'postgres'))?.pid as number;
  }

  private get lines(): { pid: number; msg: string; reason?: string }[] {
    return this.output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
  }

  /** The processes of the server that are told to stop: each once. */
  get stopping(): number[] {
    return this.lines.filter(({ msg }) => msg === 'stopping').map(({ pid }) => pid);
  }

  get problems(): string[] {
    return this.output.split('\n').filter((line) => /"level":"?(error|fatal|50|60)/.test(line));
  }
}

const takesConnections = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** Nothing is left: no server, no database, nobody on the port. */
async function expectAllGone(start: NpmStart, database: number): Promise<void> {
  expect(start.stopping.filter(runs)).toEqual([]);
  expect(runs(database)).toBe(false);
  expect(await takesConnections(start.port)).toBe(false);
  expect(start.problems).toEqual([]);
}

// After a test that failed too, so that the next one finds the folder free.
afterEach(async () => {
  const database = readPidFile(join(folder, 'postgres'))?.pid;
  for (const { pid, ended } of started.splice(0)) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
    await ended;
  }
  if (database !== undefined && runs(database)) process.kill(database, 'SIGKILL');
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));

test('SIGTERM to npm ends the server and its database, and npm only after them', async () => {
  const start = await NpmStart.ready();
  const { database } = start;
  expect(runs(database)).toBe(true);
  process.kill(start.pid, 'SIGTERM');
  expect(await start.ended).toEqual({ code: 0, signal: null });
  expect(start.stopping).toHaveLength(1);
  await expectAllGone(start, database);
});

test('SIGTERM to npm ends several processes too', async () => {
  const start = await NpmStart.ready({ WORKERS: '2' });
  const { database } = start;
  process.kill(start.pid, 'SIGTERM');
  expect(await start.ended).toEqual({ code: 0, signal: null });
  expect(new Set(start.stopping).size).toBe(3);
  expect(start.stopping).toHaveLength(3);
  await expectAllGone(start, database);
});

test('Ctrl-C reaches the whole group, and from npm once more: everything ends once', async () => {
  const start = await NpmStart.ready({ WORKERS: '2' });
  const { database } = start;
  process.kill(-start.pid, 'SIGINT');
  expect(await start.ended).toEqual({ code: 0, signal: null });
  expect(start.stopping).toHaveLength(3);
  await expectAllGone(start, database);
});

test('a server whose npm was killed ends as well', async () => {
  const start = await NpmStart.ready();
  const { database } = start;
  process.kill(start.pid, 'SIGKILL');
  // The pipes close when the last process that writes to them has ended.
  expect(await start.ended).toEqual({ code: null, signal: 'SIGKILL' });
  await until('the server has ended', () => start.stopping.length === 1 && !start.stopping.some(runs));
  await until('the database has ended', () => !runs(database));
  await expectAllGone(start, database);
});
