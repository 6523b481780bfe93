import type { Knex } from 'knex';
import { CHOICE_DAY } from '../db/consent-records';
import { dropPartitionsBefore, PARTITIONED, type PartitionedTable } from '../db/partitions';
import { planRetention, type RetainedSite, retainedSites } from '../db/plan-retention';
import { endHold, findHold, hold, isAllowed } from '../db/retention-holds';
import { isOverBound, outlivedBefore, RETAINED, type Retained, recordsOf } from '../domain/retention';
import { DAY_MS } from '../domain/time';
import { logFailure } from '../observability/failures';
import type { Logger } from '../observability/logger';
import { SCAN_DAYS } from '../scan/limits';
import { KNOWN_FOR } from '../security/login-limit';

/** Rows deleted by one statement, so that no lock is held for long. */
const CHUNK = 5_000;
/** Days for which an invitation is kept after its link has expired; until then it can be renewed. */
const INVITATION_DAYS = 90;
/** Days that the log of deliveries is kept, held ones included. */
const DELIVERY_DAYS = 30;

/**
 * Deletes what has expired by each environment's retention: whole months by dropping partitions, the rest row
 * by row. If a run would delete too much of a site at once, it keeps everything until an owner allows it.
 * `now` must be the database's time.
 */
export async function applyRetention(db: Knex, log: Logger, now: Date, signal?: AbortSignal): Promise<void> {
  const sites = await retainedSites(db);
  const held: string[] = [];
  const ended: string[] = [];
  for (const site of sites) {
    if (signal?.aborted) return;
    const fate = await fateOf(db, log, site, now);
    if (fate === 'held') held.push(site.id);
    if (fate === 'ends') ended.push(site.id);
  }
  for (const table of PARTITIONED) {
    if (signal?.aborted) return;
    await dropOutlived(db, log, table, { sites, held }, now);
  }
  const failures: unknown[] = [];
  for (const site of sites) {
    if (signal?.aborted) return;
    if (held.includes(site.id)) continue;
    try {
      await deleteOutlived(db, log, site, now, signal);
      // Only now, because an allowance must survive an interrupted run.
      if (ended.includes(site.id) && !signal?.aborted) await endHold(db, site.id);
    } catch (error) {
      // It must not stop the other sites, and the run has failed all the same.
      failures.push(error);
    }
  }
  await deleteShortLived(db, now, signal);
  if (failures.length > 0) throw failures[0];
}

/** What this run does with a site; one whose plan fails keeps everything and does not stop the others. */
async function fateOf(db: Knex, log: Logger, site: RetainedSite, now: Date): Promise<Fate> {
  try {
    return await decideFate(db, log, site, now);
  } catch (error) {
    logFailure(
      log,
      'error',
      { error },
      "a site's retention could not be planned: nothing is deleted from it",
    );
    return 'held';
  }
}

/**
 * `held`: nothing is deleted, because a run would delete too much and no owner has allowed it. `ends`: the
 * run deletes, and thereby ends a hold or an allowance.
 */
type Fate = 'held' | 'cleaned' | 'ends';

async function decideFate(db: Knex, log: Logger, site: RetainedSite, now: Date): Promise<Fate> {
  const plan = await planRetention(db, site, now);
  const before = await findHold(db, site.id);
  const records = recordsOf(plan);
  const isOver = plan.some(isOverBound);
  if (isOver && !isAllowed(before, records, now)) {
    await hold(db, site.id, records, now, before?.held_since ?? null);
    if (before?.held_since == null) {
      log.warn(
        { environment_id: site.id, records },
        'retention would delete more than a quarter of a site: nothing is deleted from it until an owner allows it',
      );
    }
    return 'held';
  }
  // An allowance that this run did not need is kept for one that does.
  return before !== undefined && (isOver || before.held_since !== null) ? 'ends' : 'cleaned';
}

async function deleteOutlived(
  db: Knex,
  log: Logger,
  site: RetainedSite,
  now: Date,
  signal: AbortSignal | undefined,
): Promise<void> {
  const remove = async (table: string, column: string, before: Date): Promise<void> => {
    const rows = await deleteBefore(db, table, column, site.id, before, signal);
    if (rows > 0) log.info({ table, rows }, 'retention deleted rows');
  };
  // An owner may have lengthened the retention since the run began; a shorter one waits for the next plan.
  const [present] = await retainedSites(db).where({ id: site.id });
  if (present === undefined) return;
  const beforeOf = (setting: Retained['setting']): Date =>
    new Date(
      Math.min(...[site, present].map(({ settings }) => outlivedBefore(settings, setting, now).getTime())),
    );
  for (const { table, column, setting } of RETAINED) await remove(table, column, beforeOf(setting));
  // Not counted by the plan: the latest choices are deleted with their records.
  await deleteChoicesBefore(db, site.id, beforeOf('consents'), signal);
  for (const table of ['deliveries', 'redeliveries'])
    await remove(table, 'created_at', new Date(now.getTime() - DELIVERY_DAYS * DAY_MS));
}

