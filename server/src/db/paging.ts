import type { Knex } from 'knex';
import { type Model, type QueryBuilder, raw } from 'objection';
import { toMillisecond } from '../domain/calendar';
import { ValidationError } from '../domain/errors';

/** One page of a list. */
export interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

interface PageOptions<Row extends Model, Item> {
  query: QueryBuilder<Row>;
  /** The columns that order the list; together they are unique. */
  order: readonly (keyof Row & string)[];
  direction: 'asc' | 'desc';
  /** The pattern of each value of a cursor. */
  shapes: readonly RegExp[];
  limit: number | undefined;
  cursor: string | undefined;
  toItem(row: Row): Item | Promise<Item>;
}

/** Of an instant of the database, which may be finer than a millisecond. */
export const SHAPE_TIME = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(\d{3})?Z$/;
export const SHAPE_UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const SHAPE_INTEGER = /^[1-9]\d{0,8}$/;
export const SHAPE_KEY_ID = /^[0-9A-Za-z]{12}$/;

/** Only rows in a time range. */
export function between<Row extends Model>(
  rows: QueryBuilder<Row>,
  column: keyof Row & string,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): QueryBuilder<Row> {
  if (from !== undefined) rows.where(column, '>=', toMillisecond(from));
  if (to !== undefined) rows.where(column, '<', toMillisecond(to));
  return rows;
}

const DEFAULT_LIMIT = 50;
/** The maximum number of rows that one statement measures. */
const BATCH = 50;
/** The size at which a page ends, in bytes of its rows' JSON, as they are sent; a single row may be larger. */
export const MAX_BYTES = 2 * 1024 * 1024;

/** Reads one page. A cursor is the position of the last item, so that inserts do not shift later pages. */
export async function readPage<Row extends Model, Item>(
  options: PageOptions<Row, Item>,
): Promise<Page<Item>> {
  const { shapes, limit = DEFAULT_LIMIT, cursor } = options;
  const { rows, places, more } = await readRows(options, limit, cursor && readCursor(cursor, shapes));
  const last = more ? places.at(-1) : undefined;
  return {
    items: await inOrder(rows, options.toItem),
    next_cursor: last === undefined ? null : writeCursor(last),
  };
}

/** One after the other: the views of a hundred sites at once would take all connections. */
async function inOrder<Row, Item>(
  rows: readonly Row[],
  toItem: (row: Row) => Item | Promise<Item>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (const row of rows) items.push(await toItem(row));
  return items;
}

/**
 * Reads rows until there are enough or they are too large: two hundred records of a mebibyte each would block
 * everybody. Such a page is shorter, and its cursor continues from there.
 */
async function readRows<Row extends Model>(
  { query, order, direction }: Pick<PageOptions<Row, unknown>, 'query' | 'order' | 'direction'>,
  limit: number,
  cursor: string[] | '' | undefined,
): Promise<{ rows: Row[]; places: string[][]; more: boolean }> {
  const table = query.tableRefFor(query.modelClass());
  const columns = order.map((column) => `"${table}"."${column}"`).join(', ');
  const behind = `(${columns}) ${direction === 'desc' ? '<' : '>'} (${order.map(() => '?').join(', ')})`;
  for (const column of order) query.orderBy(`${table}.${column}`, direction);
  const rows: Row[] = [];
  const places: string[][] = [];
  let left = MAX_BYTES;
  for (;;) {
    const place = places.at(-1) ?? cursor;
    const count = Math.min(limit + 1 - rows.length, BATCH);
    const next = query.clone().limit(count);
    if (place) next.whereRaw(behind, place);
    const read = await readLight(next, { order, direction, bytes: left });
    rows.push(...read.rows);
    places.push(...read.places);
    left -= read.bytes;
    if (rows.length > limit)
      return { rows: rows.slice(0, limit), places: places.slice(0, limit), more: true };
    if (read.heavy) return { rows, places, more: true };
    if (read.rows.length < count) return { rows, places, more: false };
  }
}

/** What a statement returns about a row in addition to its columns. */
interface Weighed {
  page_weight?: number;
  /** The size of this row and those before it, a bigint as text. */
  page_total?: string;
  /** What orders it, as JSON. */
  page_place?: unknown[];
}

/**
 * The rows of a query up to a total size, including the one that exceeds it. The database measures them, so
 * that no more are ever held in memory here. With the place of each.
 */
