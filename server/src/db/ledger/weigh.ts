import type { Knex } from 'knex';
import { type SealedSize, sealedSizes } from './kept';

/** What one transaction erases of rows whose sealed texts may be long, at most, and one row that is longer. */
const CHUNK: SealedSize = { statements: 5_000, bytes: 8 * 2 ** 20 };
/** Rows that are weighed by one statement: the database reads their texts for it. */
const WEIGHED = 100;

/** A row with how much is read of it when it is erased. */
export interface Weighed<Row> {
  row: Row;
  size: SealedSize;
}

type Weigh<Row> = (rows: readonly Row[]) => Promise<Weighed<Row>[]>;

/** The first of some rows, as many as one transaction may erase. */
export async function firstThatFit<Row>(rows: readonly Row[], weigh: Weigh<Row>): Promise<Weighed<Row>[]> {
  const fitting: Weighed<Row>[] = [];
  let left = CHUNK;
  for (let from = 0; from < rows.length; from += WEIGHED) {
    for (const one of await weigh(rows.slice(from, from + WEIGHED))) {
      const { statements, bytes } = one.size;
      left = { statements: left.statements - statements, bytes: left.bytes - bytes };
      if (fitting.length > 0 && (left.statements < 0 || left.bytes < 0)) return fitting;
      fitting.push(one);
    }
  }
  return fitting;
}

/** How long the statements of a form consent are: what is sealed of it is made of them, and kept nowhere else. */
export const FORM_BYTES = 'octet_length(statements::text) AS bytes';

/** Where a form consent stands in its table; the time as PostgreSQL writes it. */
export interface FormKey {
  form_consent_id: string;
  recorded_at: string;
}

/** What a statement selects for it. */
export const formKey = (db: Knex) => ['form_consent_id', db.raw('recorded_at::text AS recorded_at')] as const;

/** Form consents by their keys, for `whereRaw`; the range is for the index, whatever the planner knows of the table. */
export const ofForms = (keys: readonly FormKey[]): [sql: string, bindings: string[][]] => {
  const times = keys.map(({ recorded_at }) => recorded_at);
  const sql = `recorded_at BETWEEN (SELECT min(t) FROM unnest(?::timestamptz[]) AS t) AND (SELECT max(t) FROM unnest(?::timestamptz[]) AS t)
    AND (recorded_at, form_consent_id) IN (SELECT * FROM unnest(?::timestamptz[], ?::uuid[]))`;
  return [sql, [times, times, times, keys.map(({ form_consent_id }) => form_consent_id)]];
};

/** Weighs form consents by their statements; those that are gone weigh nothing. */
export const weighForms =
  (db: Knex, environment_id: string): Weigh<FormKey> =>
  async (keys) => {
    const rows: { form_consent_id: string; bytes: number }[] = await db('form_consents')
      .where({ environment_id })
      .whereRaw(...ofForms(keys))
      .select('form_consent_id', db.raw(FORM_BYTES));
    const bytes = new Map(rows.map((row) => [row.form_consent_id, row.bytes]));
    return keys.map((row) => ({
      row,
      size: { statements: 1, bytes: bytes.get(row.form_consent_id) ?? 0 },
    }));
  };

/**
 * Weighs requests by what was sealed of them, by their histories, which may be older than the log, and by what goes with
 * them: files and comments.
 */
export const weighRequests =
  (db: Knex, environment_id: string): Weigh<string> =>
  async (ids) => {
    const sealed = await sealedSizes(db, environment_id, 'dsar', ids);
    const rows: { request_id: string; bytes: number }[] = await db('dsar_requests')
      .where({ environment_id })
      .whereIn('request_id', [...ids])
      .select('request_id', db.raw('octet_length(history::text) AS bytes'));
    const besides = await besidesOf(db, environment_id, ids);
    const histories = new Map(rows.map(({ request_id, bytes }) => [request_id, bytes]));
    return ids.map((id) => {
      const { statements = 0, bytes = 0 } = sealed.get(id) ?? {};
      const beside = besides.get(id) ?? { statements: 0, bytes: 0 };
      return {
        row: id,
        size: {
          statements: statements + beside.statements + 1,
          bytes: bytes + beside.bytes + (histories.get(id) ?? 0),
        },
      };
    });
  };

const FILES = [
  ['answer_files', 'answer_file_parts'],
  ['attachments', 'attachment_parts'],
] as const;

/** Rows and stored bytes of requests' files and comments; the sizes are those of the stored values: none is read. */
async function besidesOf(
  db: Knex,
  environment_id: string,
  ids: readonly string[],
): Promise<Map<string, SealedSize>> {
  const sizes = new Map<string, SealedSize>();
  const sized = (from: Knex.QueryBuilder, column: string) =>
    from
      .groupBy('r.request_id')
      .select('r.request_id', db.raw('count(*)::int AS n, sum(pg_column_size(??)) AS bytes', [column]));
  const ofRequests = (table: string) =>
    db(`${table} AS r`)
      .where({ 'r.environment_id': environment_id })
      .whereRaw('r.request_id = ANY (?::uuid[])', [[...ids]]);
  const parts = FILES.map(([files, table]) =>
    sized(
      ofRequests(files).join(`${table} AS p`, (on) =>
        on.on('p.environment_id', 'r.environment_id').on('p.file_id', 'r.file_id'),
      ),
      'p.content',
    ),
  );
  for (const query of [...parts, sized(ofRequests('dsar_comments'), 'r.text')])
    for (const { request_id, n, bytes } of (await query) as {
      request_id: string;
      n: number;
      bytes: string;
    }[]) {
      const before = sizes.get(request_id) ?? { statements: 0, bytes: 0 };
      sizes.set(request_id, { statements: before.statements + n, bytes: before.bytes + Number(bytes) });
    }
  return sizes;
}
