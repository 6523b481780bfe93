import { type Readable, Transform } from 'node:stream';
import { stringify } from 'csv-stringify';
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

/** Streams consent records as a file, oldest first, so that memory stays the same for any number of rows. */
export async function exportFile(
  { db }: Context,
  environment: EnvironmentRow,
  format: 'ndjson' | 'csv',
  filter: ConsentFilter,
): Promise<Download> {
  const query = ConsentRow.query(db)
    .modify('matching', environment.id, filter)
    .select(COLUMNS)
    .orderBy(['recorded_at', 'consent_id']);
  const rows = query.toKnexQuery().stream({ highWaterMark: 500, batchSize: 500 }) as Readable;
  const name = `consents-${environment.domain}-${new Date().toISOString().slice(0, 10)}.${format}`;
  if (format === 'csv') return new Download('text/csv; charset=utf-8', name, joined(rows, csv()));
  return new Download('application/x-ndjson', name, joined(rows, ndjson()));
}

/** A pipe whose two ends break together: a client that goes away ends the query, and a broken query breaks the file off. */
function joined(source: Readable, target: Transform): Readable {
  source.on('error', (error) => target.destroy(error));
  target.on('close', () => source.destroy());
  return source.pipe(target);
}

function ndjson(): Transform {
  return new Transform({
    writableObjectMode: true,
    transform: (row, _encoding, done) => done(null, `${JSON.stringify(row)}\n`),
  });
}

function csv(): Transform {
  return stringify({
    header: true,
    columns: COLUMNS,
    // A spreadsheet would run a cell that begins like a formula (OWASP, CSV injection).
    escape_formulas: true,
    cast: {
      boolean: (value) => String(value),
      date: (value) => value.toISOString(),
      object: (value) => JSON.stringify(value),
    },
  });
}
