import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import ts from 'typescript';
import { type Embedded, startEmbedded } from '../../server/src/db/embedded';
import { findNativeDir, hasGlibc } from '../../server/src/db/embedded/platform';
import { readPidFile } from '../../server/src/db/embedded/postmaster';
import { isAlive, processesIn, startTime, waitUntil } from '../../server/src/db/embedded/processes';
import { giveTo } from '../../server/src/db/embedded/user';
import { skipOnCluster } from '../helpers/cluster/skip';

skipOnCluster('it is about the embedded PostgreSQL, which is one server');

jest.setTimeout(30_000);

const SOURCE = path.resolve(__dirname, '../../server/src/db/embedded');
const NODE_MODULES = path.resolve(__dirname, '../../node_modules');
const NOBODY = { uid: 65534, gid: 65534 };
const DAEMON = { uid: 1, gid: 1 };
const NAMELESS = { uid: 4321, gid: 4321 };
const isRoot = process.getuid?.() === 0;
const settings = { fsync: 'off' };
const native = findNativeDir();

let folder: string;
let dataDir: string;
let cluster: string;
let started: Embedded[];
let children: ChildProcess[];

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'avow-embedded-'));
  fs.chmodSync(folder, 0o755);
  dataDir = path.join(folder, 'data');
  cluster = path.join(dataDir, 'postgres');
  started = [];
  children = [];
});

afterEach(async () => {
  for (const embedded of started) await embedded.stop();
  for (const child of children.filter((one) => one.exitCode === null && one.signalCode === null)) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  const left = [cluster, `${dataDir}2/postgres`].flatMap(processesIn);
  for (const pid of left) process.kill(pid, 'SIGKILL');
  await waitUntil(() => processesIn(cluster).length === 0, 5_000);
  fs.rmSync(folder, { recursive: true, force: true });
  // Only tests that leave an orphan on purpose may, and they take it over again.
  expect(left).toEqual([]);
});

/** Says loudly that a guard was not tried here. */
function onlyRoot(): boolean {
  if (!isRoot) console.warn(`SKIPPED, needs root: ${expect.getState().currentTestName}`);
  return isRoot;
}

