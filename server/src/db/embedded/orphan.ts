import { readlinkSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { provision } from './connect';
import { endProcesses, keep, readPidFile, stopPostmaster } from './postmaster';
import { isAlive, processesIn, worksIn } from './processes';
import type { Running, Setup } from './types';

const SILENT_MS = 5_000;
const LOOK_MS = 500;

/**
 * Deals with what a killed Avow left running in the cluster: takes the postmaster over if it answers to our
 * password, else ends it. Only for the holder of the lock, since nobody else can be using it then.
 */
export async function adoptOrphan(setup: Setup, password: string | undefined): Promise<Running | undefined> {
  const { cluster, log } = setup;
  const pid = readPidFile(cluster)?.pid;
  if (pid && worksIn(pid, cluster)) {
    const port = password && sameProgram(pid, setup.postgres) && (await answers(setup, pid, password));
    if (port) {
      log('info', 'Took over the PostgreSQL that an earlier Avow left running', { pid, port });
      keep(pid, cluster);
      return { pid, port, ended: endOfAnother(pid, cluster) };
    }
    if (worksIn(pid, cluster))
      log('warn', 'Stopping the PostgreSQL that an earlier Avow left running', { pid });
    await stopPostmaster(pid, cluster, log);
  }
  if (processesIn(cluster).length > 0) {
    log('warn', 'Ending what is left of a PostgreSQL that was killed', { processes: processesIn(cluster) });
    await endProcesses(cluster);
  }
  removeMisleadingPidFile(cluster);
  return undefined;
}

/** The end of a process that is not our child can only be looked for. */
async function endOfAnother(pid: number, cluster: string): Promise<string> {
  while (worksIn(pid, cluster)) await delay(LOOK_MS, undefined, { ref: false });
  return 'for an unknown reason';
}

/** The port on which a postmaster lets us in; undefined when it does not, or ends. */
async function answers(
  { cluster, dataDir }: Setup,
  pid: number,
  password: string,
): Promise<number | undefined> {
  let silentSince = Date.now();
  while (worksIn(pid, cluster)) {
    const { port, status } = readPidFile(cluster) ?? { port: 0, status: '' };
    if (status === 'stopping') return undefined;
    // A recovery must not be interrupted: it would only start again.
    if (status === 'starting') silentSince = Date.now();
    try {
      if (status === 'ready' && (await provision(port, password, dataDir)) === 'ready') return port;
    } catch {
      return undefined;
    }
    if (Date.now() - silentSince > SILENT_MS) return undefined;
    await delay(25);
  }
  return undefined;
}

/** Whether a postmaster runs these very binaries, and not ones that an upgrade has replaced. */
function sameProgram(pid: number, program: string): boolean {
  if (process.platform !== 'linux') return true;
  try {
    return readlinkSync(`/proc/${pid}/exe`) === realpathSync(program);
  } catch {
    return false;
  }
}

/**
 * PostgreSQL itself clears up after a dead pid, but refuses to start when another program has that pid now.
 */
function removeMisleadingPidFile(cluster: string): void {
  const pid = readPidFile(cluster)?.pid;
  if (pid !== undefined && (pid <= 0 || isAlive(pid)))
    rmSync(path.join(cluster, 'postmaster.pid'), { force: true });
}
