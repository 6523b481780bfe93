import type { Knex } from 'knex';
import { pagesOf } from '../../db/pages-of';
import type { Look, SiteNotice } from './told';

/** What is told of each site first, and at most: members are told 200 of a topic in a day. */
const FIRST = 20;
const MOST = 400;

/** Whose rows they are: each is one row of a small table. */
const OWNERS = {
  // Of each site there is one first version of its settings, on the node of its other rows.
  site: { all: 'settings_versions', id: 'environment_id', which: { 's.version': 1 } },
  // What is of no site is of an account.
  account: { all: 'users', id: 'account_id', which: {} },
} as const;

/** Rows of one kind, of which a site or an account may have any number. */
export interface Newest<Row> {
  table: 'dsar_requests' | 'breaches' | 'audit_events';
  key: 'request_id' | 'breach_id' | 'audit_id';
  of?: keyof typeof OWNERS;
  /** Those that are looked for, as an index has them. */
  which(rows: Knex.QueryBuilder): void;
  /** The column whose newest, or else oldest, come first. */
  by: readonly [column: string, direction: 'asc' | 'desc'];
  columns: readonly string[];
  noticesOf(row: Row): SiteNotice[];
}

/**
 * The first rows of each site or account, then the rest up to a bound: whoever makes a lot neither has it read again and again, nor
 * keeps what is to be told of others waiting.
 */
export async function* newestOf<Row extends { environment_id: string; account_id?: number }>(
  { db, rows }: Look,
  { table, key, of = 'site', which, by: [column, direction], columns, noticesOf }: Newest<Row>,
): AsyncGenerator<SiteNotice[]> {
  const owner = OWNERS[of];
  const own = of === 'site' ? 's.environment_id' : 's.id';
  const some = (skipped: number, most: number) => {
    const ofOwner = db(table)
      .whereRaw('?? = ??', [`${table}.${owner.id}`, own])
      .where(which)
      .orderBy(column, direction)
      .offset(skipped)
      .limit(most)
      .select('environment_id', key, ...columns);
    return db(`${owner.all} AS s`)
      .joinRaw('CROSS JOIN LATERAL (?) AS r', [ofOwner as unknown as Knex.Raw])
      .where(owner.which)
      .select('r.*');
  };
  const order = [`r.${owner.id}`, `r.${key}`];
  const full = new Map<string | number, number>();
  for await (const page of pagesOf<Row>(rows, order, () => some(0, FIRST))) {
    for (const row of page) {
      const id = row[owner.id] as string | number;
      full.set(id, (full.get(id) ?? 0) + 1);
    }
    yield page.flatMap(noticesOf);
  }
  const ids = [...full].flatMap(([id, count]) => (count < FIRST ? [] : [id]));
  if (ids.length === 0) return;
  const rest = () => some(FIRST, MOST - FIRST).whereRaw('?? = ANY (?)', [own, ids as string[]]);
  for await (const page of pagesOf<Row>(rows, order, rest)) yield page.flatMap(noticesOf);
}
