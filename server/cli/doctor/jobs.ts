import type { Knex } from 'knex';
import { HOUR_MS } from '../../src/domain/time';
import { EVERY } from '../../src/jobs';
import { type Finding, fine, warning } from './finding';

/** Runs that may be left out before it is worth a thought: a process may have been down for a while. */
const LEFT_OUT = 3;

interface Run {
  name: string;
  /** By the database's clock: since the last run, or since the installation when there was none. */
  hours: number;
  ran: boolean;
}

/**
 * Whether scheduled work is done: without it no month gets its tables, and nothing is deleted when its time
 * is over.
 */
export async function checkJobs(db: Knex): Promise<Finding> {
  const { rows } = await db.raw<{ rows: Run[] }>(
    `SELECT name, finished_at IS NOT NULL AS ran,
       extract(epoch FROM clock_timestamp() - coalesce(finished_at, (SELECT min(migration_time) FROM avow_migrations)))::float8 / 3600 AS hours
     FROM unnest(?::text[]) AS name LEFT JOIN job_runs USING (name) ORDER BY name`,
    [Object.keys(EVERY)],
  );
  const late = rows.filter(
    ({ name, hours }) => hours * HOUR_MS > EVERY[name as keyof typeof EVERY] * LEFT_OUT,
  );
  if (late.length === 0) return fine('Jobs: they run');
  const told = late.map(({ name, ran, hours }) =>
    ran ? `${name} last ran ${Math.floor(hours)} hours ago` : `${name} has never run`,
  );
  return warning(
    `Jobs: ${told.join(', ')}`,
    'check that a process with ROLE=all or ROLE=worker runs, and look for "a job failed" in its log',
  );
}
