import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isTaken } from './lock';
import { readPassword } from './password';
import { readPidFile } from './postmaster';
import { worksIn } from './processes';

/** How long one that is on its way up is waited for, in milliseconds. */
const MAX_WAIT = 15_000;

/** The connection string of a database of the cluster. */
export function urlOf(password: string | undefined, port: number, database = 'avow'): string {
  return `postgres://avow:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}

/**
 * The address of the embedded PostgreSQL that another process runs in `dataDir`; undefined when none does,
 * and `startEmbedded` can. Throws when a process holds the data directory and its PostgreSQL does not come
 * up.
 */
export async function findRunning(dataDir: string, maxWait = MAX_WAIT): Promise<string | undefined> {
  const cluster = path.join(dataDir, 'postgres');
  for (const end = Date.now() + maxWait; ; await delay(100)) {
    if (!(await isTaken(dataDir))) return undefined;
    const { pid, port, status } = readPidFile(cluster) ?? { pid: 0, port: 0, status: '' };
    if (status === 'ready' && worksIn(pid, cluster)) return urlOf(readPassword(dataDir), port);
    if (Date.now() > end) {
      throw new Error(
        `A server runs on DATA_DIR ${dataDir}, but its PostgreSQL is not ready: see its log, or stop it and try again.`,
      );
    }
  }
}
