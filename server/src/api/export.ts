import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { Knex } from 'knex';
import type { Context } from '../context';
import { ConsentRow, type EnvironmentRow } from '../db/models';
import type { ConsentFilter } from '../db/models/consent-row';
import { Download } from './handler';

const COLUMNS = [
  ...[
    'consent_id',
    'recorded_at',
    'session_id',
    'decision',
    'categories',
    'policy_version',
    'banner_version',
    'bundle_hash',
  ],
  ...[
    'method',
    'language',
    'page_url',
    'ip_masked',
    'user_agent',
    'gpc',
    'tc_string',
    'gpp_string',
    'expires_at',
  ],
];

/** Rows read by one query. */
const BATCH = 1_000;

type Format = 'ndjson' | 'csv';

/**
 * Consent records as a file, oldest first. Read in batches and never ahead of the client: memory stays the same for any number of
 * rows, and while a slow client reads, no connection, snapshot or lock is held, nor does a time limit of the database run.
 */
export async function exportFile(
  { db }: Context,
  environment: EnvironmentRow,
  format: Format,
  filter: ConsentFilter,
): Promise<Download> {
  const read = (after: ConsentRow | undefined): Promise<ConsentRow[]> =>
    readBatch(db, environment.id, filter, after);
  // Now, because a failure can only be told before the file has begun.
  const first = await read(undefined);
  const name = `consents-${environment.domain}-${new Date().toISOString().slice(0, 10)}.${format}`;
  const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson';
  return new Download(type, name, Readable.from(pieces(first, read, format), { objectMode: false }));
}

async function readBatch(
  db: Knex,
  environmentId: string,
  filter: ConsentFilter,
  after: ConsentRow | undefined,
): Promise<ConsentRow[]> {
  const query = ConsentRow.query(db)
    .modify('matching', environmentId, filter)
    .select(COLUMNS)
    .orderBy(['recorded_at', 'consent_id'])
    .limit(BATCH);
  if (after !== undefined) {
    // The first condition says nothing new, but lets PostgreSQL leave earlier months out.
    query.where('recorded_at', '>=', after.recorded_at);
    query.whereRaw('(recorded_at, consent_id) > (?, ?)', [after.recorded_at, after.consent_id]);
  }
  return query.toKnexQuery<ConsentRow>();
}

async function* pieces(
  first: ConsentRow[],
  read: (after: ConsentRow | undefined) => Promise<ConsentRow[]>,
  format: Format,
): AsyncGenerator<string> {
  if (format === 'csv') yield csv([Object.fromEntries(COLUMNS.map((column) => [column, column]))]);
  for (let rows = first; rows.length > 0; rows = rows.length < BATCH ? [] : await read(rows.at(-1))) {
    yield format === 'csv' ? csv(rows) : rows.map((row) => `${JSON.stringify(row, known)}\n`).join('');
  }
}

/** What the contract allows to be absent, but not to be null. */
const OPTIONAL = new Set(['tc_string', 'gpp_string']);
const known = (name: string, value: unknown): unknown =>
  value === null && OPTIONAL.has(name) ? undefined : value;

const csv = (rows: object[]): string =>
  stringify(rows, {
    columns: COLUMNS,
    // A spreadsheet would run a cell that begins like a formula (OWASP, CSV injection).
    escape_formulas: true,
    cast: {
      boolean: (value) => String(value),
      date: (value) => value.toISOString(),
      object: (value) => JSON.stringify(value),
    },
  });
