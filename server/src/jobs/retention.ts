import type { Knex } from 'knex';
import { dropPartitionsBefore } from '../db/partitions';
import type { Logger } from '../logger';

/** Days in milliseconds. */
const DAY = 86_400_000;
/** Rows deleted by one statement, so that no lock is held for long. */
const CHUNK = 5_000;

/** Deletes what every environment's retention says is over: whole months by dropping partitions, the rest by rows. */
export async function applyRetention(
  db: Knex,
  log: Logger,
  now = new Date(),
  signal?: AbortSignal,
): Promise<void> {
  const sites: { id: string; days: number }[] = await db('environments').select(
    'id',
    db.raw("(settings->'retention_days'->>'consents')::int AS days"),
  );
  const longest = Math.max(0, ...sites.map(({ days }) => days));
  if (sites.length > 0) {
    const dropped = await dropPartitionsBefore(db, new Date(now.getTime() - longest * DAY));
    if (dropped.length > 0)
      log.info({ partitions: dropped }, 'retention dropped months that every site has outlived');
  }
  for (const { id, days } of sites) {
    if (signal?.aborted) return;
    const before = new Date(now.getTime() - days * DAY);
    for (const table of ['consents', 'session_choices', 'form_consents']) {
      const rows = await deleteBefore(db, table, id, before, signal);
      if (rows > 0) log.info({ table, rows }, 'retention deleted rows');
    }
  }
  await deleteShortLived(db, now);
}

/** What is kept for a fixed short time, whatever the site. */
async function deleteShortLived(db: Knex, now: Date): Promise<void> {
  await db('idempotency_keys')
    .where('created_at', '<', new Date(now.getTime() - DAY))
    .delete();
  await db('login_failures').where('window_end', '<', now).delete();
  await db('invitations').where('expires_at', '<', now).delete();
}

async function deleteBefore(
  db: Knex,
  table: string,
  environmentId: string,
  before: Date,
  signal: AbortSignal | undefined,
): Promise<number> {
  let total = 0;
  for (;;) {
    // Rows are found by their place, which the index gives without a sort.
    const { rowCount } = await db.raw<{ rowCount: number }>(
      `DELETE FROM ?? WHERE environment_id = ? AND recorded_at < ? AND recorded_at <= coalesce(
         (SELECT recorded_at FROM ?? WHERE environment_id = ? AND recorded_at < ? ORDER BY recorded_at OFFSET ? LIMIT 1), ?)`,
      [table, environmentId, before, table, environmentId, before, CHUNK, before],
    );
    total += rowCount;
    if (rowCount < CHUNK || signal?.aborted) return total;
  }
}
