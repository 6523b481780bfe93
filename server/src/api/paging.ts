import type { Model, QueryBuilder } from 'objection';
import { ValidationError } from '../errors';

/** One page of a list. */
export interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

interface PageOptions<Row extends Model, Item> {
  query: QueryBuilder<Row>;
  /** The columns that order the list, each row having its own values. */
  order: readonly (keyof Row & string)[];
  direction: 'asc' | 'desc';
  /** What each value of a cursor must look like. */
  shapes: readonly RegExp[];
  limit: number | undefined;
  cursor: string | undefined;
  toItem(row: Row): Item | Promise<Item>;
}

export const SHAPE_TIME = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export const SHAPE_UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const SHAPE_INTEGER = /^[1-9]\d{0,8}$/;

const DEFAULT_LIMIT = 50;

/** Reads one page: a cursor is the place of the last item, so that what is inserted meanwhile moves nothing. */
export async function readPage<Row extends Model, Item>(
  options: PageOptions<Row, Item>,
): Promise<Page<Item>> {
  const { query, order, direction, limit = DEFAULT_LIMIT, cursor } = options;
  if (cursor !== undefined) {
    const after = readCursor(cursor, options.shapes);
    const table = query.tableRefFor(query.modelClass());
    const columns = order.map((column) => `"${table}"."${column}"`).join(', ');
    query.whereRaw(
      `(${columns}) ${direction === 'desc' ? '<' : '>'} (${order.map(() => '?').join(', ')})`,
      after,
    );
  }
  for (const column of order) query.orderBy(`${query.tableRefFor(query.modelClass())}.${column}`, direction);
  const rows = (await query.limit(limit + 1)) as unknown as Row[];
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    items: await Promise.all(shown.map(options.toItem)),
    next_cursor: last === undefined ? null : writeCursor(order.map((column) => last[column])),
  };
}

function writeCursor(values: unknown[]): string {
  const texts = values.map((value) => (value instanceof Date ? value.toISOString() : String(value)));
  return Buffer.from(JSON.stringify(texts)).toString('base64url');
}

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
    // Falls through to the one answer for every broken cursor.
  }
  throw ValidationError.of(
    'query.cursor',
    'is broken: take the next_cursor of an earlier answer of this list',
    'cursor',
  );
}

/** A time can have the right shape and be no day of any calendar. */
const isReal = (value: string): boolean =>
  !SHAPE_TIME.test(value) || (!Number.isNaN(Date.parse(value)) && new Date(value).toISOString() === value);
