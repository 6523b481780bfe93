import { readdir, readFile } from 'node:fs/promises';

/** How often it is checked, in milliseconds. */
const LOOK = 250;

/**
 * Kills a process group that exceeds its memory limit, and reports it. Needs /proc; elsewhere only the
 * browser's own limits apply.
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

/** Bytes of a group: private and shared memory, but not the program, which all processes map. */
export async function memoryOf(group: number): Promise<number> {
  const entries = await readdir('/proc').catch(() => []);
  let kilobytes = 0;
  for (const pid of entries) {
    if (!/^\d+$/.test(pid)) continue;
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    // After the name, which may contain anything: state, parent, group (proc_pid_stat(5)).
    const [, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(itsGroup) !== group) continue;
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    for (const [, count] of status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)) kilobytes += Number(count);
  }
  return kilobytes * 1024;
}
