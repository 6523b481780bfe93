import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const hasProc = existsSync('/proc/self/stat');

/**
 * When a process started, in the system's own words: a pid alone can be reused. Undefined when it has ended.
 */
export function startTime(pid: number): string | undefined {
  if (!hasProc) return ps(pid, 'lstart=');
  try {
    // The second field is the program's name, in brackets, and may hold anything.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(')').pop()?.trim().split(' ') ?? [];
    // A zombie has ended, only nobody has asked how.
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

/** Whether a pid belongs to any process. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether `pid` is a PostgreSQL that works in `dir`, and not some later program with the same pid. */
export function worksIn(pid: number, dir: string): boolean {
  if (!hasProc) {
    const command = ps(pid, 'command=') ?? '';
    return command.includes('postgres') && command.includes(dir);
  }
  try {
    if (!/^(postgres|initdb)$/.test(readFileSync(`/proc/${pid}/comm`, 'utf8').trim())) return false;
    if (readlinkSync(`/proc/${pid}/cwd`) === realpathSync(dir)) return true;
    const [a, b] = [statSync(`/proc/${pid}/cwd`), statSync(dir)];
    return a.ino === b.ino && a.dev === b.dev;
  } catch {
    return false;
  }
}

/** The PostgreSQL processes that work in `dir`; always empty where there is no /proc to ask. */
export function processesIn(dir: string): number[] {
  if (!hasProc) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => worksIn(pid, dir));
}

/** Sends a signal to a process that may have just ended. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Waits until `done` holds, looking often; false when it still does not after `ms`. */
export async function waitUntil(done: () => boolean, ms: number): Promise<boolean> {
  const deadline = Date.now() + ms;
  while (!done()) {
    if (Date.now() > deadline) return false;
    await delay(15);
  }
  return true;
}

function ps(pid: number, column: string): string | undefined {
  const { stdout } = spawnSync('ps', ['-ww', '-o', column, '-p', String(pid)], { encoding: 'utf8' });
  return stdout?.trim() || undefined;
}
