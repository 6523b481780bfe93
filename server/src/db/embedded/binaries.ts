import { chmodSync, readdirSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { copyTo } from './copy';
import { makeLinks, readLinks } from './links';
import type { Owner } from './types';
import { canReach } from './user';

export interface Binaries {
  initdb: string;
  postgres: string;
}

const PROGRAMS = ['bin/initdb', 'bin/postgres'];

/** Programs that `user` (or, without one, we) can run: in place if possible, else from a copy. */
export function prepareBinaries(native: string, dataDir: string, user: Owner | undefined): Binaries {
  const usable = completeInPlace(native) && (!user || reachable(native, user));
  const folder = usable ? native : copyTo(placesFor(dataDir, user), native, user);
  return { initdb: path.join(folder, 'bin/initdb'), postgres: path.join(folder, 'bin/postgres') };
}

/** Where a copy may live: with the data, if `user` gets there. */
function placesFor(dataDir: string, user: Owner | undefined): string[] {
  const beside = path.join(dataDir, 'postgres-bin');
  if (!user) return [beside];
  // The temporary folder comes last: systems remove old files from it one by one, even those in use.
  return [...(canReach(dataDir, user) ? [beside] : []), '/var/cache/avow', os.tmpdir()];
}

/** Does what the package's install script would have done; false where node_modules cannot be changed. */
function completeInPlace(native: string): boolean {
  try {
    makeLinks(native, readLinks(native));
    for (const program of PROGRAMS) {
      const file = path.join(native, program);
      const { mode } = statSync(file);
      if ((mode & 0o111) !== 0o111) chmodSync(file, mode | 0o555);
    }
    return true;
  } catch (error) {
    if (/^(EACCES|EPERM|EROFS)$/.test((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

function reachable(native: string, user: Owner): boolean {
  // One umask made all of the package's files, so a few of each kind tell about the rest.
  const lib = path.join(native, 'lib');
  const files = [...PROGRAMS, 'lib', 'lib/postgresql', 'share/postgresql/postgres.bki'];
  return [
    ...files.map((file) => path.join(native, file)),
    ...readdirSync(lib).map((name) => path.join(lib, name)),
  ].every((file) => canReach(file, user));
}
