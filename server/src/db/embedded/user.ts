import {
  lchownSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import path from 'node:path';
import type { Owner } from './types';

/**
 * The user to run PostgreSQL as, or undefined for our own: PostgreSQL refuses to run as root, so root
 * needs another, and the cluster's owner stays the same from start to start.
 */
export function databaseUser(dataDir: string, cluster: string): Owner | undefined {
  const owner = ownerOf(cluster);
  const uid = process.getuid?.();
  if (uid !== 0) {
    if (owner && owner.uid !== uid) {
      throw new Error(
        `${cluster} belongs to user ${owner.uid}, and Avow runs as user ${uid}: ` +
          `run "chown -R ${uid} ${dataDir}" as root, or start Avow as the user it belongs to.`,
      );
    }
    return undefined;
  }
  if (owner && owner.uid !== 0) return owner;
  const parent = ownerOf(dataDir);
  // initdb insists on a user with a name; a folder mounted into a container may belong to one without.
  if (parent && parent.uid !== 0 && passwd().some(([, , id]) => Number(id) === parent.uid)) return parent;
  return named('postgres') ?? named('nobody') ?? { uid: 65534, gid: 65534 };
}

/** Whether `user` may enter every folder above `file` and use the file itself. */
export function canReach(file: string, user: Owner): boolean {
  const real = realpathSync(file);
  for (let folder = path.dirname(real); ; folder = path.dirname(folder)) {
    if (!allows(statSync(folder), user, 0o1)) return false;
    if (folder === path.dirname(folder)) break;
  }
  const stats = statSync(real);
  return allows(stats, user, stats.isDirectory() ? 0o5 : 0o4);
}

/** Makes `user` the owner of a folder and all in it. Links are not followed. */
export function giveTo(folder: string, user: Owner): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    lchownSync(path.join(entry.parentPath, entry.name), user.uid, user.gid);
  }
  lchownSync(folder, user.uid, user.gid);
}

function allows(stats: Stats, user: Owner, bits: number): boolean {
  // The first class that fits decides, as in the kernel: the owner does not get the others' rights.
  const shift = stats.uid === user.uid ? 6 : stats.gid === user.gid ? 3 : 0;
  return ((stats.mode >> shift) & bits) === bits;
}

function ownerOf(file: string): Owner | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats && { uid: stats.uid, gid: stats.gid };
}

function named(name: string): Owner | undefined {
  const [, , uid, gid] = passwd().find(([entry]) => entry === name) ?? [];
  // macOS lists nobody as -2, which is no uid that a process can take.
  return Number(uid) > 0 ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

/** The fields of /etc/passwd's lines. */
function passwd(): string[][] {
  try {
    return readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'));
  } catch {
    // Minimal containers may have none.
    return [];
  }
}