async function dropOutlived(
  db: Knex,
  log: Logger,
  table: PartitionedTable,
  { sites, held }: { sites: RetainedSite[]; held: string[] },
  now: Date,
): Promise<void> {
  if (sites.length === 0) return;
  // Read again, because an owner may have lengthened the retention since the run began.
  const present = await retainedSites(db);
  const befores = [...sites, ...present].map(({ settings }) =>
    outlivedBefore(settings, table, now).getTime(),
  );
  const dropped = await dropPartitionsBefore(db, table, new Date(Math.min(...befores)), held);
  if (dropped.length > 0)
    log.info({ partitions: dropped }, 'retention dropped months that every site has outlived');
}

/** What is kept for a fixed short time on every site. */
async function deleteShortLived(db: Knex, now: Date, signal: AbortSignal | undefined): Promise<void> {
  await deleteExpiredKeys(db, now, signal);
  await db('cookie_scans')
    .where('created_at', '<', new Date(now.getTime() - SCAN_DAYS * DAY_MS))
    .delete();
  await db('login_failures').where('window_end', '<', now).delete();
  await db('login_networks')
    .where('seen_at', '<', new Date(now.getTime() - KNOWN_FOR))
    .delete();
  await db('ended_sessions').where('expires_at', '<', now).delete();
  await db('invitations').where('expires_at', '<', now).delete();
  // They hold the addresses of people who never accepted.
  await db('site_invitations')
    .where('expires_at', '<', new Date(now.getTime() - INVITATION_DAYS * DAY_MS))
    .delete();
  await db.raw(
    `DELETE FROM domain_proofs p USING environments e WHERE e.id = p.environment_id
       AND NOT p.domain = ANY (e.domains) AND (p.proven_until IS NULL OR p.proven_until < ?)`,
    [now],
  );
}

/** In chunks: after a standstill there may be millions, too many for one statement's timeout. */
async function deleteExpiredKeys(db: Knex, now: Date, signal: AbortSignal | undefined): Promise<void> {
  for (;;) {
    const { rowCount } = await db.raw<{ rowCount: number }>(
      `DELETE FROM idempotency_keys WHERE (environment_id, scope, key) IN (
         SELECT environment_id, scope, key FROM idempotency_keys WHERE expires_at < ?
         ORDER BY expires_at LIMIT ?)`,
      [now, CHUNK],
    );
    if (rowCount < CHUNK || signal?.aborted) return;
  }
}

/** Found by their day, which is all that the index holds; each chunk begins with the day of the one before. */
async function deleteChoicesBefore(
  db: Knex,
  environmentId: string,
  before: Date,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let from: string | null = '-infinity'; from !== null && !signal?.aborted; ) {
    const gone: { rows: { until: string | null }[] } = await db.raw(
      `WITH gone AS (
         DELETE FROM session_choices WHERE environment_id = :environmentId AND session_id IN (
           SELECT session_id FROM session_choices WHERE environment_id = :environmentId AND recorded_at < :before
             AND ${CHOICE_DAY} BETWEEN :from::date AND (:before::timestamptz AT TIME ZONE 'UTC')::date
           ORDER BY ${CHOICE_DAY} LIMIT ${CHUNK})
         RETURNING ${CHOICE_DAY} AS day
       ) SELECT CASE WHEN count(*) = ${CHUNK} THEN max(day)::text END AS until FROM gone`,
      { environmentId, before, from },
    );
    from = gone.rows[0]?.until ?? null;
  }
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
  let from = '-infinity';
  for (;;) {
    // Rows are found in index order, without a sort, from where the last chunk ended; before it the index
    // holds only a growing number of dead entries.
    const { rows } = await db.raw<{ rows: { n: number; until: string | null }[] }>(
      `WITH chunk AS (
         SELECT coalesce(
           (SELECT :column: FROM :table:
            WHERE environment_id = :environmentId AND :column: >= :from::timestamptz AND :column: < :before
            ORDER BY :column: OFFSET :chunk LIMIT 1), :before) AS until
       ), gone AS (
         DELETE FROM :table: WHERE environment_id = :environmentId AND :column: >= :from::timestamptz
           AND :column: < :before AND :column: <= (SELECT until FROM chunk) RETURNING 1
       ) SELECT (SELECT count(*) FROM gone)::int AS n, (SELECT until::text FROM chunk) AS until`,
      { table, column, environmentId, before, chunk: CHUNK, from },
    );
    const { n, until } = rows[0] as { n: number; until: string };
    total += n;
    if (n < CHUNK || signal?.aborted) return total;
    from = until;
  }
}
