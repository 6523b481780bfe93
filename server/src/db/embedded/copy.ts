import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { makeLinks, readLinks } from './links';
import type { Owner } from './types';
import { canReach } from './user';

interface Part {
  file: string;
  size: number;
}

/** Copies the binaries to the first of `places` from which `user` can run them; returns the copy's folder. */
export function copyTo(places: string[], native: string, user: Owner | undefined): string {
  const parts = listParts(native);
  const failures: string[] = [];
  for (const place of places) {
    try {
      const folder = path.join(place, copyName(native, parts));
      safeFolder(place);
      safeFolder(folder);
      if (user && !canReach(folder, user)) throw new Error(`user ${user.uid} can't reach it`);
      for (const part of parts) copyPart(part, native, folder);
      makeLinks(folder, readLinks(native));
      tryRun(folder, user);
      return folder;
    } catch (error) {
      failures.push(`${place}: ${(error as Error).message}`);
    }
  }
  throw new Error(
    `PostgreSQL's binaries in ${native} can't be used where they are${user ? ` by user ${user.uid}` : ''}, ` +
      `and copying them failed: install Avow in a folder that this user can read, set DATA_DIR to such a ` +
      `folder, or set DATABASE_URL. Tried ${failures.join('; ')}`,
  );
}

/** Names a copy by its contents, so that an upgrade never changes files that are in use. */
function copyName(native: string, parts: Part[]): string {
  const packageFile = path.join(native, '..', 'package.json');
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string };
  const hash = createHash('sha256').update(version).update(JSON.stringify(parts)).digest('hex');
  return `avow-postgres-${version}-${hash.slice(0, 12)}`;
}

function listParts(native: string): Part[] {
  return readdirSync(native, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(a|pc)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ file: path.relative(native, file), size: statSync(file).size }))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Makes a folder that nobody else can put programs into, or refuses one in which somebody could. */
function safeFolder(folder: string): void {
  makeFolder(folder);
  const stats = lstatSync(folder);
  // The temporary folder itself is open to all, but with the sticky bit nobody can replace another user's
  // files.
  if (stats.mode & 0o1000 && stats.uid === 0) return;
  if (!stats.isDirectory() || stats.uid !== process.getuid?.() || stats.mode & 0o022) {
    throw new Error(`${folder} is not ours alone (owner ${stats.uid}): remove it`);
  }
}

/** Makes a folder and those above it for all to read, whatever the umask. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder);
    chmodSync(folder, 0o755);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function copyPart({ file, size }: Part, from: string, to: string): void {
  const target = path.join(to, file);
  const there = lstatSync(target, { throwIfNoEntry: false });
  if (there?.isFile() && there.size === size) return;
  makeFolder(path.dirname(target));
  // Renamed when complete, so that an incomplete copy is never used.
  const temporary = `${target}.${randomUUID()}`;
  try {
    copyFileSync(path.join(from, file), temporary, constants.COPYFILE_FICLONE);
    chmodSync(temporary, 0o755);
    renameSync(temporary, target);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Folders mounted "noexec" look fine until something in them is run. */
function tryRun(folder: string, user: Owner | undefined): void {
  const run = spawnSync(path.join(folder, 'bin/postgres'), ['--version'], {
    ...user,
    cwd: '/',
    encoding: 'utf8',
  });
  if (run.error) throw run.error;
  if (run.status !== 0) throw new Error(`postgres --version failed: ${run.stderr.trim()}`);
}
