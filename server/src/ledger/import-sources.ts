import type { Knex } from 'knex';
import { BUNDLE_COLUMNS, bundleRecord, storedHashes } from '../db/ledger/bundle-record';
import { type PlacedKey, placedKey, spanOf } from '../db/ledger/erased';
import { NO_LEAVES, provenDigest } from '../db/ledger/erased-notes';
import { makeFact, type NewFact } from '../db/ledger/facts';
import {
  breachRecord,
  dsarRecord,
  erasureRecord,
  formConsentRecord,
  settingsRecord,
  statementOfConsent,
  vendorsRecord,
} from '../db/ledger/records';
import {
  BreachRow,
  BundleRow,
  ConsentRow,
  DsarRow,
  ErasureRow,
  FormConsentRow,
  SettingsVersionRow,
  VendorListRow,
} from '../db/models';
import { wholeSettings } from '../db/settings-versions';
import { seal } from '../domain/ledger/commitment';
import type { LoggedSite } from './log';

/** Whose records are sealed, up to when, and when. */
export interface ImportOf {
  site: LoggedSite;
  /** Records from then on were written with what seals them. */
  cutoff: Date;
  importedOn: string;
}

/** What one step took: the times of records, their commitments, and where it goes on; null at the end. */
export interface Imported {
  at: Date[];
  commitments: Buffer[];
  after: string[] | null;
}

/** A table whose records are sealed afterwards. */
export interface Source {
  kind: string;
  take(trx: Knex, about: ImportOf, after: string[] | null): Promise<Imported>;
}

/** Consent records taken by one transaction. */
const CONSENTS = 2_000;

/** Locks the records, so that none is erased while its blinding is written. */
async function takeConsents(
  trx: Knex,
  { site, cutoff, importedOn }: ImportOf,
  after: string[] | null,
): Promise<Imported> {
  const keys = trx('consents')
    .where({ environment_id: site.id })
    .whereNull('blinding')
    .where('recorded_at', '<', cutoff)
    .orderBy(['recorded_at', 'consent_id'])
    .limit(CONSENTS)
    .forKeyShare()
    .select(placedKey(trx));
  if (after !== null) keys.whereRaw('(recorded_at, consent_id) > (?::timestamptz, ?::uuid)', after);
  const found: PlacedKey[] = await keys;
  const last = found.at(-1);
  if (last === undefined) return { at: [], commitments: [], after: null };
  const times = found.map(({ recorded_at }) => recorded_at);
  const rows = await ConsentRow.records(trx)
    .where({ environment_id: site.id })
    .whereBetween('recorded_at', spanOf(times))
    .whereIn(
      'consent_id',
      found.map(({ consent_id }) => consent_id),
    );
  const sealed = rows.map((row) => ({ row, ...seal(statementOfConsent(site.token, row, importedOn)) }));
  await trx('ledger_imported').insert(
    sealed.map(({ row: { environment_id, consent_id }, blinding }) => ({
      environment_id,
      consent_id,
      blinding,
    })),
  );
  return {
    at: times,
    commitments: sealed.map(({ commitment }) => Buffer.from(commitment, 'hex')),
    after: found.length < CONSENTS ? null : [last.place, last.consent_id],
  };
}

type Rowed = { created_at?: Date; recorded_at?: Date; begun_at?: Date };

/** A table of facts besides consents: rows in the order of their key. */
interface FactSource<Found extends Rowed> {
  kind: Exclude<NewFact['kind'], 'import'>;
  /** Rows after a key, locked so that none is erased meanwhile. */
  rows(trx: Knex, environment_id: string, after: string | null): PromiseLike<Found[]>;
  keyOf(row: Found): string;
  record(trx: Knex, row: Found, at: string): object | Promise<object>;
  /** Whether the row can change, so that its statement is kept. */
  keep?: boolean;
}

/** Rows that one transaction takes of a table of facts, some of which are large. */
const FACTS = 50;

const factSource = <Found extends Rowed>(source: FactSource<Found>): Source => ({
  kind: source.kind,
  take: async (trx, { site, importedOn }, after) => {
    const { kind, keep = false } = source;
    const rows = await source.rows(trx, site.id, after?.[0] ?? null);
    const keys = rows.map((row) => source.keyOf(row));
    const facts = trx('ledger_facts').where({ environment_id: site.id, kind }).whereIn('subject', keys);
    const sealed = new Set<string>(await facts.pluck('subject'));
    const imported: Imported = { at: [], commitments: [], after: null };
    for (const row of rows) {
      const subject = source.keyOf(row);
      if (sealed.has(subject)) continue;
      const record = await source.record(trx, row, importedOn);
      const fact = makeFact(site.token, { environmentId: site.id, kind, subject, record, keep, importedOn });
      await trx('ledger_facts').insert(fact.row);
      imported.at.push(new Date(fact.at));
      imported.commitments.push(Buffer.from(fact.commitment, 'hex'));
    }
    const last = keys.at(-1);
    return { ...imported, after: rows.length < FACTS || last === undefined ? null : [last] };
  },
});

