import type { Knex } from 'knex';
import { eraseDsars, eraseForms } from './ledger/erased';
import type { Gone } from './ledger/erased-notes';
import { type FormKey, firstThatFit, type Weighed, weighForms, weighRequests } from './ledger/weigh';

/** Rows that are looked at for one transaction. */
const ROWS = 5_000;

/** A row that outlived an instant, and its time as PostgreSQL writes it. */
interface Row {
  id: string;
  time: string;
}

/** What is done with the rows of a table whose sealed texts may be long. */
interface SealedTable {
  key: string;
  weigh(trx: Knex, environment_id: string, rows: readonly Row[]): Promise<Weighed<Row>[]>;
  erase(trx: Knex, environment_id: string, rows: readonly Weighed<Row>[]): Promise<Gone>;
}

const keyOf = ({ id, time }: Row): FormKey => ({ form_consent_id: id, recorded_at: time });

/** The sizes of rows, in their order. */
const sized = (rows: readonly Row[], sizes: readonly Weighed<unknown>[]): Weighed<Row>[] =>
  sizes.map(({ size }, n) => ({ row: rows[n] as Row, size }));

const SEALED: Record<string, SealedTable> = {
  form_consents: {
    key: 'form_consent_id',
    weigh: async (trx, site, rows) => sized(rows, await weighForms(trx, site)(rows.map(keyOf))),
    erase: (trx, site, rows) =>
      eraseForms(
        trx,
        site,
        rows.map(({ row, size }) => ({ row: keyOf(row), size })),
      ),
  },
  dsar_requests: {
    key: 'request_id',
    weigh: async (trx, site, rows) => sized(rows, await weighRequests(trx, site)(rows.map(({ id }) => id))),
    erase: (trx, site, rows) =>
      eraseDsars(
        trx,
        site,
        rows.map(({ row }) => row.id),
      ),
  },
};

export const isSealedTable = (table: string): boolean => table in SEALED;

/** Which rows retention deletes next of a table. */
interface Span {
  table: string;
  column: string;
  before: Date;
  /** Where the rows before ended. */
  from: string;
}

/** What one transaction deleted. */
interface Deleted {
  ids: string[];
  until: string;
  /** Whether nothing is left for a next one. */
  isLast: boolean;
}

/** Deletes the first rows and what was sealed of them, as much as one transaction may hold; `gone` has the commitments. */
export async function deleteSealed(
  trx: Knex,
  environment_id: string,
  { table, column, before, from }: Span,
  gone: Gone,
): Promise<Deleted> {
  const { key, weigh, erase } = SEALED[table] as SealedTable;
  const outlived = (since: string) =>
    trx(table)
      .where({ environment_id })
      .whereRaw('?? >= ?::timestamptz AND ?? < ?', [column, since, column, before]);
  // In the order of the index, so that none is sorted.
  const found: Row[] = await outlived(from)
    .orderBy(column)
    .limit(ROWS)
    .select(trx.raw('?? AS id, ??::text AS time', [key, column]));
  const fitting = await firstThatFit(found, (rows) => weigh(trx, environment_id, rows));
  const first = fitting[0]?.row.time ?? from;
  const until = fitting.at(-1)?.row.time ?? from;
  const isLast = found.length < ROWS && fitting.length === found.length;
  const some = outlived(first)
    .whereRaw('?? <= ?::timestamptz', [column, until])
    .whereIn(
      key,
      fitting.map(({ row }) => row.id),
    );
  // What changed meanwhile, such as a request that was reopened, stays.
  const ids: string[] = await some.clone().forUpdate().pluck(key);
  const locked = new Set(ids);
  gone.push(
    ...(await erase(
      trx,
      environment_id,
      fitting.filter(({ row }) => locked.has(row.id)),
    )),
  );
  await some.clone().whereIn(key, ids).delete();
  return { ids, until, isLast };
}
