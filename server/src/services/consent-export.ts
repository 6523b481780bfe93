import { Readable } from 'node:stream';
import type { Knex } from 'knex';
import type { QueryBuilder } from 'objection';
import { STATED } from '../db/consent-records';
import { ConsentRow, type EnvironmentRow } from '../db/models';
import type { ConsentFilter } from '../db/models/consent-row';
import { behind, lastPlace, type Placed, placed, upTo } from '../db/paging';
import { clock } from '../domain/clock';
import { withoutNulls } from '../domain/consent';
import { inChunks } from '../domain/yielding';
import { csvLines, csvRecords } from './csv';
import type { SessionView } from './session-view';

/** Rows read by one query. */
const BATCH = 1_000;
const ORDER = ['recorded_at', 'consent_id'] as const;

type Format = 'ndjson' | 'csv';

/** A file that is streamed. */
export interface ExportFile {
  /** Its media type. */
  type: string;
  name: string;
  content: Readable;
}

/**
 * Consent records as a file, oldest first. Read in batches and never ahead of the client: memory stays the
 * same for any number of rows, and while a slow client reads, no connection, snapshot or lock is held, nor
 * does a time limit of the database run.
 */
export async function exportFile(
  db: Knex,
  environment: EnvironmentRow,
  format: Format,
  filter: ConsentFilter,
  { show }: SessionView,
): Promise<ExportFile> {
  const matching = () => ConsentRow.records(db).modify('matching', environment.id, filter);
  // What is recorded while the file is read belongs to the next one.
  const end = await lastPlace(matching(), ORDER);
  const read = async (after: Stored | undefined): Promise<Stored[]> =>
    end === undefined ? [] : readBatch(upTo(matching(), ORDER, end), after);
  // What is undefined is in no file.
  const toShow = (row: Stored) => ({ ...row, session_id: show(row.session_id), place: undefined });
  // Checked now, because an error can only be sent before the file has begun.
  const first = await read(undefined);
  const name = `consents-${environment.domain}-${clock.date().toISOString().slice(0, 10)}.${format}`;
  const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson';
  return { type, name, content: Readable.from(pieces(first, read, format, toShow), { objectMode: false }) };
}

type Stored = Placed<ConsentRow>;

async function readBatch(rows: QueryBuilder<ConsentRow>, after: Stored | undefined): Promise<Stored[]> {
  const query = rows
    .clearSelect()
    .select(STATED, placed('recorded_at'))
    .orderBy([...ORDER])
    .limit(BATCH);
  if (after !== undefined) behind(query, ORDER, [after.place, after.consent_id]);
  return query.toKnexQuery<Stored>();
}

async function* pieces(
  first: Stored[],
  read: (after: Stored | undefined) => Promise<Stored[]>,
  format: Format,
  toShow: (row: Stored) => Shown,
): AsyncGenerator<string> {
  if (format === 'csv') yield* csvLines([STATED]);
  for (let rows = first; rows.length > 0; rows = rows.length < BATCH ? [] : await read(rows.at(-1)))
    yield* format === 'csv'
      ? csvRecords(shownOf(rows, toShow), STATED)
      : inChunks(ndjson(shownOf(rows, toShow)));
}

type Shown = Parameters<typeof withoutNulls>[0];

function* shownOf(rows: readonly Stored[], toShow: (row: Stored) => Shown): Generator<Shown> {
  for (const row of rows) yield toShow(row);
}

function* ndjson(rows: Iterable<Shown>): Generator<string> {
  for (const row of rows) yield `${JSON.stringify(withoutNulls(row))}\n`;
}
