import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { renameDurably } from './durable';
import { makePassword, openPassword, readPassword, replacePassword } from './password';
import { processesIn, signal } from './processes';
import { pgdata, run, spawnAs } from './spawning';
import type { Setup } from './types';
import { giveTo } from './user';

const MAJOR = '18';
const UNFINISHED = 'postgres.init-';

/**
 * Creates the cluster, or prepares the existing one for a start; returns its password. No server may be
 * running in it.
 */
export async function ensureCluster(setup: Setup): Promise<string> {
  await removeUnfinished(setup.dataDir);
  if (!exists(setup.cluster)) return create(setup);
  if (setup.user && statSync(setup.cluster).uid !== setup.user.uid) giveTo(setup.cluster, setup.user);
  // PostgreSQL refuses a folder that others can enter, as a restored backup may be.
  chmodSync(setup.cluster, 0o700);
  return readPassword(setup.dataDir) ?? (await replacePassword(setup));
}

/** Whether there is a cluster that we can run; throws when there is one that we can't. */
function exists(cluster: string): boolean {
  const file = path.join(cluster, 'PG_VERSION');
  if (!existsSync(file)) {
    if (!existsSync(cluster) || readdirSync(cluster).length === 0) return false;
    throw new Error(
      `${cluster} exists, but holds no PostgreSQL cluster (PG_VERSION is missing): ` +
        `restore it from a backup, or move it away to start with an empty database.`,
    );
  }
  const version = readFileSync(file, 'utf8').trim();
  if (version !== MAJOR) {
    throw new Error(
      `${cluster} was made by PostgreSQL ${version}, and this Avow runs PostgreSQL ${MAJOR}: export the data with ` +
        `the Avow version that made it and import it into a new DATA_DIR, or set DATABASE_URL.`,
    );
  }
  return true;
}

/** Runs initdb in a temporary folder, so that an interrupted one is never mistaken for a cluster. */
async function create(setup: Setup): Promise<string> {
  const { user, dataDir } = setup;
  setup.log('info', 'Making a new PostgreSQL cluster', { folder: setup.cluster });
  const password = readPassword(dataDir) ?? makePassword(dataDir);
  const folder = mkdtempSync(path.join(dataDir, UNFINISHED));
  const fd = openPassword(setup, password);
  try {
    if (user) chownSync(folder, user.uid, user.gid);
    await run(setup.initdb, initdbArguments(setup, folder), {
      ...spawnAs(user, folder),
      stdio: ['ignore', 'pipe', 'pipe', fd],
    });
    renameDurably(folder, setup.cluster);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
  return password;
}

function initdbArguments({ user, settings }: Setup, folder: string): string[] {
  return [
    '-D',
    pgdata(user, folder),
    '--username=postgres',
    `--pwfile=${process.platform === 'linux' ? '/proc/self' : '/dev'}/fd/3`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Sorts by code point everywhere alike, and still knows upper and lower case beyond ASCII.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    ...(settings.fsync === 'off' ? ['--no-sync'] : []),
  ];
}

/** Removes what killed starts left behind, and ends an initdb that is still running. */
async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of readdirSync(dataDir).filter((entry) => entry.startsWith(UNFINISHED))) {
    const folder = path.join(dataDir, name);
    for (let tries = 0; processesIn(folder).length > 0 && tries < 100; tries++) {
      for (const pid of processesIn(folder)) signal(pid, 'SIGKILL');
      await delay(20);
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
