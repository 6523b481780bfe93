import type { Knex } from 'knex';
import { deleteOrphans } from '../db/delete-orphans';
import { CHUNK, deleteBefore, deleteChoicesBefore, dropNoted, type Outlived } from '../db/delete-outlived';
import { ErasureNote } from '../db/erasure-log';
import { forgetDropped } from '../db/ledger/outlived';
import { dropPartitionsBefore, listPartitions, PARTITIONED, type PartitionedTable } from '../db/partitions';
import { planRetention, type RetainedSite, retainedSites } from '../db/plan-retention';
import { endHold, findHold, hold, isAllowed } from '../db/retention-holds';
import { sealCutOff } from '../db/seal-erasures';
import { endedBefore } from '../domain/api-keys';
import { DELIVERY_DAYS } from '../domain/delivery-rules';
import { isOverBound, outlivedBefore, RETAINED, type Retained, recordsOf } from '../domain/retention';
import { DAY_MS } from '../domain/time';
import type { RetentionRule } from '../domain/types';
import { eraseOldMails } from '../mail/erase-mails';
import { logFailure, tellOnce } from '../observability/failures';
import type { Logger } from '../observability/logger';
import { SCAN_DAYS } from '../scan/limits';
import { KNOWN_FOR } from '../security/login-limit';
import { deleteStray } from '../services/attachments';
import { deleteOldAnswers } from '../services/mail/erase-person';

/** Days for which an invitation is kept after its link has expired; until then it can be renewed. */
const INVITATION_DAYS = 90;

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
  const failures: unknown[] = [];
  for (const table of PARTITIONED) {
    if (signal?.aborted) return;
    // What one site keeps from being dropped is deleted row by row.
    await dropOutlived(db, log, table, { sites, held }, now).catch((error) => void failures.push(error));
  }
  const months = await listPartitions(db);
  const kept = new Set(months.flatMap(({ table, start }) => (table === 'consents' ? start.getTime() : [])));
  for (const site of sites) {
    if (signal?.aborted) return;
    await forgetDropped(db, site.id, kept).catch((error) => void failures.push(error));
    await endCutOff(db, log, site, now).catch((error) => void failures.push(error));
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
  await deleteShortLived(db, log, now, signal);
  if (failures.length > 0) throw failures[0];
}

async function endCutOff(db: Knex, log: Logger, { id }: RetainedSite, now: Date): Promise<void> {
  const refused = await sealCutOff(db, id, now);
  if (refused.length === 0) return;
  const words =
    'a record of an erasure was changed in the database, and is not sealed: run npm run doctor -- --ledger';
  const about = { environment_id: id };
  const fields = { ...about, erasures: refused.length, first: refused[0] };
  tellOnce(log, { level: 'error', key: `changed erasure ${id}`, fields, message: words, words, about });
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
  const noteOf = (rule: RetentionRule): ErasureNote => ErasureNote.ofRule(db, site.id, rule, now);
  const notes = {
    ...{ consents: noteOf('consents'), events: noteOf('events') },
    ...{ requests: noteOf('requests'), deliveries: noteOf('deliveries') },
  };
  try {
    await deleteNoted(log, { db, site, now, notes }, signal);
  } catch (error) {
    // What failed says more than that its records could not be ended either.
    await ErasureNote.endRun(Object.values(notes), false).catch(() => undefined);
    throw error;
  }
  await ErasureNote.endRun(Object.values(notes), signal?.aborted !== true);
}

interface SiteRun {
  db: Knex;
  site: RetainedSite;
  now: Date;
  notes: Record<RetentionRule, ErasureNote>;
}

async function deleteNoted(
  log: Logger,
  { db, site, now, notes }: SiteRun,
  signal: AbortSignal | undefined,
): Promise<void> {
  const remove = async (outlived: Outlived): Promise<void> => {
    const rows = await deleteBefore(db, site.id, outlived, signal);
    if (rows > 0) log.info({ table: outlived.table, rows }, 'retention deleted rows');
  };
  // An owner may have lengthened the retention since the run began; a shorter one waits for the next plan.
  const [present] = await retainedSites(db).where({ id: site.id });
  if (present === undefined) return;
  const beforeOf = (setting: Retained['setting']): Date =>
    new Date(
      Math.min(...[site, present].map(({ settings }) => outlivedBefore(settings, setting, now).getTime())),
    );
  for (const { kind, table, column, setting } of RETAINED) {
    const before = beforeOf(setting);
    // Of records of erasures there is none, which would make one more each day for ever.
    if (kind === 'erasures') await remove({ table, column, before });
    else {
      const subject = kind === 'requests' ? 'request_id' : undefined;
      await remove({ table, column, before, kind, subject, note: notes[setting as keyof typeof notes] });
    }
  }
  const orphans = await deleteOrphans(notes.requests, now, signal);
  if (orphans > 0) log.info({ rows: orphans }, 'retention deleted events of requests that were gone');
  // Not counted by the plan: the latest choices are deleted with their records.
  await deleteChoicesBefore(notes.consents, beforeOf('consents'), signal);
  const before = new Date(now.getTime() - DELIVERY_DAYS * DAY_MS);
  await remove({
    ...{ table: 'deliveries', column: 'created_at', before },
    ...{ kind: 'deliveries', note: notes.deliveries },
  });
  await remove({ table: 'redeliveries', column: 'created_at', before });
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
  const until = new Date(Math.min(...befores));
  const dropped = await dropPartitionsBefore(db, table, until, held, (month, drop) =>
    dropNoted(db, month, { sites, now, drop }),
  );
  if (dropped.length > 0)
    log.info({ partitions: dropped }, 'retention dropped months that every site has outlived');
}

/** What is kept for a fixed short time on every site. */
async function deleteShortLived(
  db: Knex,
  log: Logger,
  now: Date,
  signal: AbortSignal | undefined,
): Promise<void> {
  await deleteExpiredKeys(db, now, signal);
  await db('cookie_scans')
    .where('created_at', '<', new Date(now.getTime() - SCAN_DAYS * DAY_MS))
    .delete();
  await db('login_failures').where('window_end', '<', now).delete();
  await db('login_networks')
    .where('seen_at', '<', new Date(now.getTime() - KNOWN_FOR))
    .delete();
  await eraseOldMails(db, now);
  await deleteOldAnswers(db, now);
  const stray = await deleteStray(db, now, signal);
  if (stray > 0) log.info({ files: stray }, 'attachments that never came in full were deleted');
  for (const table of [
    'ended_sessions',
    'login_sessions',
    'mailed_links',
    'provider_sessions',
    'used_states',
  ])
    await db(table).where('expires_at', '<', now).delete();
  await db('api_keys')
    .whereRaw('least(revoked_at, expires_at) < ?', [endedBefore(now.getTime())])
    .delete();
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
