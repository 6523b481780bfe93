import type { Knex } from 'knex';
import { readBundleRecord } from '../db/ledger/bundle-record';
import { type ConsentKey, hiddenConsents } from '../db/ledger/erased';
import { tokenOf } from '../db/ledger/facts';
import { headOf } from '../db/ledger/heads';
import { formConsentRecord, settingsRecord, statementOfConsent, vendorsRecord } from '../db/ledger/records';
import { FormConsentRow, SettingsVersionRow, VendorListRow } from '../db/models';
import { wholeSettings } from '../db/settings-versions';
import { commitmentOf } from '../domain/ledger/commitment';
import { type LeafKind, longStatementOf } from '../domain/ledger/statement';

/** What a leaf is about, and everything that shows that it is. */
export interface OpenedLeaf {
  kind: LeafKind;
  /** The id, the hash or the version of what it is about. */
  subject: string;
  statement: string;
  /** A UUID. */
  blinding: string;
  /** In hexadecimal digits. */
  commitment: string;
  /** When it was dated: by it and the commitment its place is found (`proveLeaf`). */
  at: Date;
}

/** Opens the leaves of consent records; those that were never sealed are left out. */
export async function openConsents(
  db: Knex,
  environmentId: string,
  keys: readonly ConsentKey[],
): Promise<OpenedLeaf[]> {
  const token = await tokenOf(db, environmentId);
  return (await hiddenConsents(db, environmentId, keys)).map(({ row, blinding, importedOn }) => {
    const statement = statementOfConsent(token, row, importedOn);
    const about = { kind: 'consent' as const, subject: row.consent_id, at: row.recorded_at };
    return { ...about, statement, blinding, commitment: commitmentOf(blinding, statement) };
  });
}

/** A fact as it is stored. */
export interface FactRow {
  environment_id: string;
  fact_id: string;
  at: Date;
  kind: Exclude<LeafKind, 'consent'>;
  subject: string;
  blinding: string;
  /** Null where it is made of the row that it is about, which never changes. */
  statement: string | null;
  imported: boolean;
}

/** Opens the leaf of a fact; undefined when what it is about is gone. */
export async function openFact(db: Knex, fact: FactRow): Promise<OpenedLeaf | undefined> {
  const { kind, subject, blinding, at } = fact;
  const statement = fact.statement ?? (await recompute(db, fact));
  if (statement === undefined) return undefined;
  return { kind, subject, statement, blinding, commitment: commitmentOf(blinding, statement), at };
}

async function recompute(db: Knex, fact: FactRow): Promise<string | undefined> {
  const { environment_id, kind, imported } = fact;
  const record = await recordOf(db, fact);
  if (record === undefined) return undefined;
  const on = imported ? (await headOf(db, environment_id))?.imported_on?.toISOString() : undefined;
  return longStatementOf({ kind, site: await tokenOf(db, environment_id), record, imported_on: on });
}

/** What the rows say that never change. */
export async function recordOf(
  db: Knex,
  { environment_id, kind, subject }: Pick<FactRow, 'environment_id' | 'kind' | 'subject'>,
): Promise<object | undefined> {
  if (kind === 'form_consent') {
    const rows = FormConsentRow.query(db).where({ environment_id }).modify('withId', subject);
    const row = await rows.orderBy('recorded_at').first();
    return row && formConsentRecord(row);
  }
  if (kind === 'settings') {
    const row = await SettingsVersionRow.query(db).findById([environment_id, Number(subject)]);
    return (
      row &&
      settingsRecord(row.version, await wholeSettings(db, environment_id, row.settings), row.created_at)
    );
  }
  if (kind === 'vendors') {
    const row = await VendorListRow.query(db).findById([environment_id, Number(subject)]);
    return row && vendorsRecord(row);
  }
  if (kind === 'bundle') return readBundleRecord(db, environment_id, subject);
  return undefined;
}
