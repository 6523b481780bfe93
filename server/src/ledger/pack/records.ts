import type { Knex } from 'knex';
import { CONSENT_KEY, type ConsentKey, hiddenConsents, spanOf } from '../../db/ledger/erased';
import { headOf } from '../../db/ledger/heads';
import { statementOfConsent } from '../../db/ledger/records';
import type { ConsentRow } from '../../db/models';
import { clock } from '../../domain/clock';
import { type LeafKind, longStatementOf } from '../../domain/ledger/statement';
import { recordOf } from '../statements';

/** Whose records they are. */
export interface LogOwner {
  id: string;
  token: string;
  /** When records from before the log were sealed. */
  importedOn: string | undefined;
}

/** A record as its leaf commits to it. */
export interface HiddenRecord {
  kind: LeafKind;
  statement: string;
  /** Null of a record from before the log that is not sealed yet. */
  blinding: string | null;
  /** Under which instant its leaf is found. */
  at: Date;
  /** Whether its statement was made of its row just now, and not kept. */
  isMade?: boolean;
}

/** Consent records, in the order of their rows; without those that were erased since their rows were read. */
export async function hideConsents(
  db: Knex,
  { id, token }: LogOwner,
  rows: readonly ConsentRow[],
): Promise<HiddenRecord[]> {
  const hidden = await hiddenConsents(db, id, await keysOf(db, id, rows));
  const byId = new Map(hidden.map((one) => [one.row.consent_id, one]));
  const missing = rows.filter(({ consent_id }) => !byId.has(consent_id));
  const bare = new Set((await keysOf(db, id, missing)).map(({ consent_id }) => consent_id));
  const there = rows.filter(({ consent_id }) => byId.has(consent_id) || bare.has(consent_id));
  return there.map((row) => {
    const { blinding = null, importedOn } = byId.get(row.consent_id) ?? {};
    const statement = statementOfConsent(token, row, importedOn);
    return { kind: 'consent', statement, blinding, at: row.recorded_at };
  });
}

/** What hides records is not read with them. */
async function keysOf(db: Knex, environment_id: string, rows: readonly ConsentRow[]): Promise<ConsentKey[]> {
  if (rows.length === 0) return [];
  const times = rows.map(({ recorded_at }) => recorded_at);
  return db('consents')
    .where({ environment_id })
    .whereBetween('recorded_at', spanOf(times))
    .whereIn(
      'consent_id',
      rows.map(({ consent_id }) => consent_id),
    )
    .select(...CONSENT_KEY);
}

/** A fact as it is stored. */
export interface FactRow {
  fact_id: string;
  at: Date;
  kind: Exclude<LeafKind, 'consent'>;
  subject: string;
  blinding: string;
  statement: string | null;
  imported: boolean;
}

export const FACT_COLUMNS = [
  'fact_id',
  'at',
  'kind',
  'subject',
  'blinding',
  'statement',
  'imported',
] as const;

/** The facts of one kind about some subjects, the oldest first. */
export const factsAbout = (
  db: Knex,
  environment_id: string,
  kind: FactRow['kind'],
  subjects: readonly string[],
): Promise<FactRow[]> =>
  db('ledger_facts')
    .where({ environment_id, kind })
    .whereIn('subject', [...subjects])
    .orderBy('fact_id')
    .select<FactRow[]>(...FACT_COLUMNS) as unknown as Promise<FactRow[]>;

/** Facts as their leaves commit to them; without one whose row is gone. */
export async function hideFacts(
  db: Knex,
  owner: LogOwner,
  facts: readonly FactRow[],
): Promise<HiddenRecord[]> {
  const hidden: HiddenRecord[] = [];
  for (const fact of facts) {
    const statement = fact.statement ?? (await statementFrom(db, owner, fact));
    if (statement === undefined) continue;
    const isMade = fact.statement === null;
    hidden.push({ kind: fact.kind, statement, blinding: fact.blinding, at: fact.at, isMade });
  }
  return hidden;
}

/** What has no fact yet, because it is from before the log; nothing where its row is gone, too. */
export async function beforeImport(
  db: Knex,
  { id, token: site, importedOn }: LogOwner,
  kind: FactRow['kind'],
  subject: string,
): Promise<HiddenRecord[]> {
  const record = await recordOf(db, { environment_id: id, kind, subject });
  if (record === undefined) return [];
  const statement = await longStatementOf({ kind, site, record, imported_on: importedOn });
  return [{ kind, statement, blinding: null, at: clock.date(), isMade: true }];
}

/** The statement of a fact about a row that cannot change. */
async function statementFrom(
  db: Knex,
  { id, token: site, importedOn }: LogOwner,
  { kind, subject, imported }: FactRow,
): Promise<string | undefined> {
  const record = await recordOf(db, { environment_id: id, kind, subject });
  // The import may have begun since the owner was read.
  const on = imported ? (importedOn ?? (await headOf(db, id))?.imported_on?.toISOString()) : undefined;
  return record && longStatementOf({ kind, site, record, imported_on: on });
}
