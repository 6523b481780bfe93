import type { Knex } from 'knex';

/** An event's time is taken before its transaction begins, at most this many seconds earlier. */
const AHEAD = 1;

/** The class of the advisory locks that name sites; the function of the database knows it. */
const SITES = 730_582_600;

/**
 * Says that a transaction writes events of this site only, before it writes: while it lasts, the events of other sites
 * are settled all the same. A cluster does not know it, and waits for every transaction.
 */
export async function nameSite(trx: Knex, environmentId: string): Promise<void> {
  await trx.raw('SELECT pg_advisory_xact_lock_shared(?, hashtext(?))', [SITES, environmentId]);
}

/**
 * The time before which no new event of the site can appear: now, or a second before the start of the oldest open
 * transaction that may write events of it. Read it in a separate statement before the events, so that the later one
 * sees what is committed in between.
 */
export async function findSettledTime(db: Knex, environmentId: string): Promise<Date> {
  // With the site alone as its value: a cluster runs it on the site's node, whose locks it reads.
  const { rows } = await db.raw<{ rows: { settled: Date }[] }>(
    `SELECT avow_settled_time(?::uuid, ${AHEAD}::float8) AS settled`,
    [environmentId],
  );
  return (rows[0] as { settled: Date }).settled;
}
