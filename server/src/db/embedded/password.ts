import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, fchownSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { writeDurably } from './durable';
import { pgdata, run, spawnAs } from './spawning';
import type { Setup } from './types';

/** Keeps the password of the cluster's two roles. */
export function passwordFile(dataDir: string): string {
  return path.join(dataDir, 'postgres-password');
}

/** The password made at the first start; undefined when there is none yet, or it was lost. */
export function readPassword(dataDir: string): string | undefined {
  const file = passwordFile(dataDir);
  try {
    const password = readFileSync(file, 'utf8').trim();
    // A restored backup may have lost the mode.
    chmodSync(file, 0o600);
    return password || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Makes a password and keeps it. */
export function makePassword(dataDir: string): string {
  const password = randomBytes(32).toString('hex');
  writeDurably(passwordFile(dataDir), `${password}\n`, 0o600);
  return password;
}

/**
 * A descriptor of a nameless file that `setup.user` can read: the password is never in a process's arguments.
 */
export function openPassword(setup: Setup, password: string): number {
  const file = path.join(setup.dataDir, `postgres-password.${process.pid}`);
  rmSync(file, { force: true });
  const written = openSync(file, 'wx', 0o600);
  try {
    writeSync(written, `${password}\n`);
    if (setup.user) fchownSync(written, setup.user.uid, setup.user.gid);
    return openSync(file, 'r');
  } finally {
    closeSync(written);
    rmSync(file);
  }
}

/** Gives an existing cluster, which must not be running, a new password in place of a lost one. */
export async function replacePassword(setup: Setup): Promise<string> {
  const { cluster, user } = setup;
  setup.log('warn', `${passwordFile(setup.dataDir)} is missing: PostgreSQL gets a new password`);
  const password = randomBytes(32).toString('hex');
  // The second role is missing if the first start was interrupted; that error can be ignored.
  const sql = ['postgres', 'avow'].map((role) => `ALTER ROLE ${role} PASSWORD '${password}';\n`).join('');
  await run(
    setup.postgres,
    ['--single', '-D', pgdata(user, cluster), 'postgres'],
    spawnAs(user, cluster),
    sql,
  );
  // Stored last: if this is interrupted, the next start begins again.
  writeDurably(passwordFile(setup.dataDir), `${password}\n`, 0o600);
  return password;
}
