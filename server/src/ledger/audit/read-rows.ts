import { type ConsentKey, type PlacedKey, placedKey, spanOf } from '../../db/ledger/erased';
import { partsOf, STATEMENT_BYTES } from '../../db/ledger/kept';
import { statementOfConsent, statementOfForm } from '../../db/ledger/records';
import { FORM_BYTES } from '../../db/ledger/weigh';
import { ConsentRow, FormConsentRow } from '../../db/models';
import { idAt, timeOfId } from '../../domain/ids';
import { commitmentOf } from '../../domain/ledger/commitment';
import { runYielding } from '../../domain/yielding';
import { type FactRow, openFact } from '../statements';
import { AT_ONCE, type Audited, NIL } from './audited-site';
import { judgeFact, KEPT_KINDS } from './judge-fact';
import { type Instant, isFiner, judgeInstant } from './judge-instant';

/** A record as the database has it now. */
export interface StoredRow {
  holder: 'consent' | 'fact';
  id: string;
  at: number;
  imported: boolean;
  /** In hexadecimal digits; undefined of a fact whose row is gone. */
  commitment: string | undefined;
}

/** Later than every record. */
const FOREVER = new Date('9999-12-31T00:00:00Z');
/** Facts that are listed at once. */
const FACTS = 500;

/** Every consent record, in the order of time. One that nothing seals is a finding. */
export async function* storedConsents(about: Audited): AsyncGenerator<StoredRow[]> {
  const { trx, site, window } = about;
  for (let after: string[] = [window?.from.toISOString() ?? '-infinity', NIL]; ; ) {
    const keys: (PlacedKey & Instant)[] = await trx('consents')
      .where({ environment_id: site.id })
      .whereRaw('recorded_at >= ?::timestamptz AND (recorded_at, consent_id) > (?::timestamptz, ?::uuid)', [
        after[0] as string,
        ...after,
      ])
      .orderBy(['recorded_at', 'consent_id'])
      .where('recorded_at', '<=', window?.to ?? FOREVER)
      .limit(AT_ONCE)
      .select(placedKey(trx), isFiner(trx, 'recorded_at'));
    const last = keys.at(-1);
    if (last === undefined) return;
    for (const key of keys) judgeInstant(about, { name: 'consent', id: key.consent_id }, key);
    yield await openKeys(about, keys);
    about.progress(keys.length);
    after = [last.place, last.consent_id];
  }
}

async function openKeys(about: Audited, keys: ConsentKey[]): Promise<StoredRow[]> {
  const { trx, site, head, findings } = about;
  const ids = keys.flatMap(({ consent_id, blinding }) => (blinding === null ? [consent_id] : []));
  const times = keys.map(({ recorded_at }) => recorded_at);
  const rows = await ConsentRow.records(trx)
    .where({ environment_id: site.id })
    .whereBetween('recorded_at', spanOf(times));
  const before: { consent_id: string; blinding: string }[] = await importedAmong(trx, site.id, ids);
  const imported = new Map(before.map(({ consent_id, blinding }) => [consent_id, blinding]));
  about.imported += imported.size;
  const own = new Map(keys.map(({ consent_id, blinding }) => [consent_id, blinding]));
  const importedOn = head?.imported_on?.toISOString();
  const present: StoredRow[] = [];
  for (const row of rows) {
    const { consent_id: id, recorded_at } = row;
    // Of the same instant as the first or last.
    if (!own.has(id)) continue;
    const blinding = own.get(id) ?? imported.get(id);
    if (blinding === undefined || blinding === null) {
      if (head?.import_done === true)
        findings.add('inserted', `consent ${id} has no blinding: nothing sealed it when it was stored`);
      continue;
    }
    const isImported = own.get(id) === null;
    const statement = stated(() => statementOfConsent(site.token, row, isImported ? importedOn : undefined));
    const commitment = commitmentOf(blinding, statement);
    present.push({ holder: 'consent', id, at: recorded_at.getTime(), imported: isImported, commitment });
  }
  return present;
}

/** What lacks a value that every record has is no record that was sealed. */
function stated(statement: () => string): string {
  try {
    return statement();
  } catch {
    return '';
  }
}

const importedAmong = (trx: Audited['trx'], environment_id: string, ids: string[]) =>
  trx('ledger_imported')
    .where({ environment_id })
    .whereIn('consent_id', ids)
    .select('consent_id', 'blinding');

type StoredFact = FactRow & Instant;
type Listed = Pick<FactRow, 'fact_id' | 'kind' | 'subject'> & { bytes: number };

