import type { Knex } from 'knex';
import { dropPartitionsBefore, PARTITIONED, type PartitionedTable } from '../db/partitions';
import { REQUEST_DAYS } from '../domain/deadlines';
import type { Logger } from '../logger';
import { SCAN_DAYS } from '../scan/limits';

/** Days in milliseconds. */
const DAY = 86_400_000;
/** Rows deleted by one statement, so that no lock is held for long. */
const CHUNK = 5_000;
/** Days that the log of deliveries is kept, held ones included. */
const DELIVERY_DAYS = 30;

/** How long an environment keeps what. */
interface Keeping {
  id: string;
  consents: number;
  events: number;
  requests: number;
}

/** A table, the time that its rows are kept by, and for how many days. */
interface Kept {
  table: string;
  column: string;
  days(keeping: Keeping): number;
}

const TABLES: Kept[] = [
  { table: 'consents', column: 'recorded_at', days: ({ consents }) => consents },
  { table: 'session_choices', column: 'recorded_at', days: ({ consents }) => consents },
  { table: 'form_consents', column: 'recorded_at', days: ({ consents }) => consents },
  { table: 'events', column: 'occurred_at', days: ({ events }) => events },
  { table: 'deliveries', column: 'created_at', days: () => DELIVERY_DAYS },
];

/** Deletes what every environment's retention says is over: whole months by dropping partitions, the rest by rows. */
export async function applyRetention(
  db: Knex,
  log: Logger,
  now = new Date(),
  signal?: AbortSignal,
): Promise<void> {
  const keepings: Keeping[] = await db('environments').select(
    'id',
    db.raw("(settings->'retention_days'->>'consents')::int AS consents"),
    db.raw("(settings->'retention_days'->>'events')::int AS events"),
    db.raw("coalesce((settings->'retention_days'->>'requests')::int, ?) AS requests", [REQUEST_DAYS]),
  );
  if (keepings.length > 0) {
    for (const table of PARTITIONED) await dropOutlived(db, log, table, keepings, now);
  }
  for (const keeping of keepings) {
    if (signal?.aborted) return;
    for (const { table, column, days } of TABLES) {
      const before = new Date(now.getTime() - days(keeping) * DAY);
      const rows = await deleteBefore(db, table, column, keeping.id, before, signal);
      if (rows > 0) log.info({ table, rows }, 'retention deleted rows');
    }
    const rows = await deleteResolved(db, keeping, now);
    if (rows > 0) log.info({ table: 'dsar_requests', rows }, 'retention deleted rows');
  }
  await deleteShortLived(db, now);
}

/** Requests that were answered long ago: nobody can claim any more that they were not. */
const deleteResolved = (db: Knex, { id, requests }: Keeping, now: Date): Promise<number> =>
  db('dsar_requests')
    .where({ environment_id: id, status: 'resolved' })
    .andWhere('resolved_at', '<', new Date(now.getTime() - requests * DAY))
    .delete();

async function dropOutlived(
  db: Knex,
  log: Logger,
  table: PartitionedTable,
  keepings: Keeping[],
  now: Date,
): Promise<void> {
  const longest = Math.max(...keepings.map((keeping) => keeping[table]));
  const dropped = await dropPartitionsBefore(db, table, new Date(now.getTime() - longest * DAY));
  if (dropped.length > 0)
    log.info({ partitions: dropped }, 'retention dropped months that every site has outlived');
}

/** What is kept for a fixed short time, whatever the site. */
async function deleteShortLived(db: Knex, now: Date): Promise<void> {
  await db('idempotency_keys').where('expires_at', '<', now).delete();
  await db('cookie_scans')
    .where('created_at', '<', new Date(now.getTime() - SCAN_DAYS * DAY))
    .delete();
  await db('login_failures').where('window_end', '<', now).delete();
  await db('invitations').where('expires_at', '<', now).delete();
}

async function deleteBefore(
  db: Knex,
  table: string,
  column: string,
  environmentId: string,
  before: Date,
  signal: AbortSignal | undefined,
): Promise<number> {
  let total = 0;
  for (;;) {
    // Rows are found by their place, which the index gives without a sort.
    const { rowCount } = await db.raw<{ rowCount: number }>(
      `DELETE FROM :table: WHERE environment_id = :environmentId AND :column: < :before AND :column: <= coalesce(
         (SELECT :column: FROM :table: WHERE environment_id = :environmentId AND :column: < :before
          ORDER BY :column: OFFSET :chunk LIMIT 1), :before)`,
      { table, column, environmentId, before, chunk: CHUNK },
    );
    total += rowCount;
    if (rowCount < CHUNK || signal?.aborted) return total;
  }
}
