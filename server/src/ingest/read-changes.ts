import type { Knex } from 'knex';
import { DATABASE_TIME } from '../db/clock';
import { clock } from '../domain/clock';

/** What has changed of the environments, by the database's own account of its transactions. */
export interface Changes {
  tokens: string[];
  /** The oldest transaction that was not over: what it and later ones change is found from here on. */
  horizon: string;
  /** Another one when another server answers, whose transactions may have other numbers. */
  server: string;
}

// A row keeps the transaction that changed it last. What this statement could not see yet has a number at or
// above its horizon, however late it commits. The upper bound leaves rows out that were restored from a
// database with higher numbers.
const READ_CHANGES = `
  SELECT ${DATABASE_TIME} AS now, pg_postmaster_start_time()::text AS server, pg_snapshot_xmin(pg_current_snapshot())::text AS horizon,
    array(SELECT token FROM environments
      WHERE changed_in >= :since::xid8 AND changed_in < pg_snapshot_xmax(pg_current_snapshot())) AS tokens`;

/**
 * The tokens of environments that changed since a horizon, and the next one; sets the process's clock on the
 * way.
 */
export async function readChanges(db: Knex, since: string): Promise<Changes> {
  const before = performance.now();
  const { rows } = await db.raw<{ rows: (Changes & { now: number })[] }>(READ_CHANGES, { since });
  const { now, ...changes } = rows[0] as Changes & { now: number };
  clock.observe(before, now, performance.now());
  return changes;
}
