import type { Knex } from 'knex';

/** Rows that one statement erases, so that no lock is held for long. */
const BATCH = 5_000;

interface Table {
  name: string;
  /** The columns of its primary key. */
  keys: string[];
}

/**
 * Every table with data of a site, read from the database's catalogue, so that future tables are not
 * forgotten.
 */
async function tablesOfSites(db: Knex): Promise<Table[]> {
  const { rows } = await db.raw<{ rows: Table[] }>(
    `SELECT t.relname AS name,
       array(SELECT a.attname::text FROM unnest(x.indkey) WITH ORDINALITY AS k (n, o)
             JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.n ORDER BY o) AS keys
     FROM pg_class t JOIN pg_index x ON x.indrelid = t.oid AND x.indisprimary
     WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind IN ('r', 'p') AND NOT t.relispartition
       AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attname = 'environment_id' AND NOT a.attisdropped)
     ORDER BY t.relname`,
  );
  return rows;
}

/** Erases everything of a site in batches, the site itself last; false when it was asked to stop first. */
export async function eraseSite(db: Knex, environment_id: string, signal?: AbortSignal): Promise<boolean> {
  for (const { name, keys } of await tablesOfSites(db)) {
    for (let erased = BATCH; erased === BATCH; ) {
      if (signal?.aborted) return false;
      const some = db(name).where({ environment_id }).select(keys).limit(BATCH);
      erased = await db(name).where({ environment_id }).whereIn(keys, some).delete();
    }
  }
  await db('environments').where({ id: environment_id }).whereNotNull('deleted_at').delete();
  return true;
}
