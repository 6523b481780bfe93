import type { Knex } from 'knex';
import { erasedDigest } from '../../../server/src/db/ledger/erased-notes';
import { breachRecord, dsarRecord, erasureRecord, stepRecord } from '../../../server/src/db/ledger/records';
import { BreachRow, DsarRow, ErasureRow } from '../../../server/src/db/models';
import { idAt, newId, timeOfId } from '../../../server/src/domain/ids';
import { statementOf } from '../../../server/src/domain/ledger/statement';
import type { TamperedSite } from './tampered';
import { columnsOf } from './unsealed-columns';

const HOUR = 3_600_000;

/** A row by the columns of its key, as text. */
export type Key = Record<string, string>;
/** Columns with the SQL that is written to them. */
export type Written = Record<string, string>;

/** The columns of each table, to copy rows by; those of the keys' table have no site. */
export async function allColumns(db: Knex): Promise<Map<string, string[]>> {
  const columns = new Map<string, string[]>();
  for (const { table, name } of await columnsOf(db))
    columns.set(table, [
      ...(columns.get(table) ?? (table === 'ledger_keys' ? [] : ['environment_id'])),
      name,
    ]);
  return columns;
}

/** Where a row is, with the bindings. */
function at(key: Key, alias = ''): [sql: string, bindings: string[]] {
  const names = Object.keys(key);
  return [names.map((name) => `${alias}"${name}"::text = ?`).join(' AND '), Object.values(key)];
}

async function one(trx: Knex, sql: string, bindings: readonly string[]): Promise<void> {
  const { rowCount } = await trx.raw(sql, [...bindings]);
  if (rowCount !== 1) throw new Error(`${rowCount} rows instead of one: ${sql} ${bindings}`);
}

/** Changes rows of a table, as somebody does who may write to the database. */
export class RowChanges {
  constructor(private readonly columns: ReadonlyMap<string, readonly string[]>) {}

  async copy(trx: Knex, table: string, key: Key, written: Written): Promise<void> {
    const columns = this.columns.get(table) as string[];
    const values = columns.map((name) => written[name] ?? `"${name}"`);
    const [where, bindings] = at(key);
    const names = columns.map((name) => `"${name}"`).join(', ');
    await one(
      trx,
      `INSERT INTO "${table}" (${names}) SELECT ${values.join(', ')} FROM "${table}" WHERE ${where}`,
      bindings,
    );
  }

  async remove(trx: Knex, table: string, key: Key): Promise<void> {
    const [where, bindings] = at(key);
    await one(trx, `DELETE FROM "${table}" WHERE ${where}`, bindings);
  }

  /** Two rows say in these columns what the other one said. */
  async swap(
    trx: Knex,
    table: string,
    [a, b]: readonly [Key, Key],
    columns: readonly string[],
  ): Promise<void> {
    const set = columns.map((name) => `"${name}" = o."${name}"`).join(', ');
    const differ = columns.map((name) => `t."${name}"::text IS DISTINCT FROM o."${name}"::text`).join(' OR ');
    const [[ta, ka], [oa], [tb, kb], [ob]] = [at(a, 't.'), at(a, 'o.'), at(b, 't.'), at(b, 'o.')];
    const { rowCount } = await trx.raw(
      `UPDATE "${table}" t SET ${set} FROM "${table}" o
       WHERE (${ta} AND ${ob} OR ${tb} AND ${oa}) AND (${differ})`,
      [...ka, ...kb, ...kb, ...ka],
    );
    if (rowCount !== 2) throw new Error(`the rows of ${table} do not differ in ${columns}`);
  }

  /** The row is one of another site; one with its key that is there is replaced. */
  async move(trx: Knex, table: string, key: Key, to: string): Promise<void> {
    const [where, bindings] = at({ ...key, environment_id: to });
    await trx.raw(`DELETE FROM "${table}" WHERE ${where}`, bindings);
    await this.copy(trx, table, key, { environment_id: `'${to}'::uuid` });
    await this.remove(trx, table, key);
  }

  async write(trx: Knex, table: string, key: Key, written: Written): Promise<void> {
    const set = Object.entries(written).map(([name, value]) => `"${name}" = ${value}`);
    const [where, bindings] = at(key);
    await one(trx, `UPDATE "${table}" SET ${set.join(', ')} WHERE ${where}`, bindings);
  }
}

/** Has what was sealed of a row say what the row says now, as far as its statement is kept. */
export async function restate(trx: Knex, site: TamperedSite, kind: string, id: string): Promise<void> {
  const record = await recordOf(trx, site.id, kind, id);
  if (record === undefined) return;
  const statement = statementOf({ kind: kind as 'dsar', site: site.token, record });
  await trx('ledger_facts')
    .where({ environment_id: site.id, kind, subject: id, imported: false })
    .update({ statement });
}

async function recordOf(
  trx: Knex,
  environment_id: string,
  kind: string,
  id: string,
): Promise<object | undefined> {
  if (kind === 'dsar') {
    const row = (await DsarRow.query(trx).findOne({ environment_id, request_id: id })) as DsarRow;
    return { ...stepRecord(row.history.at(-1) as never), request: dsarRecord(row) };
  }
  if (kind === 'breach') {
    const row = (await BreachRow.query(trx).findOne({ environment_id, breach_id: id })) as BreachRow;
    return { ...stepRecord(row.history.at(-1) as never), breach: breachRecord(row) };
  }
  if (kind !== 'erasure') return undefined;
  const row = (await ErasureRow.query(trx).findOne({ environment_id, erasure_id: id })) as ErasureRow;
  return erasureRecord(row, await erasedDigest(trx, environment_id, id));
}

/** Makes a fact of the same kind about another subject, with a blinding of its own; its id. */
export async function copyFact(
  trx: Knex,
  { id: environment_id }: TamperedSite,
  kind: string,
  [from, to]: readonly [string, string],
): Promise<string> {
  const fact = await trx('ledger_facts').where({ environment_id, kind, subject: from }).first();
  const fact_id = newId();
  const blinding = trx.raw('gen_random_uuid()');
  await trx('ledger_facts').insert({ ...fact, fact_id, at: timeOfId(fact_id), subject: to, blinding });
  return fact_id;
}

/** The id of a fact that is dated an hour earlier. */
export const earlierId = (fact_id: string): string =>
  `${idAt(new Date(timeOfId(fact_id).getTime() - HOUR)).slice(0, 14)}${fact_id.slice(14)}`;

/** Dates a fact an hour earlier, with the id that goes with it. */
export async function backdateFact(
  trx: Knex,
  { id: environment_id }: TamperedSite,
  fact_id: string,
): Promise<void> {
  const earlier = earlierId(fact_id);
  const written = { fact_id: earlier, at: timeOfId(earlier) };
  await trx('ledger_facts').where({ environment_id, fact_id }).update(written);
}
