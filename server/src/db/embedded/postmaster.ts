import { readFileSync } from 'node:fs';
import path from 'node:path';
import { processesIn, signal, waitUntil, worksIn } from './processes';
import type { Log } from './types';

const FAST_MS = 60_000;
const IMMEDIATE_MS = 10_000;

interface PidFile {
  pid: number;
  port: number;
  status: string;
}

/** What a postmaster says about itself in its data directory; lines it has not written yet are 0 or ''. */
export function readPidFile(cluster: string): PidFile | undefined {
  try {
    const lines = readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    return { pid: Number(lines[0]) || 0, port: Number(lines[3]) || 0, status: lines[7]?.trim() ?? '' };
  } catch {
    return undefined;
  }
}

/** The postmasters to shut down should this process exit without stop(): pid and cluster. */
const ours = new Map<number, string>();

function shutDownAll(): void {
  for (const [pid, cluster] of ours) if (worksIn(pid, cluster)) signal(pid, 'SIGINT');
}

/** From now on the postmaster ends with this process, unless that is killed. */
export function keep(pid: number, cluster: string): void {
  if (ours.size === 0) process.once('exit', shutDownAll);
  ours.set(pid, cluster);
}

export function forget(pid: number): void {
  ours.delete(pid);
  if (ours.size === 0) process.off('exit', shutDownAll);
}

/** Shuts a postmaster down and waits until it is gone, with more force when it does not go. */
export async function stopPostmaster(pid: number, cluster: string, log: Log): Promise<void> {
  forget(pid);
  const gone = () => !worksIn(pid, cluster);
  if (gone()) return;
  // SIGINT is PostgreSQL's "fast" shutdown: clients are disconnected, everything is written to disk.
  signal(pid, 'SIGINT');
  if (await waitUntil(gone, FAST_MS)) return;
  log('warn', `PostgreSQL (process ${pid}) is slow to stop: stopping it at once, the next start recovers`);
  signal(pid, 'SIGQUIT');
  if (await waitUntil(gone, IMMEDIATE_MS)) return;
  await endProcesses(cluster);
}

/** Ends what is left of a postmaster that died; with it gone these processes have nothing to finish. */
export async function endProcesses(cluster: string): Promise<void> {
  for (const name of ['SIGQUIT', 'SIGKILL'] as const) {
    for (const pid of processesIn(cluster)) signal(pid, name);
    if (await waitUntil(() => processesIn(cluster).length === 0, 5_000)) return;
  }
  throw new Error(
    `PostgreSQL processes ${processesIn(cluster).join(', ')} still work in ${cluster} and do not end: ` +
      `is the disk answering? End them, or set DATA_DIR to another folder.`,
  );
}
