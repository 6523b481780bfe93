import { readdir, readFile } from 'node:fs/promises';

/** How often it is looked at, in milliseconds. */
const LOOK = 250;

/**
 * Kills a group of processes that takes more memory than it may, and says so. Only where there is /proc;
 * elsewhere what the browser bounds by itself holds.
 */
export function boundMemory(group: number, bytes: number, onKill: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const look = async (): Promise<void> => {
    const taken = await memoryOf(group);
    if (ended) return;
    if (taken <= bytes) {
      timer = setTimeout(() => void look(), LOOK);
      return;
    }
    onKill();
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  };
  void look();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}

/** Bytes of a group: of its own memory and of what it shares, but not of its program, which all map. */
export async function memoryOf(group: number): Promise<number> {
  const entries = await readdir('/proc').catch(() => []);
  let kilobytes = 0;
  for (const pid of entries) {
    if (!/^\d+$/.test(pid)) continue;
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // Behind the name, which may hold anything: state, parent, group (proc_pid_stat(5)).
    const [, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(itsGroup) !== group) continue;
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    for (const [, count] of status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)) kilobytes += Number(count);
  }
  return kilobytes * 1024;
}