/** Every fact. */
export async function* storedFacts(about: Audited): AsyncGenerator<StoredRow[]> {
  const { trx, site, window } = about;
  for (let after = window === undefined ? NIL : idAt(window.from); ; ) {
    const all: Listed[] = await trx('ledger_facts')
      .where({ environment_id: site.id })
      .where('fact_id', '>', after)
      .where('at', '<=', window?.to ?? FOREVER)
      .orderBy('fact_id')
      .limit(FACTS)
      .select('fact_id', 'kind', 'subject', trx.raw(STATEMENT_BYTES));
    const last = all.at(-1);
    if (last === undefined) return;
    const forms = await formSizes(about, all);
    const sizeOf = ({ subject, bytes }: Listed) => ({
      statements: 1,
      bytes: bytes + (forms.get(subject) ?? 0),
    });
    for (const part of partsOf(all, sizeOf)) {
      const facts = await factsFrom(about, part[0]?.fact_id as string, part.at(-1)?.fact_id as string);
      const commitments = await formCommitments(about, facts);
      const present: StoredRow[] = [];
      for (const fact of facts) present.push(await openOne(about, fact, commitments.get(fact.fact_id)));
      yield present;
      about.progress(facts.length);
    }
    after = last.fact_id;
  }
}

const factsFrom = ({ trx, site, window }: Audited, from: string, to: string): PromiseLike<StoredFact[]> =>
  trx('ledger_facts')
    .where({ environment_id: site.id })
    .whereBetween('fact_id', [from, to])
    .where('at', '<=', window?.to ?? FOREVER)
    .orderBy('fact_id')
    .select('ledger_facts.*', isFiner(trx, 'at'));

async function openOne(about: Audited, fact: StoredFact, ofForm: string | undefined): Promise<StoredRow> {
  const { fact_id: id, at, imported, kind, subject } = fact;
  const row = { holder: 'fact' as const, id, at: at.getTime(), imported };
  judgeFact(about, fact);
  if (kind === 'form_consent') return { ...row, commitment: ofForm };
  // A number that is none would end the transaction.
  if ((kind === 'settings' || kind === 'vendors') && !/^\d{1,9}$/.test(subject))
    return { ...row, commitment: undefined };
  // What can be computed is: a statement beside the row would hide that the row was changed.
  const opened = await openFact(about.trx, KEPT_KINDS.has(kind) ? fact : { ...fact, statement: null }).catch(
    () => undefined,
  );
  return { ...row, commitment: opened?.commitment };
}

/** The ids of form consents that some facts are about. */
const formsOf = (facts: readonly Pick<FactRow, 'kind' | 'subject'>[]): string[] =>
  facts.flatMap(({ kind, subject }) => (kind === 'form_consent' && UUID.test(subject) ? [subject] : []));

/** How long the statements of form consents are, from which what was sealed of them is computed. */
async function formSizes({ trx, site }: Audited, facts: readonly Listed[]): Promise<Map<string, number>> {
  const ids = formsOf(facts);
  if (ids.length === 0) return new Map();
  const rows: { form_consent_id: string; bytes: number }[] = await trx('form_consents')
    .where({ environment_id: site.id })
    .whereIn('form_consent_id', ids)
    .select('form_consent_id', trx.raw(FORM_BYTES));
  return new Map(rows.map(({ form_consent_id, bytes }) => [form_consent_id, bytes]));
}

async function formCommitments(about: Audited, facts: FactRow[]): Promise<Map<string, string>> {
  const { trx, site, head } = about;
  const ids = formsOf(facts);
  if (ids.length === 0) return new Map();
  const rows = await FormConsentRow.query(trx)
    .where({ environment_id: site.id })
    .whereIn('form_consent_id', ids)
    .select('form_consents.*', isFiner(trx, 'recorded_at'));
  for (const row of rows as (FormConsentRow & Instant)[])
    judgeInstant(about, { name: 'form consent', id: row.form_consent_id }, row);
  const known = new Map(rows.map((row) => [row.form_consent_id, row]));
  const on = head?.imported_on?.toISOString();
  const found = new Map<string, string>();
  // One by one: each may be long.
  const commit = function* (): Generator<void, void> {
    for (const { kind, fact_id, subject, blinding, imported } of facts) {
      const row = kind === 'form_consent' ? known.get(subject) : undefined;
      if (row === undefined) continue;
      found.set(fact_id, commitmentOf(blinding, statementOfForm(site.token, row, imported ? on : undefined)));
      yield;
    }
  };
  await runYielding(commit());
  return found;
}

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The instant in an id, of a row whose own time may have been changed. */
export const madeAt = (id: string): number => timeOfId(id).getTime();