async function start(options: Partial<Parameters<typeof startEmbedded>[0]> = {}): Promise<Embedded> {
  const embedded = await startEmbedded({ dataDir, settings, ...options });
  started.push(embedded);
  return embedded;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/**
 * Another Node process that starts PostgreSQL and keeps it; it runs what ts-jest would have made of our
 * sources.
 */
function holder(extra: Record<string, unknown> = {}, as: { uid?: number; gid?: number } = {}): ChildProcess {
  const compiled = path.join(folder, 'compiled');
  if (!fs.existsSync(compiled)) {
    fs.mkdirSync(compiled);
    const compilerOptions = {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      esModuleInterop: true,
    };
    for (const name of fs.readdirSync(SOURCE)) {
      const { outputText } = ts.transpileModule(fs.readFileSync(path.join(SOURCE, name), 'utf8'), {
        compilerOptions,
      });
      fs.writeFileSync(path.join(compiled, name.replace(/ts$/, 'js')), outputText);
    }
    fs.writeFileSync(
      path.join(compiled, 'holder.js'),
      `process.on('SIGINT', () => undefined);
       require('./index.js').startEmbedded(JSON.parse(process.argv[2])).then(
         (embedded) => process.send({ url: embedded.url() }),
         (error) => process.send({ error: error.message }));
       process.on('message', () => process.exit(0));`,
    );
  }
  const child = fork(path.join(compiled, 'holder.js'), [JSON.stringify({ dataDir, settings, ...extra })], {
    ...as,
    env: { ...process.env, NODE_PATH: NODE_MODULES },
    execArgv: [],
    // A process group of its own, to send Ctrl-C to.
    detached: true,
  });
  children.push(child);
  return child;
}

async function said(child: ChildProcess): Promise<{ url: string; error?: string }> {
  const [message] = await once(child, 'message');
  return message as { url: string; error?: string };
}

async function end(child: ChildProcess, how: () => void): Promise<void> {
  const ended = once(child, 'exit');
  how();
  await ended;
}

let packageCopy: string | undefined;
afterAll(() => packageCopy && fs.rmSync(packageCopy, { recursive: true, force: true }));

/** The binaries as npm installs them without running scripts: no library links. */
function packageWithoutLinks(): string {
  const plain = (file: string) => !fs.lstatSync(file).isSymbolicLink() && !file.endsWith('.a');
  if (!packageCopy) {
    packageCopy = fs.mkdtempSync(path.join(os.tmpdir(), 'avow-package-'));
    fs.cpSync(native, path.join(packageCopy, 'native'), { recursive: true, filter: plain });
    // A version of its own gives any further copy a name of its own.
    fs.writeFileSync(
      path.join(packageCopy, 'package.json'),
      JSON.stringify({ version: `0.0.0-test${process.pid}` }),
    );
  }
  // Each test gets folders of its own with the same files in them.
  for (const entry of fs.readdirSync(packageCopy, { recursive: true, withFileTypes: true })) {
    const to = path.join(folder, 'package', path.relative(packageCopy, entry.parentPath), entry.name);
    fs.mkdirSync(entry.isDirectory() ? to : path.dirname(to), { recursive: true });
    if (entry.isFile()) fs.linkSync(path.join(entry.parentPath, entry.name), to);
  }
  return path.join(folder, 'package', 'native');
}

const links = (dir: string) =>
  fs
    .readdirSync(path.join(dir, 'lib'))
    .filter((name) => fs.lstatSync(path.join(dir, 'lib', name)).isSymbolicLink());

describe('a start', () => {
  test('makes a durable cluster, and the next one keeps its data', async () => {
    const first = await start();
    await query(first.url(), "CREATE TABLE note AS SELECT 'kept' AS text");
    await expect(start()).rejects.toThrow(`in use by process ${process.pid}`);
    await first.stop();
    await first.stop();
    expect(processesIn(cluster)).toEqual([]);

    const second = await start({ settings: { work_mem: '5MB' } });
    expect(await query(second.url(), 'SELECT * FROM note')).toEqual([{ text: 'kept' }]);
    expect(
      await query(
        second.url(),
        `SELECT current_user AS user, current_database() AS db, rolsuper AS super, upper('é') AS upper,
                current_setting('work_mem') AS mem, current_setting('data_checksums') AS sums,
                current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages, current_setting('synchronous_commit') AS commits,
                current_setting('listen_addresses') AS listens, current_setting('server_encoding') AS encoding
         FROM pg_roles WHERE rolname = current_user`,
      ),
    ).toEqual([
      {
        user: 'avow',
        db: 'avow',
        super: false,
        upper: 'É',
        mem: '5MB',
        sums: 'on',
        fsync: 'on',
        pages: 'on',
        commits: 'on',
        listens: '127.0.0.1',
        encoding: 'UTF8',
      },
    ]);
    await query(second.url('postgres'), 'CREATE DATABASE other');
    expect(await query(second.url('other'), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('keeps the password private, asks for it, and copes with its loss', async () => {
    const file = path.join(dataDir, 'postgres-password');
    const first = await start();
    const password = fs.readFileSync(file, 'utf8').trim();
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    expect(fs.statSync(cluster).mode & 0o777).toBe(0o700);
    expect(new URL(first.url()).password).toBe(password);
    await expect(query(first.url().replace(password, 'wrong'), 'SELECT 1')).rejects.toThrow(
      'authentication failed',
    );
    await first.stop();

    fs.rmSync(file);
    const second = await start();
    expect(fs.readFileSync(file, 'utf8').trim()).not.toBe(password);
    await query(second.url(), 'SELECT 1');
    await second.stop();

    fs.writeFileSync(file, 'wrong');
    await expect(start()).rejects.toThrow(/does not accept the password in .*remove the file/);
  });

  test('sets a grown log aside, and tells with the last lines of the new one why PostgreSQL ended', async () => {
    const file = path.join(dataDir, 'postgres.log');
    fs.mkdirSync(dataDir);
    fs.writeFileSync(file, 'x'.repeat(11 * 1024 * 1024));
    await expect(start({ settings: { ...settings, shared_buffers: 'plenty' } })).rejects.toThrow(
      /ended while starting[\s\S]*invalid value for parameter "shared_buffers": "plenty"/,
    );
    expect(fs.statSync(file).size).toBeLessThan(100_000);
    expect(fs.statSync(`${file}.1`).size).toBeGreaterThan(10_000_000);
    await start();
  });

  test('refuses what is no cluster of its version', async () => {
    fs.mkdirSync(cluster, { recursive: true });
    fs.writeFileSync(path.join(cluster, 'notes.txt'), '');
    await expect(start()).rejects.toThrow(/holds no PostgreSQL cluster.*move it away/);
    fs.writeFileSync(path.join(cluster, 'PG_VERSION'), '17\n');
    await expect(start()).rejects.toThrow(/made by PostgreSQL 17.*runs PostgreSQL 18/);
    expect(fs.readdirSync(dataDir)).toEqual(['postgres']);
  });

  test('copes with an initdb that was killed', async () => {
    const unfinished = () =>
      fs.existsSync(dataDir)
        ? fs.readdirSync(dataDir).find((name) => name.startsWith('postgres.init-'))
        : undefined;
    const child = holder();
    // Its first file is there, and the last is not yet.
    const begun = () => {
      const name = unfinished();
      return name !== undefined && fs.existsSync(path.join(dataDir, name, 'PG_VERSION'));
    };
    expect(await waitUntil(begun, 10_000)).toBe(true);
    await end(child, () => child.kill('SIGKILL'));
    expect(fs.existsSync(cluster)).toBe(false);
    const embedded = await start();
    await query(embedded.url(), 'SELECT 1');
    expect(unfinished()).toBeUndefined();
  });
});

describe('a process that ends', () => {
  test('leaves by kill -9 an orphan that the next one takes over', async () => {
    const child = holder();
    const { url } = await said(child);
    await query(url, "CREATE TABLE note AS SELECT 'kept' AS text");
    const pid = readPidFile(cluster)?.pid;
    await end(child, () => child.kill('SIGKILL'));
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);

    const messages: string[] = [];
    const embedded = await start({ log: (_level, message) => messages.push(message) });
    expect(embedded.url()).toBe(url);
    expect(readPidFile(cluster)?.pid).toBe(pid);
    expect(messages).toContain('Took over the PostgreSQL that an earlier Avow left running');
    expect(await query(embedded.url(), 'SELECT * FROM note')).toEqual([{ text: 'kept' }]);
    await embedded.stop();
    expect(processesIn(cluster)).toEqual([]);
    await expect(query(url, 'SELECT 1')).rejects.toThrow('ECONNREFUSED');

    // One that does not accept our password is stopped instead.
    const another = holder();
    await said(another);
    const locked = readPidFile(cluster)?.pid;
    await end(another, () => another.kill('SIGKILL'));
    fs.rmSync(path.join(dataDir, 'postgres-password'));
    const last = await start();
    expect(readPidFile(cluster)?.pid).not.toBe(locked);
    expect(await query(last.url(), 'SELECT * FROM note')).toEqual([{ text: 'kept' }]);
  });

  test('does not take PostgreSQL with it on Ctrl-C, but shuts it down at an exit without stop()', async () => {
    const child = holder();
    const { url } = await said(child);
    // The terminal signals the whole process group; this child goes on, as Avow does while it drains.
    process.kill(-(child.pid as number), 'SIGINT');
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    const log = () => fs.readFileSync(path.join(dataDir, 'postgres.log'), 'utf8');
    expect(log()).not.toContain('shutdown request');
    await end(child, () => child.send('exit'));
    expect(fs.existsSync(path.join(dataDir, 'postgres.lock'))).toBe(false);
    expect(await waitUntil(() => processesIn(cluster).length === 0, 10_000)).toBe(true);
    expect(log()).toContain('database system is shut down');
  });

  test('is told apart from one that lives: two at once are refused', async () => {
    const [one, two] = [holder(), holder()] as const;
    const [first, second] = await Promise.all([said(one), said(two)]);
    const [winner, { url }] = first.error === undefined ? [one, first] : [two, second];
    const refusal = `DATA_DIR ${dataDir} is in use by process ${winner.pid}: stop it, or set DATA_DIR/PORT to run a second one.`;
    expect([first.error, second.error]).toContain(refusal);
    await expect(start()).rejects.toThrow(refusal);
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    await end(winner, () => winner.send('exit'));
    // The postmaster may still be shutting down, which a start waits for.
    await query((await start()).url(), 'SELECT 1');
  });
});

describe('a lock', () => {
  const lock = () => path.join(dataDir, 'postgres.lock');
  const write = (content: string) => {
    fs.writeFileSync(lock(), content);
  };
  const own = () =>
    JSON.parse(fs.readFileSync(lock(), 'utf8')) as { pid: number; started: string; space: string };

  test('of a process that ended, or whose pid is another one now, is stale', async () => {
    const embedded = await start();
    const { space } = own();
    await embedded.stop();
    for (const content of [
      JSON.stringify({ pid: process.pid, started: `${startTime(process.pid)}0`, space }),
      JSON.stringify({ pid: 2 ** 22 + 1, started: '1', space }),
    ]) {
      write(content);
      await (await start()).stop();
      expect(fs.existsSync(lock())).toBe(false);
    }
    // Broken off between creating and writing it.
    write('');
    fs.utimesSync(lock(), new Date(), new Date(Date.now() - 5_000));
    await (await start()).stop();

    // Of one in another container only the beat can be seen.
    write(JSON.stringify({ pid: 1, started: '1', space: 'elsewhere' }));
    const beat = setInterval(() => fs.utimesSync(lock(), new Date(), new Date()), 200);
    await expect(start()).rejects.toThrow('is in use by process 1');
    clearInterval(beat);
    fs.utimesSync(lock(), new Date(), new Date(Date.now() - 120_000));
    await start();
  });
});

describe('a crash of PostgreSQL', () => {
  test('leaves a pid file that does not prevent the start', async () => {
    await (await start()).stop();
    const owner = fs.statSync(cluster);
    // Only a process of the same user makes PostgreSQL believe in it.
    const sleeper = spawn('sleep', ['60'], isRoot ? { uid: owner.uid, gid: owner.gid } : {});
    children.push(sleeper);
    for (const pid of [sleeper.pid as number, 2 ** 22 + 1, 0]) {
      fs.writeFileSync(
        path.join(cluster, 'postmaster.pid'),
        `${pid}\n${cluster}\n1\n5432\n\n127.0.0.1\n\nready\n`,
      );
      fs.chownSync(path.join(cluster, 'postmaster.pid'), owner.uid, owner.gid);
      const embedded = await start();
      await query(embedded.url(), 'SELECT 1');
      await embedded.stop();
    }
    expect(isAlive(sleeper.pid as number)).toBe(true);
  });

  test('is told, and the next start ends what is left of it', async () => {
    const errors: string[] = [];
    const embedded = await start({
      log: (level, message) => void (level === 'error' && errors.push(message)),
    });
    await query(embedded.url(), "CREATE TABLE note AS SELECT 'kept' AS text");
    const busy = query(embedded.url(), 'SELECT pg_sleep(60)').catch((error: Error) => error);
    const pid = readPidFile(cluster)?.pid as number;
    for (;;) {
      const [row] = await query(
        embedded.url(),
        "SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event = 'PgSleep'",
      );
      if (row?.n === 1) break;
      await delay(20);
    }
    process.kill(pid, 'SIGKILL');
    expect(await waitUntil(() => errors.length > 0, 5_000)).toBe(true);
    expect(errors[0]).toContain('PostgreSQL ended by itself (SIGKILL)');
    await embedded.stop();

    const second = await start();
    expect(await busy).toBeInstanceOf(Error);
    expect(await query(second.url(), 'SELECT * FROM note')).toEqual([{ text: 'kept' }]);
  });
});

describe('the binaries', () => {
  test('get their missing library links, also from two starts at once', async () => {
    const nativeDir = packageWithoutLinks();
    expect(links(nativeDir)).toEqual([]);
    const answers = await Promise.all([
      said(holder({ nativeDir })),
      said(holder({ nativeDir, dataDir: `${dataDir}2` })),
    ]);
    expect(answers.map(({ error }) => error)).toEqual([undefined, undefined]);
    expect(links(nativeDir)).toContain(process.platform === 'linux' ? 'libpq.so.5' : 'libcrypto.dylib');
    for (const child of children) child.send('exit');
    const gone = () => [cluster, `${dataDir}2/postgres`].every((dir) => processesIn(dir).length === 0);
    expect(await waitUntil(gone, 10_000)).toBe(true);
  });

  test('are copied where node_modules is read-only, for a user who is not root', async () => {
    const nativeDir = packageWithoutLinks();
    fs.chmodSync(path.join(nativeDir, 'lib'), 0o555);
    fs.mkdirSync(dataDir);
    if (isRoot) fs.chownSync(dataDir, NOBODY.uid, NOBODY.gid);
    const child = holder({ nativeDir }, isRoot ? NOBODY : {});
    const { url, error } = await said(child);
    expect(error).toBeUndefined();
    await query(url, 'DO $$ BEGIN END $$');
    expect(links(nativeDir)).toEqual([]);
    const [copy] = fs.readdirSync(path.join(dataDir, 'postgres-bin'));
    expect(links(path.join(dataDir, 'postgres-bin', copy as string)).length).toBeGreaterThan(0);
    await end(child, () => child.send('exit'));
    expect(await waitUntil(() => processesIn(cluster).length === 0, 10_000)).toBe(true);
    fs.chmodSync(path.join(nativeDir, 'lib'), 0o755);
  });

  test('and the data are used below a folder that only root can enter', async () => {
    if (!onlyRoot()) return;
    const nativeDir = packageWithoutLinks();
    fs.chmodSync(folder, 0o700);
    const copies = () =>
      fs.readdirSync('/var/cache/avow').filter((name) => name.includes(`-test${process.pid}-`));
    try {
      const first = await start({ nativeDir });
      expect(fs.statSync(cluster).uid).not.toBe(0);
      // plpgsql is a library that PostgreSQL loads while it runs.
      await query(first.url(), 'DO $$ BEGIN CREATE TABLE note AS SELECT 1 AS one; END $$');
      await first.stop();
      expect(copies()).toHaveLength(1);
      const copy = fs.statSync(path.join('/var/cache/avow', copies()[0] as string));
      expect([copy.uid, copy.mode & 0o777]).toEqual([0, 0o755]);

      // What a clean-up removed is put back.
      fs.rmSync(path.join('/var/cache/avow', copies()[0] as string, 'bin/postgres'));
      const second = await start({ nativeDir });
      expect(await query(second.url(), 'SELECT * FROM note')).toEqual([{ one: 1 }]);
      await second.stop();

      // A folder that somebody else owns is not trusted; the next place is used.
      const name = copies()[0] as string;
      fs.chownSync(path.join('/var/cache/avow', name), NOBODY.uid, NOBODY.gid);
      const third = await start({ nativeDir });
      const pid = readPidFile(cluster)?.pid;
      expect(fs.readlinkSync(`/proc/${pid}/exe`)).toBe(
        path.join(fs.realpathSync(os.tmpdir()), name, 'bin/postgres'),
      );
      await third.stop();
      fs.rmSync(path.join(os.tmpdir(), name), { recursive: true });
    } finally {
      for (const name of copies()) fs.rmSync(path.join('/var/cache/avow', name), { recursive: true });
    }
  });

  test('run as the owner of the data directory when root starts them', async () => {
    if (!onlyRoot()) return;
    fs.mkdirSync(dataDir);
    fs.chownSync(dataDir, DAEMON.uid, DAEMON.gid);
    const first = await start();
    expect(fs.statSync(cluster).uid).toBe(DAEMON.uid);
    await first.stop();
    // A restored backup that belongs to root is given back.
    const version = path.join(cluster, 'PG_VERSION');
    fs.chownSync(cluster, 0, 0);
    fs.chownSync(version, 0, 0);
    fs.chmodSync(cluster, 0o755);
    await (await start()).stop();
    expect(fs.statSync(version).uid).toBe(DAEMON.uid);
    // One from another machine may belong to a user unknown here.
    giveTo(cluster, NAMELESS);
    await start();
    expect(fs.statSync(cluster).uid).toBe(NAMELESS.uid);
  });

  test('tell what to do about a user who can not run them', async () => {
    if (!onlyRoot()) return;
    fs.mkdirSync(dataDir);
    fs.chownSync(dataDir, NAMELESS.uid, NAMELESS.gid);
    expect(await said(holder({}, NAMELESS))).toEqual({
      error: expect.stringContaining('as user 4321, who has no line in /etc/passwd: add one'),
    });
    expect(fs.readdirSync(dataDir)).toEqual(['postgres-password']);

    await (await start()).stop();
    expect(await said(holder({}, NAMELESS))).toEqual({
      error: expect.stringMatching(/belongs to user \d+, and Avow runs as user 4321: run "chown -R 4321/),
    });
    fs.chownSync(dataDir, 0, 0);
    fs.chmodSync(dataDir, 0o755);
    expect(await said(holder({}, NAMELESS))).toEqual({
      error: expect.stringMatching(/^User 4321 may not use .*DATA_DIR/),
    });
  });

  test('are missed with a clear message', () => {
    expect(() => findNativeDir('linux', 'riscv64')).toThrow(/not installed for linux-riscv64.*DATABASE_URL/);
    expect(() => findNativeDir('win32')).toThrow(/does not run on Windows.*DATABASE_URL/);
    const header = { header: {} } as unknown as ReturnType<NonNullable<typeof process.report>['getReport']>;
    const report = jest
      .spyOn(process.report as NonNullable<typeof process.report>, 'getReport')
      .mockReturnValue(header);
    expect(() => findNativeDir('linux')).toThrow(/needs glibc.*DATABASE_URL to a PostgreSQL 14/);
    report.mockRestore();
    if (process.platform === 'linux') expect(hasGlibc()).toBe(true);
  });
});
