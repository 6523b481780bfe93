import type { Knex } from 'knex';
import { DATABASE_TIME } from '../db/clock';
import { clock } from '../domain/clock';

/** Changes to environments, found by the database's transaction numbers. */
export interface Changes {
  tokens: string[];
  /** The oldest open transaction: the next read starts with the changes of this and later ones. */
  horizon: string;
  /** Changes when another server answers, whose transaction numbers may differ. */
  server: string;
  /** Whether the database has the extension that spreads it over nodes. */
  cluster: boolean;
}

// A row stores the transaction that last changed it. Changes that this statement cannot see yet have a number
// at or above its horizon, however late they commit. The upper bound excludes rows restored from a database
// with higher numbers.
const READ_CHANGES = `
  SELECT ${DATABASE_TIME} AS now, pg_postmaster_start_time()::text AS server, pg_snapshot_xmin(pg_current_snapshot())::text AS horizon,
    to_regclass('pg_catalog.pg_dist_placement') IS NOT NULL AS cluster,
    array(SELECT token FROM environments
      WHERE changed_in >= :since::xid8 AND changed_in < pg_snapshot_xmax(pg_current_snapshot())) AS tokens`;

/**
 * The tokens of environments that changed since a horizon, and the next horizon; also sets the process's
 * clock.
 */
export async function readChanges(db: Knex, since: string): Promise<Changes> {
  const before = performance.now();
  const { rows } = await db.raw<{ rows: (Changes & { now: number })[] }>(READ_CHANGES, { since });
  const { now, ...changes } = rows[0] as Changes & { now: number };
  clock.observe(before, now, performance.now());
  return changes;
}
