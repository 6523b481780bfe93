import type { Knex } from 'knex';

interface Column {
  name: string;
  type: string;
  isUnique: boolean;
  isForeign: boolean;
}

/** The tables that hold something of a site, but the partitions of others and what the log itself writes. */
const TABLES = `
  SELECT c.oid, c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND a.attname = 'environment_id' ORDER BY c.relname`;

const COLUMNS = `
  SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
    EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisunique AND a.attnum = ANY (i.indkey)) AS "isUnique",
    EXISTS (SELECT 1 FROM pg_constraint f WHERE f.conrelid = a.attrelid AND f.contype = 'f' AND a.attnum = ANY (f.conkey)) AS "isForeign"
  FROM pg_attribute a WHERE a.attrelid = ?::oid AND a.attnum > 0 AND NOT a.attisdropped
    AND a.attgenerated = '' AND a.attidentity = '' ORDER BY a.attnum`;

/**
 * Makes copies of what is stored of a site: of some row of each of its tables, and so of things that belong to one record
 * as well as of records. Returns the tables that took them; of others there is one row for each site or record.
 */
export async function multiply(
  db: Knex,
  environmentId: string,
  copies: number,
  not: readonly string[],
): Promise<string[]> {
  const taken: string[] = [];
  const { rows: tables } = await db.raw<{ rows: { oid: number; name: string }[] }>(TABLES);
  for (const { oid, name } of tables.filter((table) => !not.includes(table.name))) {
    const { rows: columns } = await db.raw<{ rows: Column[] }>(COLUMNS, [oid]);
    const names = columns.map((column) => `"${column.name}"`).join();
    const values = columns.map(copyOf).join();
    const statement = `INSERT INTO "${name}" (${names}) SELECT ${values} FROM (SELECT * FROM "${name}" WHERE environment_id = ? LIMIT 1) AS one, generate_series(1, ?) AS copy(nth)`;
    const added = await db.raw(statement, [environmentId, copies]).then(
      ({ rowCount }) => rowCount as number,
      ({ code }) => {
        // Where a row of it must be another in a way that is not known here.
        process.stdout.write(`${name}: no copies (${code})\n`);
        return 0;
      },
    );
    if (added === copies) taken.push(name);
  }
  await db.raw('ANALYZE');
  return taken;
}

/** What makes a row another one than that of which it is a copy. */
function copyOf({ name, type, isUnique, isForeign }: Column): string {
  const column = `one."${name}"`;
  if (!isUnique || isForeign) return column;
  if (type === 'uuid') return 'gen_random_uuid()';
  // Short ones, such as codes, would soon be the same by chance.
  if (type === 'text' || type.startsWith('character'))
    return `CASE WHEN length(${column}) < 12 THEN lpad(to_hex(nth), length(${column}), '0') ELSE left(md5(nth::text || random()::text), length(${column})) END`;
  if (type === 'bytea') return `sha256(random()::text::bytea)`;
  if (/^(integer|bigint|smallint)$/.test(type)) return `${column} + nth`;
  return column;
}
