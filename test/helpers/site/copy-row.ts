import type { Knex } from 'knex';

interface Copied {
  copies: number;
  /** What differs in each copy: SQL by column. */
  changes: Record<string, string>;
  values?: readonly string[];
}

/** Stores copies of the one row that a site has in a table. */
export async function copyRow(
  db: Knex,
  table: string,
  environmentId: string,
  { copies, changes, values = [] }: Copied,
): Promise<void> {
  const columns: string[] = await db('information_schema.columns')
    .where({ table_schema: 'public', table_name: table, is_generated: 'NEVER' })
    .pluck('column_name');
  const names = (from: string): string => columns.map((name) => `${from}"${name}"`).join();
  // With the number of the copy, or PostgreSQL would compute a change once for all of them.
  const fields = Object.entries({ ...changes, ' copy': 'copy' }).map(([name, sql]) => `'${name}', ${sql}`);
  await db.raw(
    `INSERT INTO ${table} (${names('')}) SELECT ${names('one.')} FROM ${table} AS r
       CROSS JOIN generate_series(1, ?) AS copy
       CROSS JOIN LATERAL jsonb_populate_record(r, jsonb_build_object(${fields.join()})) AS one
     WHERE r.environment_id = ?`,
    [copies, ...values, environmentId],
  );
}
