import { setTimeout as delay } from 'node:timers/promises';

/** How often to try again while the database is unreachable, in milliseconds. */
const AGAIN = 500;

/**
 * Writes the result of something that was sent to others, again and again while the database fails: a short outage must
 * not cause everything to be sent twice.
 * @param limit how long, in milliseconds: no longer than the lease under which it was sent
 */
export async function writeForSure<Result>(
  write: () => Promise<Result>,
  limit: number,
  isClosed: () => boolean,
): Promise<Result> {
  for (const end = performance.now() + limit; ; await delay(AGAIN)) {
    try {
      return await write();
    } catch (error) {
      if (performance.now() > end || isClosed()) throw error;
    }
  }
}
