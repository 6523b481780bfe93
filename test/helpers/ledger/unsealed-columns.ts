import type { Knex } from 'knex';

/** Tables of which something is sealed. */
export const SEALED = [
  ...['consents', 'consent_words', 'form_consents', 'settings_versions', 'settings_parts', 'vendor_lists'],
  ...['bundles', 'dsar_requests', 'breaches', 'erasures'],
];

const NOT_OF_THE_RECORD = 'no statement holds it: it is for the service, and no report of evidence shows it';
const STATE = 'the state of a job, which proves nothing';
const WHEN = 'a time of ours beside a signed one';

const states = (table: string, columns: string[]): Record<string, string> =>
  Object.fromEntries(columns.map((name) => [`${table}.${name}`, STATE]));

/** Columns that an audit does not vouch for, and why. */
export const UNSEALED: Record<string, string> = {
  'breaches.unjudged': NOT_OF_THE_RECORD,
  'bundles.gzip_bytes': NOT_OF_THE_RECORD,
  'bundles.warnings': NOT_OF_THE_RECORD,
  'bundles.created_by': NOT_OF_THE_RECORD,
  'bundles.published_at': 'the last publication of the same bytes; the first one is sealed',
  'consents.choice': 'what records are found by; the decision itself is sealed',
  'consent_words.used_on': STATE,
  'consent_words.check_on': STATE,
  'consent_words.type': NOT_OF_THE_RECORD,
  'consent_words.kind': 'what records read of it is sealed with them, and the rest is not of the record',
  'dsar_requests.email_key': 'found by; the address itself is sealed',
  'dsar_requests.assignee_id': 'the step of the history that says so is sealed',
  'dsar_requests.assigned_at': 'the step of the history that says so is sealed',
  'dsar_requests.assigned_by': 'the step of the history that says so is sealed',
  'dsar_requests.disowned_at': 'the step of the history that says so is sealed',
  'dsar_requests.answer': 'encrypted for the service; that there was an answer is a step that is sealed',
  'dsar_requests.email_verified_at': 'the step of the history that says so is sealed',
  'form_consents.email_key': 'found by; the address itself is sealed',
  'erasures.user_id': 'who erased is in the audit trail',
  'erasures.key_id': 'who erased is in the audit trail',
  'settings_versions.created_by': 'who changed settings is in the audit trail',
  'vendor_lists.created_by': 'who changed vendors is in the audit trail',
  'ledger_checkpoints.at': WHEN,
  'ledger_cosignatures.at': WHEN,
  'ledger_timestamps.at': WHEN,
  'ledger_timestamps.authority': 'where the token came from; its certificate says whose it is',
  'ledger_erased.mac': 'by which what a note says is sealed; from then on the statement says it',
  'ledger_erased.n': 'the order of notes; their commitments are sealed as a set',
  'ledger_heads.began_at': WHEN,
  'ledger_heads.sealed_at': WHEN,
  'ledger_heads.import_cursor': STATE,
  'ledger_heads.import_mac': 'null once the import is over, and looked at only before',
  'ledger_keys.created_at': WHEN,
  'ledger_keys.retired_at': 'which key signs is in the head and its signature',
  'ledger_segments.first_at': 'an earlier begin finds the same leaves; a later one is found',
  'ledger_segments.last_at': 'a later end finds the same leaves; an earlier one is found',
  'ledger_successions.at': WHEN,
  ...states('ledger_vouchers', [
    'voucher',
    'size',
    'vouched_at',
    'next_at',
    'failures',
    'failing_since',
    'problem',
  ]),
  ...states('ledger_audits', [
    'size',
    'at',
    'findings',
    'problem',
    'damaged_since',
    'damaged_from',
    'damaged_to',
  ]),
};

export interface SealedColumn {
  table: string;
  name: string;
  type: string;
}

/** The columns of these tables and of the log's own, but the site and what is computed. */
export async function columnsOf(db: Knex): Promise<SealedColumn[]> {
  const { rows } = await db.raw<{ rows: SealedColumn[] }>(
    `SELECT table_name AS "table", column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = current_schema() AND is_generated = 'NEVER' AND column_name <> 'environment_id'
       AND (table_name = ANY (?) OR table_name LIKE 'ledger\\_%') ORDER BY table_name, ordinal_position`,
    [SEALED],
  );
  return rows;
}
