import { missingFacts } from '../../domain/breach-rules';
import { type ConsentFacts, consentStatement } from '../../domain/ledger/consent-statement';
import { statementOf } from '../../domain/ledger/statement';
import type { HistoryEntry, Settings } from '../../domain/types';
import type { BreachRow, ConsentRow, DsarRow, ErasureRow, FormConsentRow, VendorListRow } from '../models';

/** What a settings version says in the log. */
export const settingsRecord = (version: number, settings: Settings, created_at: Date) => ({
  version,
  settings,
  created_at: created_at.toISOString(),
});

/** What a version of a vendor list says in the log. */
export const vendorsRecord = ({
  version,
  vendors,
  created_at,
}: Pick<VendorListRow, 'version' | 'vendors' | 'created_at'>) => ({
  version,
  vendors,
  created_at: created_at.toISOString(),
});

/** What a form consent says in the log: as the API shows it, with its session in full. */
export const formConsentRecord = (row: FormConsentRow) => ({
  form_consent_id: row.form_consent_id,
  form_id: row.form_id,
  form_url: row.form_url,
  subject: {
    ...(row.email === null ? {} : { email: row.email }),
    ...(row.external_id === null ? {} : { external_id: row.external_id }),
  },
  statements: row.statements,
  double_opt_in: row.double_opt_in,
  recorded_by: row.by_owner ? ('owner' as const) : ('visitor' as const),
  language: row.language,
  ip_masked: row.ip_masked,
  recorded_at: row.recorded_at.toISOString(),
  session_id: row.session_id,
});

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** What a step says in the log, besides what it is about: the whole entry of the history. */
export const stepRecord = ({ action, at, ...words }: HistoryEntry) => ({ step: action, at, ...words });

/** What a request says in the log: as the API shows it, with its session in full, without its history. */
export const dsarRecord = (row: DsarRow) => ({
  request_id: row.request_id,
  request_type: row.request_type,
  email: row.email,
  name: row.name,
  message: row.message,
  session_id: row.session_id,
  channel: row.channel,
  received_on: row.received_on,
  contact: row.contact,
  language: row.language,
  status: row.status,
  created_at: row.created_at.toISOString(),
  due_at: row.due_at.toISOString(),
  extended_until: iso(row.extended_until),
  extension_reason: row.extension_reason,
  resolved_at: iso(row.resolved_at),
  resolution: row.resolution,
  resolution_note: row.resolution_note,
  possible_duplicate_of: row.possible_duplicate_of,
});

/** What a breach says in the log: as the API shows it, without its history. */
export function breachRecord(row: BreachRow) {
  const { environment_id: _, unjudged: __, history: ___, ...fields } = row;
  return {
    ...fields,
    occurred_from: iso(row.occurred_from),
    occurred_to: iso(row.occurred_to),
    aware_at: row.aware_at.toISOString(),
    notify_by: row.notify_by.toISOString(),
    subjects_informed_at: iso(row.subjects_informed_at),
    reported_at: iso(row.reported_at),
    not_reportable_at: iso(row.not_reportable_at),
    missing: missingFacts(row),
    created_at: row.created_at.toISOString(),
  };
}

/** What an erasure says in the log. */
export const erasureRecord = (row: ErasureRow, leaves: string) => ({
  erasure_id: row.erasure_id,
  kind: row.kind,
  found_by: row.found_by,
  rule: row.rule,
  day: row.day,
  begun_at: row.begun_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
  whole: row.whole,
  consents: row.consents,
  choices: row.choices,
  form_consents: row.form_consents,
  requests: row.requests,
  events: row.events,
  deliveries: row.deliveries,
  // Records from before they were counted say nothing of them.
  ...(row.searches > 0 && { searches: row.searches }),
  ...(row.mails > 0 && { mails: row.mails }),
  ...(row.answer_files > 0 && { answer_files: row.answer_files }),
  leaves,
});

/** A consent's fields as its statement has them. */
export const consentFacts = (row: ConsentRow): ConsentFacts => ({
  ...row,
  recorded_at: row.recorded_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
});

/** The statement of a stored consent record. @param importedOn of a record from before the log */
export const statementOfConsent = (site: string, row: ConsentRow, importedOn?: string): string =>
  consentStatement(site, consentFacts(row), importedOn);

/** The statement of a stored form consent. */
export const statementOfForm = (site: string, row: FormConsentRow, imported_on?: string): string =>
  statementOf({ kind: 'form_consent', site, record: formConsentRecord(row), imported_on });
