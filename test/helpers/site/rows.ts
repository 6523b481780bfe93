import type { Knex } from 'knex';

/** Written in the background: which processes run, what decisions repeat, and what is sealed. */
const BACKGROUND = [
  ...['running_processes', 'consent_words', 'job_runs', 'ledger_pending', 'ledger_entries', 'ledger_tiles'],
  ...['ledger_segments', 'ledger_heads', 'ledger_keys', 'ledger_vouchers', 'ledger_audits'],
];

/** Rows that the use of a token notes: the first use of one that began elsewhere adds a row, each hour changes it. */
const ASIDE: Record<string, string> = { login_sessions: `WHERE begun_by <> 'older'` };

/** Every table of the schema with its columns; a partitioned one stands for its partitions. */
export async function tablesOf(db: Knex): Promise<Map<string, string[]>> {
  const { rows } = await db.raw<{ rows: { name: string; columns: string[] }[] }>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace
     GROUP BY c.relname ORDER BY c.relname`,
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

/** A fingerprint of all rows of one environment, table by table, but of those written in the background. */
export async function rowsOf(db: Knex, token: string): Promise<Record<string, string>> {
  const { id } = await db('environments').where({ token }).first('id');
  const found: Record<string, string> = {};
  for (const [table, columns] of await tablesOf(db)) {
    const column = table === 'environments' ? 'id' : 'environment_id';
    if (!columns.includes(column) || BACKGROUND.includes(table)) continue;
    const { rows } = await db.raw(
      `SELECT count(*)::int AS n, md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '')) AS hash
       FROM ?? AS t WHERE ?? = ?`,
      [table, column, id],
    );
    found[table] = `${rows[0].n} rows, ${rows[0].hash}`;
  }
  return found;
}

/** A fingerprint of all rows of all tables, but of those written in the background and aside. */
export async function allRows(db: Knex): Promise<Record<string, string>> {
  const tables = [...(await tablesOf(db)).keys()].filter((table) => !BACKGROUND.includes(table));
  const prints = tables.map(
    (table) =>
      `(SELECT count(*) || ' rows, ' || md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '')) FROM "${table}" AS t ${ASIDE[table] ?? ''}) AS "${table}"`,
  );
  const { rows } = await db.raw(`SELECT ${prints.join(', ')}`);
  return rows[0];
}
