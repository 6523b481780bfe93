import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import { isUnavailable } from '../db/errors';
import type { Logger } from '../observability/logger';

/**
 * How long to wait for a database that does not answer yet, and the pause between attempts, in milliseconds.
 */
const MAX_WAIT = 15_000;
const PAUSE = 500;

/**
 * Waits for a database that is slow or starts together with this process; throws the error of the last
 * attempt.
 */
export async function awaitDatabase(db: Knex, log: Logger): Promise<void> {
  let told = false;
  for (const end = performance.now() + MAX_WAIT; ; await delay(PAUSE)) {
    try {
      await db.raw('SELECT 1');
      return;
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > end) throw error;
      if (!told) log.warn({ error }, 'the database does not answer yet: it is tried again for a while');
      told = true;
    }
  }
}
