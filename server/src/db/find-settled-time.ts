import type { Knex } from 'knex';

/** An event's time is taken before its transaction begins, at most this many seconds earlier. */
const AHEAD = 1;

/** Tables of which an event's transaction writes one at least before, or with, the event. */
const WRITTEN = ['consents', 'dsar_requests', 'breaches', 'events'];

/**
 * The time before which no new event can appear: now, or a second before the start of the oldest open
 * transaction that writes events. Read it in a separate statement before the events, so that the later one
 * sees what is committed in between.
 */
export async function findSettledTime(db: Knex): Promise<Date> {
  // PostgreSQL keeps a lock for every table that an open transaction has written to; reading it costs the
  // writers nothing.
  const { rows } = await db.raw<{ rows: { settled: Date }[] }>(
    `SELECT least(clock_timestamp(), min(writer.xact_start) - make_interval(secs => ?)) AS settled
     FROM pg_locks held JOIN pg_stat_activity writer USING (pid)
     WHERE held.locktype = 'relation' AND held.mode = 'RowExclusiveLock' AND held.granted
       AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND held.relation = ANY (?::text[]::regclass[]::oid[]) AND pid <> pg_backend_pid()`,
    [AHEAD, WRITTEN],
  );
  return (rows[0] as { settled: Date }).settled;
}
