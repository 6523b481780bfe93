import type { Knex } from 'knex';

/** All rows of a query, page by page; `key` names the columns by which no two rows are the same. */
export async function* pagesOf<Row extends object>(
  most: number,
  key: readonly string[],
  query: () => Knex.QueryBuilder,
): AsyncGenerator<Row[]> {
  const columns = key.map(() => '??').join(', ');
  const values = key.map(() => '?').join(', ');
  for (let last: Record<string, unknown> | undefined; ; ) {
    const page = query()
      .orderBy([...key])
      .limit(most);
    const after = key.map((column) => last?.[column.slice(column.indexOf('.') + 1)]);
    if (last !== undefined) page.whereRaw(`(${columns}) > (${values})`, [...key, ...after] as string[]);
    const rows: Row[] = await page;
    yield rows;
    if (rows.length < most) return;
    last = rows.at(-1) as Record<string, unknown>;
  }
}
