import type { Knex } from 'knex';

/** An event's time is taken before its transaction begins, at most this many seconds earlier. */
const AHEAD = 1;

/**
 * The time before which no new event of the site can appear: now, or a second before the start of the oldest open
 * transaction that writes events. Read it in a separate statement before the events, so that the later one
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
