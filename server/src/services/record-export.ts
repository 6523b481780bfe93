import { Readable } from 'node:stream';
import type { Model, QueryBuilder } from 'objection';
import type { EnvironmentRow } from '../db/models';
import { behind, lastPlace, MAX_BYTES, readLight, upTo } from '../db/paging';
import { clock } from '../domain/clock';
import { inChunks } from '../domain/yielding';
import type { ExportFile } from './consent-export';
import { csvLines, csvRecords } from './csv';

/** Rows read by one query; fewer if they are large, because a breach or an event can take many kilobytes. */
const BATCH = 100;

/** One kind of record as a file. */
interface Kind<Row, Item> {
  /** Of the file. */
  name: string;
  /** The time and id columns by which the file is sorted, oldest first. */
  order: readonly [keyof Row & string, keyof Row & string];
  /** Of a CSV file. */
  columns: readonly (keyof Item & string)[];
  toItem(row: Row): Item;
}

/**
 * Records as a file, read in batches and never ahead of the client, like that of consent records: memory stays
 * the same for any number of rows, and no connection is held while a slow client reads.
 */
export async function exportRecords<Row extends Model, Item extends object>(
  { domain }: EnvironmentRow,
  format: 'ndjson' | 'csv' | undefined,
  rows: () => QueryBuilder<Row>,
  { name, order, columns, toItem }: Kind<Row, Item>,
): Promise<ExportFile> {
  const [time, id] = order;
  // What is recorded while the file is read belongs to the next one.
  const end = await lastPlace(rows(), order);
  const read = async (after: Place | undefined): Promise<Part<Row>> => {
    if (end === undefined) return { rows: [], after, more: false };
    const query = upTo(rows(), order, end).orderBy([time, id]).limit(BATCH);
    if (after !== undefined) behind(query, order, after);
    const part = await readLight(query, { order, direction: 'asc', bytes: MAX_BYTES });
    return {
      rows: part.rows,
      after: part.places.at(-1) as Place | undefined,
      more: part.heavy || part.rows.length === BATCH,
    };
  };
  // Checked now, because an error can only be sent before the file has begun.
  const first = await read(undefined);
  const file = `${name}-${domain}-${clock.date().toISOString().slice(0, 10)}`;
  const write = (items: Iterable<Item>): AsyncGenerator<string> =>
    format === 'csv' ? csvRecords(items, columns) : inChunks(linesOf(items));
  const head = format === 'csv' ? csvLines([columns]) : undefined;
  const content = Readable.from(
    pieces(head, first, read, (rows) => write(itemsOf(rows, toItem))),
    {
      objectMode: false,
    },
  );
  return format === 'csv'
    ? { type: 'text/csv; charset=utf-8', name: `${file}.csv`, content }
    : { type: 'application/x-ndjson', name: `${file}.ndjson`, content };
}

/** A time and an id. */
type Place = [string, string];

/** Rows read at once, the place of the last one, and whether there may be more. */
interface Part<Row> {
  rows: Row[];
  after: Place | undefined;
  more: boolean;
}

type Read<Row> = (after: Place | undefined) => Promise<Part<Row>>;

async function* pieces<Row>(
  head: AsyncIterable<string> | undefined,
  first: Part<Row>,
  read: Read<Row>,
  write: (rows: Row[]) => AsyncIterable<string>,
): AsyncGenerator<string> {
  if (head !== undefined) yield* head;
  for (let part = first; part.rows.length > 0; part = await read(part.after)) {
    yield* write(part.rows);
    if (!part.more) return;
  }
}

function* itemsOf<Row, Item>(rows: readonly Row[], toItem: (row: Row) => Item): Generator<Item> {
  for (const row of rows) yield toItem(row);
}

/** Records as JSON, one in each line. */
function* linesOf(items: Iterable<object>): Generator<string> {
  for (const item of items) yield `${JSON.stringify(item)}\n`;
}
