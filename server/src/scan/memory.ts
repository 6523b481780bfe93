import { readdir, readFile } from 'node:fs/promises';

/** Processes that are looked at together: on a busy machine, one after the other takes seconds. */
const AT_ONCE = 32;

/**
 * Measures what takes memory until it exceeds its limit, and reports that once. Times in milliseconds.
 */
export function boundMemory(
  measure: () => Promise<number>,
  bytes: number,
  every: number,
  onExceeded: () => void,
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let ended = false;
  const look = async (): Promise<void> => {
    const taken = await measure();
    if (ended) return;
    if (taken > bytes) onExceeded();
    else timer = setTimeout(() => void look(), every);
  };
  void look();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}

/**
 * Bytes of a group of processes: private and shared memory, but not the program, which all processes map.
 * Needs /proc; elsewhere only the browser's own limits apply.
 */
export async function memoryOf(group: number): Promise<number> {
  // Those of the kernel have no group.
  if (group <= 1) return 0;
  const entries = await readdir('/proc').catch(() => []);
  const pids = entries.filter((name) => /^\d+$/.test(name));
  let bytes = 0;
  for (let at = 0; at < pids.length; at += AT_ONCE) {
    const some = pids.slice(at, at + AT_ONCE).map((pid) => memoryIn(group, pid));
    for (const taken of await Promise.all(some)) bytes += taken;
  }
  return bytes;
}

/** Bytes of a process if it belongs to a group. */
async function memoryIn(group: number, pid: string): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // After the name, which may contain anything: state, parent, group (proc_pid_stat(5)).
  const [, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(itsGroup) === group ? memoryOfProcess(pid) : 0;
}

/** The same of one process. */
export async function memoryOfProcess(pid: number | string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  let kilobytes = 0;
  for (const [, count] of status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)) kilobytes += Number(count);
  return kilobytes * 1024;
}
