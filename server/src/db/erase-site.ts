import type { Knex } from 'knex';
import { releaseObjectsOf } from './file-objects';

/** Rows that one statement erases, so that no lock is held for long. */
const BATCH = 5_000;

interface Table {
  name: string;
  /** The columns of its primary key. */
  keys: string[];
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
             JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.n ORDER BY o) AS keys
     FROM pg_class t JOIN pg_index x ON x.indrelid = t.oid AND x.indisprimary
     WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind IN ('r', 'p') AND NOT t.relispartition AND NOT t.relname = ANY(?)
       AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attname = 'environment_id' AND NOT a.attisdropped)
     ORDER BY t.relname`,
    [KEPT],
  );
  return rows;
}

/** Erases everything of a site, the site itself last; stops after each batch, so that other sites take turns with it. */
export async function* erasureOf(db: Knex, environment_id: string): AsyncGenerator<void, void> {
  for (const { name, keys } of await tablesOfSites(db)) {
    for (let erased = BATCH; erased === BATCH; ) {
      const some = db(name).where({ environment_id }).select(keys).limit(BATCH);
      erased = await db(name).where({ environment_id }).whereIn(keys, some).delete();
      if (erased === BATCH) yield;
    }
  }
  while ((await releaseObjectsOf(db, environment_id, BATCH)) === BATCH) yield;
  await db('environments').where({ id: environment_id }).whereNotNull('deleted_at').delete();
}
