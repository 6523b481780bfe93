import type { Knex } from 'knex';
import { makerOf } from './account-groups';
import { isCancelled } from './errors';
import { releaseObjectsOf } from './file-objects';

/** Rows that one statement erases, so that no lock is held for long. */
const BATCH = 5_000;
/** And their bytes as they are stored, or one row that is longer: banners and files have megabytes each. */
const BYTES = 8 * 2 ** 20;

interface Table {
  name: string;
  /** The columns of its primary key. */
  keys: string[];
  /** Its columns of any length. */
  long: string[];
}

/**
 * Audit events have a retention of their own: who deletes a site must not erase what they did there. Objects are forgotten
 * once the bucket has deleted them.
 */
const KEPT = ['audit_events', 'file_objects'];

/**
 * Every table with data of a site but those, read from the database's catalogue, so that future tables are not
 * forgotten.
 */
async function tablesOfSites(db: Knex): Promise<Table[]> {
  const { rows } = await db.raw<{ rows: Table[] }>(
    `SELECT t.relname AS name,
       array(SELECT a.attname::text FROM unnest(x.indkey) WITH ORDINALITY AS k (n, o)
             JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.n ORDER BY o) AS keys,
       array(SELECT a.attname::text FROM pg_attribute a
             WHERE a.attrelid = t.oid AND a.attnum > 0 AND a.attlen = -1 AND NOT a.attisdropped) AS long
     FROM pg_class t JOIN pg_index x ON x.indrelid = t.oid AND x.indisprimary
     WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind IN ('r', 'p') AND NOT t.relispartition AND NOT t.relname = ANY(?)
       AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attname = 'environment_id' AND NOT a.attisdropped)
     ORDER BY t.relname`,
    [KEPT],
  );
  return rows;
}

/** Erases the first rows that fit, at least one; resolves with how many. */
function eraseSome(
  db: Knex,
  environment_id: string,
  { name, keys, long }: Table,
  most: number,
): Promise<number> {
  // The sizes are those of the stored values: no long one is read.
  const size = ['0', ...long.map(() => 'coalesce(pg_column_size(??), 0)')].join(' + ');
  const found = db(name)
    .where({ environment_id })
    .limit(most)
    .select(keys)
    .select(db.raw(`${size} AS row_bytes`, long));
  const summed = db
    .from(found.as('found'))
    .select(keys)
    .select('row_bytes', db.raw('sum(row_bytes) OVER (ROWS UNBOUNDED PRECEDING) AS bytes'));
  const some = db.from(summed.as('summed')).whereRaw('bytes <= ? OR bytes = row_bytes', [BYTES]).select(keys);
  return db(name).where({ environment_id }).whereIn(keys, some).delete();
}

/** Erases a table's rows of a site; stops after each batch but the last. */
async function* eraseTable(db: Knex, environment_id: string, table: Table): AsyncGenerator<void, void> {
  for (let most = BATCH; ; ) {
    try {
      const erased = await eraseSome(db, environment_id, table, most);
      if (erased === 0) return;
      if (erased < most && (await db(table.name).where({ environment_id }).first(db.raw('1'))) === undefined)
        return;
    } catch (error) {
      // The same batch would be cancelled for ever.
      if (most === 1 || !isCancelled(error)) throw error;
      most = Math.ceil(most / 2);
    }
    yield;
  }
}

/** Erases everything of a site, the site itself last; stops after each batch, so that other sites take turns with it. */
export async function* erasureOf(db: Knex, environment_id: string): AsyncGenerator<void, void> {
  for (const table of await tablesOfSites(db)) yield* eraseTable(db, environment_id, table);
  while ((await releaseObjectsOf(db, environment_id, BATCH)) === BATCH) yield;
  await db('environments').where({ id: environment_id }).whereNotNull('deleted_at').delete();
}

/** A site that was deleted, and who made it. */
export interface DeletedSite {
  id: string;
  maker: string;
}

/** Sites that were deleted before an instant, the first one first. */
export const deletedSites = (db: Knex, before: Date): Promise<DeletedSite[]> =>
  db('environments')
    .where('deleted_at', '<', before)
    .orderBy('deleted_at')
    .select('id', db.raw(`${makerOf('environments')} AS maker`));