const forms = factSource<FormConsentRow>({
  kind: 'form_consent',
  rows: async (trx, environment_id, after) => {
    const rows = FormConsentRow.query(trx)
      .where({ environment_id })
      .orderBy(['recorded_at', 'form_consent_id']);
    // Its time is in its id.
    if (after !== null)
      rows.whereRaw(
        `(recorded_at, form_consent_id) > (SELECT recorded_at, form_consent_id FROM form_consents WHERE environment_id = ? AND form_consent_id = ?)`,
        [environment_id, after],
      );
    return rows.limit(FACTS).forKeyShare();
  },
  keyOf: ({ form_consent_id }) => form_consent_id,
  record: (_, row) => formConsentRecord(row),
});

const settings = factSource<SettingsVersionRow>({
  kind: 'settings',
  rows: (trx, environment_id, after) =>
    SettingsVersionRow.query(trx)
      .where({ environment_id })
      .where('version', '>', Number(after ?? 0))
      .orderBy('version')
      .limit(FACTS),
  keyOf: ({ version }) => String(version),
  record: async (trx, { environment_id, version, settings, created_at }) =>
    settingsRecord(version, await wholeSettings(trx, environment_id, settings), created_at),
});

const vendors = factSource<VendorListRow>({
  kind: 'vendors',
  rows: (trx, environment_id, after) =>
    VendorListRow.query(trx)
      .where({ environment_id })
      .where('version', '>', Number(after ?? 0))
      .orderBy('version')
      .limit(FACTS),
  keyOf: ({ version }) => String(version),
  record: (_, row) => vendorsRecord(row),
});

const bundles = factSource<BundleRow>({
  kind: 'bundle',
  rows: (trx, environment_id, after) =>
    BundleRow.query(trx)
      .where({ environment_id })
      .where('hash', '>', after ?? '')
      .orderBy('hash')
      .select('environment_id', ...BUNDLE_COLUMNS)
      .limit(FACTS),
  keyOf: ({ hash }) => hash,
  record: async (trx, row) => bundleRecord(row, await storedHashes(trx, row.environment_id, row.hash)),
});

const NIL = '00000000-0000-0000-0000-000000000000';

/** Requests and breaches are sealed as they are now, with their history: their earlier steps were not. */
const requests = factSource<DsarRow>({
  kind: 'dsar',
  keep: true,
  rows: (trx, environment_id, after) =>
    DsarRow.query(trx)
      .where({ environment_id })
      .where('request_id', '>', after ?? NIL)
      .orderBy('request_id')
      .limit(FACTS)
      .forKeyShare(),
  keyOf: ({ request_id }) => request_id,
  record: (_, row, at) => ({ step: 'imported', at, history: row.history, request: dsarRecord(row) }),
});

const breaches = factSource<BreachRow>({
  kind: 'breach',
  keep: true,
  rows: (trx, environment_id, after) =>
    BreachRow.query(trx)
      .where({ environment_id })
      .where('breach_id', '>', after ?? NIL)
      .orderBy('breach_id')
      .limit(FACTS)
      .forKeyShare(),
  keyOf: ({ breach_id }) => breach_id,
  record: (_, row, at) => ({ step: 'imported', at, history: row.history, breach: breachRecord(row) }),
});

const erasures = factSource<ErasureRow>({
  kind: 'erasure',
  keep: true,
  rows: (trx, environment_id, after) =>
    ErasureRow.query(trx)
      .where({ environment_id })
      .whereNotNull('finished_at')
      .where('erasure_id', '>', after ?? NIL)
      .orderBy('erasure_id')
      .limit(FACTS)
      .forKeyShare(),
  keyOf: ({ erasure_id }) => erasure_id,
  // Notes that no server made are not sealed: an audit finds that they are not what the statement says.
  record: async (trx, row) =>
    erasureRecord(row, (await provenDigest(trx, row.environment_id, row.erasure_id)) ?? NO_LEAVES),
});

/** What is sealed afterwards, in this order. */
export const SOURCES: readonly Source[] = [
  { kind: 'consent', take: takeConsents },
  ...[forms, settings, vendors, bundles, requests, breaches, erasures],
];
