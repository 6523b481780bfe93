import type { Knex } from 'knex';
import { deleteOrphans } from '../db/delete-orphans';
import { deleteBefore, deleteChoicesBefore, dropNoted, type Outlived } from '../db/delete-outlived';
import { ErasureNote } from '../db/erasure-log';
import { forgetDropped } from '../db/ledger/outlived';
import { dropPartitionsBefore, listPartitions, PARTITIONED, type PartitionedTable } from '../db/partitions';
import { type MadeSite, planRetention, type RetainedSite, retainedSites } from '../db/plan-retention';
import { endHold, findHold, hold, isAllowed } from '../db/retention-holds';
import { sealCutOff } from '../db/seal-erasures';
import { DELIVERY_DAYS } from '../domain/delivery-rules';
import { placeInLine } from '../domain/fair-turns';
import { isOverBound, outlivedBefore, RETAINED, type Retained, recordsOf } from '../domain/retention';
import { DAY_MS } from '../domain/time';
import type { RetentionRule } from '../domain/types';
import { logFailure, tellOnce } from '../observability/failures';
import type { Logger } from '../observability/logger';
import { deleteShortLived } from './short-lived';

/**
 * Deletes what has expired by each environment's retention: whole months by dropping partitions, the rest row
 * by row. If a run would delete too much of a site at once, it keeps everything until an owner allows it.
 * `now` must be the database's time.
 */
export async function applyRetention(db: Knex, log: Logger, now: Date, signal?: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  // First, because what sites have outlived may take hours.
  await deleteShortLived(db, log, now, signal).catch((error) => void failures.push(error));
  await cleanSites({ db, log, now, signal }, failures);
  if (failures.length > 0) throw failures[0];
}

interface Run {
  db: Knex;
  log: Logger;
  now: Date;
  signal: AbortSignal | undefined;
}

async function cleanSites(run: Run, failures: unknown[]): Promise<void> {
  const { db, log, now, signal } = run;
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
    // What one site keeps from being dropped is deleted row by row.
    await dropOutlived(db, log, table, { sites, held }, now).catch((error) => void failures.push(error));
  }
  const months = await listPartitions(db);
  const kept = new Set(months.flatMap(({ table, start }) => (table === 'consents' ? start.getTime() : [])));
  await inTurns(sites, signal, async function* (site) {
    // It must not stop the other sites, and the run has failed all the same.
    const fail = (error: unknown): void => {
      failures.push(error);
      const words = "a site's retention failed; it is tried again";
      logFailure(log, 'error', { error, environment_id: site.id }, words);
    };
    await forgetDropped(db, site.id, kept).catch(fail);
    await endCutOff(db, log, site, now).catch(fail);
    if (held.includes(site.id)) return;
    try {
      yield* deleteOutlived(run, site);
      // Only now, because an allowance must survive an interrupted run.
      if (ended.includes(site.id) && !signal?.aborted) await endHold(db, site.id);
    } catch (error) {
      fail(error);
    }
  });
}

/**
 * Cleans the sites of each maker one after the other, a chunk of each maker in turn: a kill leaves the records of one
 * site of each open, and nobody waits until another's years are deleted. Of a maker, who began the group, those that were
 * invited and those whom these invited are each such a maker within its turns.
 */
async function inTurns(
  sites: readonly MadeSite[],
  signal: AbortSignal | undefined,
  clean: (site: MadeSite) => AsyncGenerator<void, void>,
): Promise<void> {
  async function* cleanAll(own: readonly MadeSite[]): AsyncGenerator<void, void> {
    for (const site of own) {
      if (signal?.aborted) return;
      yield* clean(site);
      yield;
    }
  }
  const ofMaker = (own: readonly MadeSite[]): AsyncGenerator<void, void> =>
    round(groupsOf(own, ({ maker, within }) => placeInLine([maker, within])[1]).map(cleanAll));
  for await (const _ of round(groupsOf(sites, ({ maker }) => maker).map(ofMaker)));
}

