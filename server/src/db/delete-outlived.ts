import type { Knex } from 'knex';
import { DAY_MS } from '../domain/time';
import { CHOICE_DAY } from './consent-records';
import { deleteComments } from './delete-comments';
import { deleteSealed, isSealedTable } from './delete-sealed';
import { eraseSearches } from './erase-searches';
import { eraseEventsIn } from './erase-trace';
import { ErasureNote } from './erasure-log';
import { deleteFilesOf } from './file-parts';
import type { Gone } from './ledger/erased-notes';
import { eraseConsents, forgetMonth, MonthLeaves } from './ledger/outlived';
import type { Month } from './partitions';
import type { RetainedSite } from './plan-retention';
import type { ErasedCounts } from './seal-erasures';

/** Rows deleted by one statement, so that no lock is held for long. */
export const CHUNK = 5_000;
/** By which column a table is partitioned, and a site's rows are found in a month. */
const TIMES = { consents: 'recorded_at', events: 'occurred_at' } as const;

/**
 * Drops a month that every site has outlived, with a note for each that has records in it. Before, since its rows are
 * gone at once.
 */
export async function dropNoted(
  db: Knex,
  month: Month,
  { sites, now, drop }: { sites: RetainedSite[]; now: Date; drop: () => Promise<boolean> },
): Promise<boolean> {
  const noted: { note: ErasureNote; rows: number; leaves: MonthLeaves }[] = [];
  let isDropped: boolean;
  try {
    for (const { id } of sites) {
      const rows = await countOf(db, month, id);
      if (rows === 0) continue;
      const note = ErasureNote.ofRule(db, id, month.table, now);
      const leaves = new MonthLeaves(note, month);
      noted.push({ note, rows, leaves });
      await note.begin();
      await leaves.note();
    }
    isDropped = await drop().catch((error) => {
      for (const { note } of noted) note.doubt(error);
      throw error;
    });
  } catch (error) {
    // What failed says more than that its records could not be ended either.
    for (const { note, leaves } of noted) await undo(note, leaves).catch(() => undefined);
    throw error;
  }
  const failures: unknown[] = [];
  for (const { note, rows, leaves } of noted) {
    try {
      if (isDropped) await note.add({ [month.table]: rows });
      await (isDropped ? forgetMonth(db, note.environmentId, month) : leaves.takeBack());
      await note.finish(true);
    } catch (error) {
      // The rows of the others are gone, too.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return isDropped;
}

/** Nothing was dropped, unless nobody knows: then what was noted stays. */
async function undo(note: ErasureNote, leaves: MonthLeaves): Promise<void> {
  if (!note.isInDoubt) await leaves.takeBack();
  await note.finish(false);
}

/** A site's records in a month: day by day, so that no statement counts longer than it may take. */
async function countOf(db: Knex, { name, table, start, end }: Month, environmentId: string): Promise<number> {
  const rows = () => db(name).where({ environment_id: environmentId });
  if ((await rows().first(db.raw('1'))) === undefined) return 0;
  let total = 0;
  for (let from = start; from < end; from = new Date(from.getTime() + DAY_MS)) {
    const until = new Date(from.getTime() + DAY_MS);
    const day = rows().where(TIMES[table], '>=', from).where(TIMES[table], '<', until);
    total += Number((await day.count({ n: '*' }).first())?.n ?? 0);
  }
  return total;
}

/**
 * Found by their day, which is all that the index holds; each chunk begins with the day of the one before. Stops after
 * each chunk but the last, so that other sites take turns with this one.
 * @param beforeOf asked for each chunk
 */
export async function* deleteChoicesBefore(
  note: ErasureNote,
  beforeOf: () => Date,
  signal: AbortSignal | undefined,
): AsyncGenerator<void, void> {
  const { db, environmentId } = note;
  const before = beforeOf();
  const first = await db('session_choices')
    .where({ environment_id: environmentId })
    .where('recorded_at', '<', before)
    .whereRaw(`${CHOICE_DAY} <= (?::timestamptz AT TIME ZONE 'UTC')::date`, [before])
    .first(db.raw('1'));
  if (first === undefined) return;
  await note.begin();
  for (let from: string | null = '-infinity'; from !== null && !signal?.aborted; ) {
    const gone: GoneChoices = await deleteSomeChoices(note, beforeOf(), from).catch((error) => {
      note.doubt(error);
      throw error;
    });
    await note.add({ choices: gone.choices });
    from = gone.until;
    if (from !== null) yield;
  }
}

/** One chunk, and the day where the next one begins. */
interface GoneChoices {
  choices: number;
  until: string | null;
}

async function deleteSomeChoices(
  { db, environmentId }: ErasureNote,
  before: Date,
  from: string,
): Promise<GoneChoices> {
  const { rows } = await db.raw<{ rows: [GoneChoices] }>(
    `WITH gone AS (
         DELETE FROM session_choices WHERE environment_id = :environmentId AND session_id IN (
           SELECT session_id FROM session_choices WHERE environment_id = :environmentId AND recorded_at < :before
             AND ${CHOICE_DAY} BETWEEN :from::date AND (:before::timestamptz AT TIME ZONE 'UTC')::date
           ORDER BY ${CHOICE_DAY} LIMIT ${CHUNK})
         RETURNING ${CHOICE_DAY} AS day
       ) SELECT CASE WHEN count(*) = ${CHUNK} THEN max(day)::text END AS until, count(*)::int AS choices FROM gone`,
    { environmentId, before, from },
  );
  return rows[0];
}

/** Rows of a table whose time is over, and where they are counted under which name, if they are. */
export interface Outlived {
  table: string;
  column: string;
  /** Asked for each chunk: an owner may lengthen the retention while other sites have their turns. */
  beforeOf: () => Date;
  kind?: keyof ErasedCounts;
  note?: ErasureNote;
  /** The column with the subject of events and comments that go with a row: without it nothing would find them any more. */
  subject?: 'request_id' | undefined;
}

/** What one statement deleted, where the next one begins, and whose events and files go with it. */
interface Chunk {
  n: number;
  until: string;
  subjects: string[];
  isLast: boolean;
}

/** Rows of one chunk and those after it. */
interface Span {
  table: string;
  column: string;
  before: Date;
  from: string;
}

/** Resolves with how many; stops after each chunk but the last, so that other sites take turns with this one. */
export async function* deleteBefore(
  db: Knex,
  environmentId: string,
  outlived: Outlived,
  signal: AbortSignal | undefined,
): AsyncGenerator<void, number> {
  const { table, column, beforeOf, kind, note } = outlived;
  // On most runs there is nothing: one statement instead of a transaction.
  if (note !== undefined && !(await hasOutlived(note, outlived))) return 0;
  let total = 0;
  let from = '-infinity';
  for (;;) {
    let chunk: Chunk = { n: 0, until: from, subjects: [], isLast: true };
    const span = { table, column, before: beforeOf(), from };
    const remove = async (one: Knex, gone: Gone = []): Promise<void> => {
      chunk = await deleteNext(one, environmentId, span, gone);
    };
    if (kind === undefined || note === undefined) await remove(db);
    else
      await note.inOne(async (trx, gone) => {
        await remove(trx, gone);
        return { [kind]: chunk.n, ...(await withRequests(trx, environmentId, outlived, chunk)) };
      });
    total += chunk.n;
    if (chunk.isLast || signal?.aborted) return total;
    yield;
    if (signal?.aborted) return total;
    from = chunk.until;
  }
}

/** Deletes one chunk with what was sealed of it; `gone` has the commitments. */
async function deleteNext(db: Knex, environmentId: string, span: Span, gone: Gone): Promise<Chunk> {
  if (isSealedTable(span.table)) {
    const { ids, ...where } = await deleteSealed(db, environmentId, span, gone);
    return { ...where, n: ids.length, subjects: ids };
  }
  const until = await endOfChunk(db, environmentId, span);
  if (span.table === 'consents') gone.push(...(await eraseConsents(db, environmentId, { ...span, until })));
  return deleteChunk(db, environmentId, span, until);
}

/** What goes with a request: its events, and which systems were searched for it. */
const withRequests = async (
  trx: Knex.Transaction,
  environmentId: string,
  { subject }: Outlived,
  { subjects }: Chunk,
): Promise<ErasedCounts> => {
  if (subject === undefined) return {};
  await deleteComments(trx, environmentId, subjects);
  await deleteFilesOf(trx, environmentId, subjects);
  return {
    ...(await eraseEventsIn(trx, environmentId, subjects)),
    searches: await eraseSearches(trx, environmentId, subjects),
  };
};

async function hasOutlived({ db, environmentId }: ErasureNote, outlived: Outlived): Promise<boolean> {
  const { table, column, beforeOf } = outlived;
  const rows = db(table).where({ environment_id: environmentId }).where(column, '<', beforeOf());
  return (await rows.first(db.raw('1'))) !== undefined;
}

/**
 * Where a chunk ends. Rows are found in index order, without a sort, from where the last chunk ended; before it the
 * index holds only a growing number of dead entries.
 */
async function endOfChunk(
  db: Knex,
  environmentId: string,
  { table, column, before, from }: Span,
): Promise<string> {
  const { rows } = await db.raw<{ rows: [{ until: string }] }>(
    `SELECT coalesce(
       (SELECT :column: FROM :table:
        WHERE environment_id = :environmentId AND :column: >= :from::timestamptz AND :column: < :before
        ORDER BY :column: OFFSET :chunk LIMIT 1), :before::timestamptz)::text AS until`,
    { table, column, environmentId, before, chunk: CHUNK, from },
  );
  return rows[0].until;
}

async function deleteChunk(
  db: Knex,
  environmentId: string,
  { table, column, before, from }: Span,
  until: string,
): Promise<Chunk> {
  const n: number = await db(table)
    .where({ environment_id: environmentId })
    .whereRaw('?? >= ?::timestamptz AND ?? < ? AND ?? <= ?::timestamptz', [
      ...[column, from, column, before],
      ...[column, until],
    ])
    .delete();
  return { n, until, subjects: [], isLast: n < CHUNK };
}
