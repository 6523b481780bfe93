import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Logger } from '../logger';
import { isUnavailable } from './errors';

/** How long a database that does not answer yet is waited for, and the pause between two tries, in milliseconds. */
const PATIENCE = 15_000;
const PAUSE = 500;

/** Waits for a database that starts together with this process, or is slow; throws what the last try threw. */
export async function awaitDatabase(db: Knex, log: Logger): Promise<void> {
  let told = false;
  for (const end = Date.now() + PATIENCE; ; await delay(PAUSE)) {
    try {
      await db.raw('SELECT 1');
      return;
    } catch (error) {
      if (!isUnavailable(error) || Date.now() > end) throw error;
      if (!told) log.warn({ error }, 'the database does not answer yet: it is tried again for a while');
      told = true;
    }
  }
}
