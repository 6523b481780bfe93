import type { Knex } from 'knex';
import { pagesOf } from '../../db/pages-of';
import type { Look, SiteNotice } from './told';

/** What is told of each site first, and at most: members are told 200 of a topic in a day. */
const FIRST = 20;
const MOST = 400;

/** Rows of one kind, of which a site may have any number. */
export interface Newest<Row> {
  table: 'dsar_requests' | 'breaches';
  key: 'request_id' | 'breach_id';
  /** Those that are looked for, as an index has them. */
  which(rows: Knex.QueryBuilder): void;
  /** The column whose newest, or else oldest, come first. */
  by: readonly [column: string, direction: 'asc' | 'desc'];
  columns: readonly string[];
  noticesOf(row: Row): SiteNotice[];
}

/**
 * The first rows of each site, then the rest up to a bound: whoever makes a lot neither has it read again and again, nor
 * keeps what is to be told of others waiting.
 */
export async function* newestOf<Row extends { environment_id: string }>(
  { db, rows }: Look,
  { table, key, which, by: [column, direction], columns, noticesOf }: Newest<Row>,
): AsyncGenerator<SiteNotice[]> {
  // Of each site there is one first version of its settings, on the node of its other rows.
  const some = (skipped: number, most: number) => {
    const ofSite = db(table)
      .whereRaw('??.environment_id = s.environment_id', [table])
      .where(which)
      .orderBy(column, direction)
      .offset(skipped)
      .limit(most)
      .select('environment_id', key, ...columns);
    return db('settings_versions AS s')
      .joinRaw('CROSS JOIN LATERAL (?) AS r', [ofSite as unknown as Knex.Raw])
      .where('s.version', 1)
      .select('r.*');
  };
  const order = ['r.environment_id', `r.${key}`];
  const full = new Map<string, number>();
  for await (const page of pagesOf<Row>(rows, order, () => some(0, FIRST))) {
    for (const { environment_id } of page) full.set(environment_id, (full.get(environment_id) ?? 0) + 1);
    yield page.flatMap(noticesOf);
  }
  const ids = [...full].flatMap(([id, count]) => (count < FIRST ? [] : [id]));
  if (ids.length === 0) return;
  const rest = () => some(FIRST, MOST - FIRST).whereRaw('s.environment_id = ANY (?)', [ids]);
  for await (const page of pagesOf<Row>(rows, order, rest)) yield page.flatMap(noticesOf);
}
