import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { provision } from './connect';
import { logFile, logSize, logTail, rotateLog } from './logfile';
import { forget, keep, readPidFile, stopPostmaster } from './postmaster';
import { serverArguments } from './settings';
import { pgdata, spawnAs } from './spawning';
import type { Running, Setup } from './types';

const TRIES = 10;
const STILL_STARTING_MS = 10_000;
/**
 * The port was taken between choosing and using it, or the last backends of a killed server are still
 * running.
 */
const PASSING = /could not create any TCP\/IP sockets|pre-existing shared memory block/;

/**
 * Starts PostgreSQL on a port (by default a free one) and waits until it accepts our connection. Nothing else
 * may run in the cluster.
 */
export async function launch(setup: Setup, password: string, fixedPort?: number): Promise<Running> {
  rotateLog(setup.dataDir);
  for (let tries = 1; ; tries++) {
    const from = logSize(setup.dataDir);
    const port = fixedPort ?? (await freePort());
    const child = await start(setup, port);
    const pid = child.pid as number;
    const ended = endOf(child);
    const ready = await isReady(child, setup, port, password).catch(async (error) => {
      await stopPostmaster(pid, setup.cluster, setup.log);
      throw error;
    });
    if (ready) return { pid, port, ended };
    // A full disk leaves no room for the log to say so.
    const tail = logTail(setup.dataDir, from) || (isFull(setup.dataDir) ? 'No space left on device' : '');
    if (tries === TRIES || !PASSING.test(tail)) {
      throw new Error(
        `PostgreSQL ended while starting (see ${logFile(setup.dataDir)}). Its last lines:\n${tail}`,
      );
    }
    await delay(tries * 100);
  }
}

/** A port that nobody listens on at this moment. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

async function start(setup: Setup, port: number): Promise<ChildProcess> {
  // We open the log, since PostgreSQL's user may not be able to.
  const log = openSync(logFile(setup.dataDir), 'a', 0o600);
  try {
    const child = spawn(
      setup.postgres,
      ['-D', pgdata(setup.user, setup.cluster), ...serverArguments(setup, port)],
      {
        ...spawnAs(setup.user, setup.cluster),
        stdio: ['ignore', log, log],
        // A session of its own: Ctrl-C must reach Avow only, which stops PostgreSQL last.
        detached: true,
      },
    );
    await new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    keep(child.pid as number, setup.cluster);
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

/** Waits until it accepts our connection; false when it ends instead. */
async function isReady(child: ChildProcess, setup: Setup, port: number, password: string): Promise<boolean> {
  const pid = child.pid as number;
  let told = Date.now();
  while (child.exitCode === null && child.signalCode === null) {
    const file = readPidFile(setup.cluster);
    if (file?.pid === pid && file.status === 'ready') {
      if ((await provision(port, password, setup.dataDir)) === 'ready') return true;
    } else if (Date.now() - told > STILL_STARTING_MS) {
      told = Date.now();
      setup.log('info', 'PostgreSQL is still starting; after a crash it recovers first', { pid });
    }
    await delay(10);
  }
  forget(pid);
  return false;
}

function isFull(dataDir: string): boolean {
  const { bavail, bsize } = statfsSync(dataDir);
  return bavail * bsize < 1024 * 1024;
}

/** How a process ended, once it has. */
function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? String(code))));
}