export async function readLight<Row extends Model>(
  query: QueryBuilder<Row>,
  { order, direction, bytes }: Pick<PageOptions<Row, unknown>, 'order' | 'direction'> & { bytes: number },
): Promise<{ rows: Row[]; places: string[][]; bytes: number; heavy: boolean }> {
  const model = query.modelClass();
  const table = query.tableRefFor(model);
  // Public, but missing in the types.
  const knex = (query as unknown as { knex(): Knex }).knex();
  const columns = order.map((column) => `"${table}"."${column}"`).join(', ');
  const sorted = order.map((column) => `"${table}"."${column}" ${direction}`).join(', ');
  const weighed = knex
    .select(`${table}.*`, knex.raw(`octet_length(to_json("${table}")::text) AS page_weight`))
    .from(query.toKnexQuery().as(table));
  const summed = knex
    .select(
      `${table}.*`,
      knex.raw(`sum(page_weight) OVER (ORDER BY ${sorted} ROWS UNBOUNDED PRECEDING) AS page_total`),
    )
    .from(weighed.as(table));
  const light = model
    .query(knex)
    .from(summed.as(table))
    .select(`${table}.*`, raw(`json_build_array(${columns}) AS page_place`))
    .whereRaw('page_total - page_weight < ?', [bytes])
    .orderByRaw(sorted);
  const graph = query.graphExpressionObject();
  if (graph !== null) light.withGraphFetched(graph);
  const rows = (await light) as unknown as (Row & Weighed)[];
  const total = Number(rows.at(-1)?.page_total ?? 0);
  const places = rows.map((row) => placeOf(order, row));
  for (const row of rows) {
    delete row.page_weight;
    delete row.page_total;
    delete row.page_place;
  }
  return { rows, places, bytes: total, heavy: total >= bytes };
}

/** The place of the last row of a query, as text: an instant of the database is finer than one of JavaScript. */
export async function lastPlace<Row extends Model>(
  query: QueryBuilder<Row>,
  [time, id]: readonly [keyof Row & string, keyof Row & string],
): Promise<[string, string] | undefined> {
  const row = await query
    .clearSelect()
    .orderBy(time, 'desc')
    .orderBy(id, 'desc')
    .select(raw('??::text AS last_time', [time]), raw('??::text AS last_id', [id]))
    .limit(1)
    .toKnexQuery<{ last_time: string; last_id: string }>()
    .first();
  return row && [row.last_time, row.last_id];
}

/** What a query selects for the place of its rows. */
export const placed = (time: string) => raw('??::text AS place', [time]);

/** A row with its place. */
export type Placed<Row> = Row & { place: string };

/** Only rows behind such a place. */
export function behind<Row extends Model>(
  query: QueryBuilder<Row>,
  [time, id]: readonly [keyof Row & string, keyof Row & string],
  place: readonly [string, string],
): QueryBuilder<Row> {
  // The first condition is redundant, but lets PostgreSQL skip earlier partitions.
  return query
    .whereRaw('?? >= ?::timestamptz', [time, place[0]])
    .whereRaw('(??, ??) > (?::timestamptz, ?::uuid)', [time, id, ...place]);
}

/** Only rows up to such a place. */
export function upTo<Row extends Model>(
  query: QueryBuilder<Row>,
  [time, id]: readonly [keyof Row & string, keyof Row & string],
  end: readonly [string, string],
): QueryBuilder<Row> {
  // The first condition is redundant, but lets PostgreSQL skip later partitions.
  return query
    .whereRaw('?? <= ?::timestamptz', [time, end[0]])
    .whereRaw('(??, ??) <= (?::timestamptz, ?::uuid)', [time, id, ...end]);
}

const placeOf = <Row extends Model>(order: readonly (keyof Row & string)[], row: Row & Weighed): string[] =>
  order.map((column, n) => {
    const value = row[column];
    return value instanceof Date ? finest(value, String(row.page_place?.[n])) : String(value);
  });

/** An instant as the database has it, whose text has up to six digits of a second. */
const finest = (at: Date, text: string): string => {
  const finer = /\.\d{3}(\d+)/.exec(text)?.[1];
  return finer === undefined ? at.toISOString() : at.toISOString().replace('Z', `${finer.padEnd(3, '0')}Z`);
};

const writeCursor = (place: string[]): string => Buffer.from(JSON.stringify(place)).toString('base64url');

function readCursor(cursor: string, shapes: readonly RegExp[]): string[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const fits =
      Array.isArray(values) &&
      values.length === shapes.length &&
      values.every(
        (value, index) => typeof value === 'string' && shapes[index]?.test(value) && isReal(value),
      );
    if (fits) return values as string[];
  } catch {
    // Every broken cursor gets the same answer below.
  }
  throw ValidationError.of(
    'query.cursor',
    'is not valid: use the next_cursor of an earlier answer of this list',
    'cursor',
  );
}

/** A text can look like a time and still name a day that does not exist. */
function isReal(value: string): boolean {
  if (!SHAPE_TIME.test(value)) return true;
  const time = `${value.slice(0, 23)}Z`;
  return !Number.isNaN(Date.parse(time)) && new Date(time).toISOString() === time;
}