const groupsOf = (
  sites: readonly MadeSite[],
  nameOf: (site: MadeSite) => string | undefined,
): MadeSite[][] => {
  const groups = new Map<string | undefined, MadeSite[]>();
  for (const site of sites) {
    const name = nameOf(site);
    const group = groups.get(name) ?? [];
    groups.set(name, group);
    group.push(site);
  }
  return [...groups.values()];
};

/** A step of each in turn. */
async function* round(open: readonly AsyncGenerator<void, void>[]): AsyncGenerator<void, void> {
  for (let left = [...open]; left.length > 0; ) {
    const unfinished: typeof left = [];
    // A stop, too, goes through all: what has begun ends its records.
    for (const one of left) {
      if ((await one.next()).done) continue;
      unfinished.push(one);
      yield;
    }
    left = unfinished;
  }
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
      { error, environment_id: site.id },
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

async function* deleteOutlived(run: Run, site: RetainedSite): AsyncGenerator<void, void> {
  const { db, now, signal } = run;
  const noteOf = (rule: RetentionRule): ErasureNote => ErasureNote.ofRule(db, site.id, rule, now);
  const notes = {
    ...{ consents: noteOf('consents'), events: noteOf('events') },
    ...{ requests: noteOf('requests'), deliveries: noteOf('deliveries') },
  };
  try {
    // An owner may have lengthened the retention since the run began; a shorter one waits for the next plan.
    const asked = [site, ...(await presentOf(db, site))];
    if (asked.length === 1) return;
    for await (const _ of deleteNoted(run, { site, notes, asked })) {
      yield;
      // Or while the others had their turns.
      asked.splice(1, 1, ...(await presentOf(db, site)));
    }
  } catch (error) {
    // What failed says more than that its records could not be ended either.
    await ErasureNote.endRun(Object.values(notes), false).catch(() => undefined);
    throw error;
  }
  await ErasureNote.endRun(Object.values(notes), signal?.aborted !== true);
}

/** The site as it is now; none when it is gone. */
const presentOf = (db: Knex, { id }: RetainedSite): PromiseLike<RetainedSite[]> =>
  retainedSites(db).where({ id });

interface SiteRun {
  site: RetainedSite;
  notes: Record<RetentionRule, ErasureNote>;
  /** The site as it was planned, and as it is now: the longer retention counts. */
  asked: readonly RetainedSite[];
}

async function* deleteNoted(
  { db, log, now, signal }: Run,
  { site, notes, asked }: SiteRun,
): AsyncGenerator<void, void> {
  async function* remove(outlived: Outlived): AsyncGenerator<void, void> {
    if (signal?.aborted) return;
    const rows = yield* deleteBefore(db, site.id, outlived, signal);
    if (rows > 0) log.info({ table: outlived.table, rows }, 'retention deleted rows');
  }
  const beforeOf = (setting: Retained['setting']) => (): Date =>
    new Date(Math.min(...asked.map(({ settings }) => outlivedBefore(settings, setting, now).getTime())));
  for (const { kind, table, column, setting } of RETAINED) {
    const rows = { table, column, beforeOf: beforeOf(setting) };
    // Of records of erasures there is none, which would make one more each day for ever.
    if (kind === 'erasures') yield* remove(rows);
    else {
      const subject = kind === 'requests' ? 'request_id' : undefined;
      yield* remove({ ...rows, kind, subject, note: notes[setting as keyof typeof notes] });
    }
  }
  const orphans = yield* deleteOrphans(notes.requests, now, signal);
  if (orphans > 0) log.info({ rows: orphans }, 'retention deleted events of requests that were gone');
  // Not counted by the plan: the latest choices are deleted with their records.
  yield* deleteChoicesBefore(notes.consents, beforeOf('consents'), signal);
  const before = new Date(now.getTime() - DELIVERY_DAYS * DAY_MS);
  const sent = { column: 'created_at', beforeOf: () => before };
  yield* remove({ ...sent, table: 'deliveries', kind: 'deliveries', note: notes.deliveries });
  yield* remove({ ...sent, table: 'redeliveries' });
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
