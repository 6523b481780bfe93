import { chmod, chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '../find-chromium';
import { groupIn, pidFileIn } from '../groups';

/**
 * The browser's user when this process is root. No account uses it, so that it owns nothing else; the
 * embedded PostgreSQL may run as `nobody`.
 */
const FIRST_UID = 64_900;
const MAX_FILE_KB = 128 * 1024;
/** The lowest priority: a page that asks for all of the processor gets what the server leaves. */
const LEAST = 19;

/** A browser's profile, and the program that starts it with minimal privileges. */
export interface Confinement {
  program: string;
  profile: string;
  sandbox: boolean;
  /** The process group of everything that the browser starts, once it runs. */
  group(): Promise<number>;
  remove(): Promise<void>;
}

/**
 * Prepares a start of the browser: with its sandbox and the lowest priority, never as root, without core files, and with a
 * memory limit per process. All of it lies in `folder`, which is of this start alone. Without `sandbox` it runs as
 * this process does. Throws with an explanation when root cannot switch users.
 */
export async function confine(
  browser: string,
  preferences: object,
  { sandbox, memoryMb, folder }: { sandbox: boolean; memoryMb: number; folder: string },
): Promise<Confinement> {
  const isRoot = process.getuid?.() === 0;
  const user = sandbox && isRoot ? await freeUser() : undefined;
  const profile = join(folder, 'profile');
  const program = join(folder, 'start');
  await mkdir(join(profile, 'Default'), { recursive: true });
  await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify(preferences));
  if (user !== undefined) {
    // The launcher stays owned by root, so that another browser of that user cannot change it.
    await chmod(folder, 0o711);
    for (const path of ['', 'Default', join('Default', 'Preferences')])
      await chown(join(profile, path), user.id, user.id);
  }
  const become =
    user === undefined
      ? ''
      : `${quote(user.setpriv)} --reuid=${user.id} --regid=${user.id} --clear-groups -- `;
  await writeFile(
    program,
    `#!/bin/sh
ulimit -c 0
ulimit -d ${2 * memoryMb * 1024} 2>/dev/null
ulimit -f ${MAX_FILE_KB * 2} 2>/dev/null
echo $$ > ${quote(pidFileIn(folder))}
exec nice -n ${LEAST} ${become}${quote(browser)} "$@"
`,
    { mode: 0o755 },
  );
  return {
    program,
    profile,
    sandbox,
    group: async () => groupIn(folder),
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined),
  };
}

/** An unused user, and the program that switches to it. Throws when there is none. */
async function freeUser(): Promise<{ id: number; setpriv: string }> {
  const setpriv = findProgram(['setpriv']);
  if (setpriv === undefined)
    throw new Error(
      'the server runs as root and setpriv (util-linux) is not installed: run the server as another user',
    );
  const accounts = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const taken = new Set(accounts.split('\n').map((line) => Number(line.split(':')[2])));
  let id = FIRST_UID;
  while (taken.has(id)) id += 1;
  return { id, setpriv };
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
