import type { Knex } from 'knex';
import { commitmentOf } from '../../domain/ledger/commitment';
import { runYielding } from '../../domain/yielding';
import { ConsentRow, FormConsentRow } from '../models';
import type { Gone } from './erased-notes';
import { tokenOf } from './facts';
import { headOf } from './heads';
import { partsOf, partsSealed } from './kept';
import { statementOfConsent, statementOfForm } from './records';
import { type FormKey, ofForms, type Weighed } from './weigh';

/** What of a consent record names it and hides it in the log; no blinding has one from before. */
export interface ConsentKey {
  recorded_at: Date;
  consent_id: string;
  blinding: string | null;
}
export const CONSENT_KEY = ['recorded_at', 'consent_id', 'blinding'] as const;

/** With its place among all: an instant of the database may be finer than one of JavaScript, and then no cursor by that moves on. */
export interface PlacedKey extends ConsentKey {
  place: string;
}
export const PLACED_KEY = [...CONSENT_KEY, 'recorded_at::text AS place'].join(', ');
export const placedKey = (db: Knex) => db.raw(PLACED_KEY);

/** From the first of some instants of the database to the last one, as JavaScript has read them. */
export const spanOf = (times: readonly Date[]): [Date, Date] => {
  const all = times.map((at) => at.getTime());
  return [new Date(Math.min(...all)), new Date(Math.max(...all) + 1)];
};

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
  const times = keys.map(({ recorded_at }) => recorded_at);
  const blindings = new Map(keys.map(({ consent_id, blinding }) => [consent_id, blinding]));
  const rows = await ConsentRow.records(db)
    .where({ environment_id })
    .whereBetween('recorded_at', spanOf(times))
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

/**
 * Erases what was sealed of form consents that are erased; their commitments. Before the rows are gone, and so much at
 * once as fits in memory.
 */
export async function eraseForms(
  trx: Knex,
  environment_id: string,
  forms: readonly Weighed<FormKey>[],
): Promise<Gone> {
  if (forms.length === 0) return [];
  const token = await tokenOf(trx, environment_id);
  const on = (await headOf(trx, environment_id))?.imported_on?.toISOString();
  const gone: Gone = [];
  for (const part of partsOf(forms, ({ size }) => size)) {
    const keys = part.map(({ row }) => row);
    const facts: FactRow[] = await trx('ledger_facts')
      .where({ environment_id, kind: 'form_consent' })
      .whereIn(
        'subject',
        keys.map(({ form_consent_id }) => form_consent_id),
      )
      .delete()
      .returning(FACT);
    if (facts.length === 0) continue;
    const rows = await FormConsentRow.query(trx)
      .where({ environment_id })
      .whereRaw(...ofForms(keys));
    const known = new Map(rows.map((row) => [row.form_consent_id, row]));
    const textOf = ({ subject, statement, imported }: FactRow): string | undefined => {
      const row = known.get(subject);
      return statement ?? (row && statementOfForm(token, row, imported ? on : undefined));
    };
    gone.push(...(await runYielding(commitmentsOfFacts(facts, textOf))));
  }
  return gone;
}

/** Erases what was sealed of requests that are erased, each locked; their commitments. In parts that fit in memory. */
export async function eraseDsars(trx: Knex, environment_id: string, ids: readonly string[]): Promise<Gone> {
  const gone: Gone = [];
  if (ids.length === 0) return gone;
  for (const part of await partsSealed(trx, environment_id, 'dsar', ids)) {
    const facts: FactRow[] = await trx('ledger_facts')
      .where({ environment_id })
      .whereIn('fact_id', part)
      .delete()
      .returning(FACT);
    gone.push(...(await runYielding(commitmentsOfFacts(facts, ({ statement }) => statement ?? undefined))));
  }
  return gone;
}

const FACT = ['subject', 'blinding', 'statement', 'imported'];

interface FactRow {
  subject: string;
  blinding: string;
  statement: string | null;
  imported: boolean;
}

function* commitmentsOfFacts(
  facts: readonly FactRow[],
  textOf: (fact: FactRow) => string | undefined,
): Generator<void, Gone> {
  const gone: Gone = [];
  for (const fact of facts) {
    const text = textOf(fact);
    if (text !== undefined) gone.push(commitmentOf(fact.blinding, text));
    yield;
  }
  return gone;
}
