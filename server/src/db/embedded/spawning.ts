import { type SpawnOptions, spawn } from 'node:child_process';
import type { Owner } from './types';
import { canReach } from './user';

/** The spawn options with which PostgreSQL's programs run as `user` in `dir`. */
export function spawnAs(user: Owner | undefined, dir: string): SpawnOptions {
  return {
    ...user,
    cwd: dir,
    // Nothing of our own environment: it holds secrets, and PG* variables that would steer the programs.
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
  };
}

/**
 * How PostgreSQL is told its data directory. A user who can't enter the folders above it (a clone below
 * /root, a private DATA_DIR) still can work in it: the directory is entered before root's rights are
 * dropped, and /proc/self/cwd leads there without passing through the folders above.
 */
export function pgdata(user: Owner | undefined, dir: string): string {
  if (!user || canReach(dir, user)) return dir;
  if (process.platform === 'linux') return '/proc/self/cwd';
  throw new Error(
    `User ${user.uid}, whom PostgreSQL runs as, can't reach ${dir}: set DATA_DIR to a folder it can.`,
  );
}

/** Runs a program to its end; returns what it wrote, or throws with it. */
export function run(program: string, args: string[], options: SpawnOptions, input = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, options);
    let output = '';
    const collect = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    // It may end before it has read all: its exit code tells why.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(output);
      else reject(new Error(`${program} failed (${signal ?? code}): ${lastLines(output)}`));
    });
  });
}

function lastLines(output: string): string {
  return output.trim().split('\n').slice(-8).join('\n');
}
