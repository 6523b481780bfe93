import type { Knex } from 'knex';
import { commitmentOf } from '../../domain/ledger/commitment';
import { runYielding } from '../../domain/yielding';
import { ConsentRow, FormConsentRow } from '../models';
import type { Gone } from './erased-notes';
import { tokenOf } from './facts';
import { headOf } from './heads';
import { statementOfConsent, statementOfForm } from './records';

/** What of a consent record names it and hides it in the log; no blinding has one from before. */
export interface ConsentKey {
  recorded_at: Date;
  consent_id: string;
  blinding: string | null;
}
export const CONSENT_KEY = ['recorded_at', 'consent_id', 'blinding'] as const;

/** A record with what hides it in the log, as far as it is sealed. */
export interface HiddenConsent {
  row: ConsentRow;
  blinding: string;
  /** Of one from before the log. */
  importedOn: string | undefined;
}

/** Records with their blindings, however they were sealed; without those that were not. */
export async function hiddenConsents(
  db: Knex,
  environment_id: string,
  keys: readonly ConsentKey[],
): Promise<HiddenConsent[]> {
  if (keys.length === 0) return [];
  const times = keys.map(({ recorded_at }) => recorded_at.getTime());
  const blindings = new Map(keys.map(({ consent_id, blinding }) => [consent_id, blinding]));
  const rows = await ConsentRow.records(db)
    .where({ environment_id })
    .whereBetween('recorded_at', [new Date(Math.min(...times)), new Date(Math.max(...times))])
    .whereIn('consent_id', [...blindings.keys()]);
  const before = keys.filter(({ blinding }) => blinding === null).map(({ consent_id }) => consent_id);
  const imported = await importedBlindings(db, environment_id, before);
  return rows.flatMap((row) => {
    const own = blindings.get(row.consent_id) ?? undefined;
    const blinding = own ?? imported.blindings.get(row.consent_id);
    return blinding === undefined
      ? []
      : [{ row, blinding, importedOn: own === undefined ? imported.on : undefined }];
  });
}

async function importedBlindings(db: Knex, environment_id: string, ids: readonly string[]) {
  if (ids.length === 0) return { on: undefined, blindings: new Map<string, string>() };
  const head = await headOf(db, environment_id);
  const rows: { consent_id: string; blinding: string }[] = await db('ledger_imported')
    .where({ environment_id })
    .whereIn('consent_id', [...ids])
    .select('consent_id', 'blinding');
  const blindings = new Map(rows.map(({ consent_id, blinding }) => [consent_id, blinding]));
  return { on: head?.imported_on?.toISOString(), blindings };
}

/** The commitments of consent records, before they are erased. */
export async function goneConsents(
  db: Knex,
  environmentId: string,
  keys: readonly ConsentKey[],
): Promise<Gone> {
  const hidden = await hiddenConsents(db, environmentId, keys);
  if (hidden.length === 0) return [];
  return runYielding(commitmentsOf(await tokenOf(db, environmentId), hidden));
}

/** One by one: thousands at once would hold up whoever waits for an answer. */
function* commitmentsOf(token: string, hidden: readonly HiddenConsent[]): Generator<void, Gone> {
  const gone: Gone = [];
  for (const { row, blinding, importedOn } of hidden) {
    gone.push(commitmentOf(blinding, statementOfConsent(token, row, importedOn)));
    yield;
  }
  return gone;
}

/** Forgets the blindings of records from before the log that were erased. */
export const forgetImported = (trx: Knex, environment_id: string, ids: readonly string[]): Promise<unknown> =>
  trx('ledger_imported')
    .where({ environment_id })
    .whereIn('consent_id', [...ids])
    .delete();

/** Erases the facts of form consents or requests that are erased; their commitments. Before the rows are gone. */
export async function eraseFacts(
  trx: Knex,
  environment_id: string,
  kind: 'form_consent' | 'dsar',
  subjects: readonly string[],
): Promise<Gone> {
  if (subjects.length === 0) return [];
  const facts: FactRow[] = await trx('ledger_facts')
    .where({ environment_id, kind })
    .whereIn('subject', [...subjects])
    .delete()
    .returning(['subject', 'blinding', 'statement', 'imported']);
  const unkept = facts.filter(({ statement }) => statement === null);
  const statements = await formStatements(trx, environment_id, unkept);
  return facts.flatMap(({ subject, blinding, statement }) => {
    const text = statement ?? statements.get(subject);
    return text === undefined ? [] : [commitmentOf(blinding, text)];
  });
}

interface FactRow {
  subject: string;
  blinding: string;
  statement: string | null;
  imported: boolean;
}

async function formStatements(
  trx: Knex,
  environment_id: string,
  facts: FactRow[],
): Promise<Map<string, string>> {
  if (facts.length === 0) return new Map();
  const ids = facts.map(({ subject }) => subject);
  const rows = await FormConsentRow.query(trx).where({ environment_id }).whereIn('form_consent_id', ids);
  const token = await tokenOf(trx, environment_id);
  const on = (await headOf(trx, environment_id))?.imported_on?.toISOString();
  const imported = new Set(facts.filter((fact) => fact.imported).map(({ subject }) => subject));
  return new Map(
    rows.map((row) => {
      const id = row.form_consent_id;
      return [id, statementOfForm(token, row, imported.has(id) ? on : undefined)];
    }),
  );
}
