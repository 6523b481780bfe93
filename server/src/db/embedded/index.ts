import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { prepareBinaries } from './binaries';
import { ensureCluster } from './cluster';
import { explain } from './explain';
import { Keeper } from './keeper';
import { launch } from './launch';
import { type Lock, takeLock } from './lock';
import { adoptOrphan } from './orphan';
import { readPassword } from './password';
import { findNativeDir } from './platform';
import { urlOf } from './running';
import type { Embedded, EmbeddedOptions, Running, Setup } from './types';
import { databaseUser } from './user';

export { findRunning } from './running';
export type { Embedded, EmbeddedOptions } from './types';

/**
 * Starts the PostgreSQL that comes with Avow, with its data in `<dataDir>/postgres`. One process at a time
 * can use a data directory. A postmaster that a killed process left running is taken over; one that ends by
 * itself is started again on the same port.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir } = options;
  let lock: Lock | undefined;
  try {
    if (!path.isAbsolute(dataDir)) throw new Error(`DATA_DIR must be an absolute path, not "${dataDir}"`);
    const native = options.nativeDir ?? findNativeDir();
    // Private from the start: passwords and personal data live here.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    lock = await takeLock(dataDir);
    return await startLocked(options, native, lock);
  } catch (error) {
    lock?.release();
    throw explain(error, dataDir);
  }
}

async function startLocked(options: EmbeddedOptions, native: string, lock: Lock): Promise<Embedded> {
  const { dataDir, settings = {}, log = () => undefined } = options;
  const cluster = path.join(dataDir, 'postgres');
  const user = databaseUser(dataDir, cluster);
  const setup: Setup = { dataDir, cluster, ...prepareBinaries(native, dataDir, user), user, settings, log };

  let password = readPassword(dataDir);
  let running: Running | undefined = await adoptOrphan(setup, password);
  if (!running) {
    password = await ensureCluster(setup);
    running = await launch(setup, password);
  }
  const { pid, port } = running;
  log('info', 'PostgreSQL is ready', { pid, port, dataDir });

  const keeper = new Keeper(setup, password as string, running);
  let stopped: Promise<void> | undefined;
  return {
    url: (database) => urlOf(password, port, database),
    stop: () => {
      stopped ??= keeper.stop().finally(() => lock.release());
      return stopped;
    },
  };
}
