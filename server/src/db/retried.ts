import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { lostAgainstAnother } from './errors';

/** Deadlocks cost a second or two each before the database ends one of those who wait. */
const TRIES = 4;
/** Those that met once must not meet again, in milliseconds. */
const APART = 100;

/**
 * Runs a transaction once more that the database ended because it and others waited for each other: nothing of it is stored.
 * On a cluster that is nobody's mistake, because a change of one row of a copied table locks the table, and those that it
 * refers to after it. What the work remembers outside the database must bear a second run.
 * @param isAwaited whether anybody still waits for what comes of it
 */
export async function retried<Result>(
  work: () => Promise<Result>,
  isAwaited: () => boolean = () => true,
  triesLeft = TRIES - 1,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (triesLeft === 0 || !lostAgainstAnother(error)) throw error;
    await delay(randomInt(APART));
    if (!isAwaited()) throw error;
  }
  return retried(work, isAwaited, triesLeft - 1);
}
