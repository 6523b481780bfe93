import { newId } from '../../../server/src/domain/ids';
import type { Written } from './row-changes';

/** What is done to rows. */
export type Change = 'insert' | 'delete' | 'swap' | 'move' | 'backdate';

/** A table whose rows are records, or parts of them. */
export interface Records {
  table: string;
  key: string;
  /** Of what is sealed of it in `ledger_facts`. */
  kind?: string;
  /** Whether its statement lies beside it, since the row changes. */
  isKept?: boolean;
  /** All columns that the statement holds, but the key. */
  groups: Record<string, string[]>;
  /** What another row is named by, as SQL. */
  newKey(key: string): string;
  /** What dates it earlier, where it has a time. */
  earlier?: Written;
  changes?: Change[];
}

const EARLIER = "interval '1 hour'";
const newUuid = () => `'${newId()}'`;
/** Of a record whose time is the one in its id. */
const newOfTime = (id: string) => `'${id.slice(0, 14)}${newId().slice(14)}'`;
const earlierSteps = `jsonb_set(history, '{0,at}', to_jsonb(to_char((history->0->>'at')::timestamptz - ${EARLIER}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))`;

export const RECORDS: Records[] = [
  {
    ...{ table: 'consents', key: 'consent_id', newKey: newOfTime },
    groups: {
      who: ['session_id', 'ip_masked'],
      what: [
        ...[
          'decision',
          'categories',
          'policy_version',
          'banner_version',
          'bundle_hash',
          'method',
          'language',
        ],
        ...[
          'gpc',
          'tc_string',
          'gpp_string',
          'expires_at',
          'recorded_by',
          'kind',
          'region',
          'rule',
          'vendors',
          'linked_from',
        ],
      ],
      where: ['page_url', 'page', 'user_agent', 'agent'],
      when: ['recorded_at'],
      blinding: ['blinding'],
    },
    earlier: { recorded_at: `recorded_at - ${EARLIER}` },
  },
  {
    ...{ table: 'consent_words', key: 'word', newKey: (key) => `${BigInt(key) + 1n}` },
    groups: { text: ['text'] },
  },
  {
    ...{ table: 'consent_words', key: 'word', newKey: (key) => `${BigInt(key) + 1n}` },
    groups: { kind: ['kind'] },
    changes: ['swap', 'delete'],
  },
  {
    ...{ table: 'form_consents', key: 'form_consent_id', kind: 'form_consent', newKey: newOfTime },
    groups: {
      who: ['email', 'external_id', 'session_id', 'ip_masked'],
      what: ['form_id', 'form_url', 'statements', 'double_opt_in', 'language', 'by_owner'],
      when: ['recorded_at'],
    },
    earlier: { recorded_at: `recorded_at - ${EARLIER}` },
  },
  {
    ...{
      table: 'settings_versions',
      key: 'version',
      kind: 'settings',
      newKey: (key) => `${Number(key) + 100}`,
    },
    groups: { what: ['settings'], when: ['created_at'] },
    earlier: { created_at: `created_at - ${EARLIER}` },
  },
  {
    ...{ table: 'settings_parts', key: 'hash', newKey: (key) => `'${key}x'` },
    groups: { what: ['part'] },
  },
  {
    ...{ table: 'vendor_lists', key: 'version', kind: 'vendors', newKey: (key) => `${Number(key) + 100}` },
    groups: { what: ['vendors'], when: ['created_at'] },
    earlier: { created_at: `created_at - ${EARLIER}` },
  },
  {
    ...{ table: 'bundles', key: 'hash', kind: 'bundle', newKey: (key) => `'${key}x'` },
    groups: {
      script: ['script', 'integrity', 'bytes'],
      files: ['config', 'texts', 'vendors'],
      versions: ['settings_version', 'vendor_list_version', 'program_digest'],
      when: ['created_at'],
    },
    earlier: { created_at: `created_at - ${EARLIER}` },
  },
  {
    ...{ table: 'dsar_requests', key: 'request_id', kind: 'dsar', isKept: true, newKey: newUuid },
    groups: {
      who: ['email', 'name', 'contact', 'session_id'],
      what: [
        ...['request_type', 'message', 'language', 'status', 'channel', 'received_on', 'extension_reason'],
        ...['resolution', 'resolution_note', 'possible_duplicate_of'],
      ],
      when: ['created_at', 'due_at', 'extended_until', 'resolved_at'],
      history: ['history'],
    },
    earlier: { created_at: `created_at - ${EARLIER}`, due_at: `due_at - ${EARLIER}`, history: earlierSteps },
  },
  {
    ...{ table: 'breaches', key: 'breach_id', kind: 'breach', isKept: true, newKey: newUuid },
    groups: {
      what: [
        ...['title', 'nature', 'description', 'severity', 'data_categories', 'subject_categories'],
        ...['affected_subjects', 'affected_records', 'consequences', 'measures', 'status', 'authority'],
        ...['authority_reference', 'late_reason', 'not_reportable_reason'],
      ],
      when: [
        ...['occurred_from', 'occurred_to', 'aware_at', 'notify_by', 'subjects_informed_at', 'reported_at'],
        ...['created_at', 'not_reportable_at'],
      ],
      history: ['history'],
    },
    earlier: {
      ...{ created_at: `created_at - ${EARLIER}`, aware_at: `aware_at - ${EARLIER}` },
      ...{ notify_by: `notify_by - ${EARLIER}`, history: earlierSteps },
    },
  },
  {
    ...{ table: 'erasures', key: 'erasure_id', kind: 'erasure', isKept: true, newKey: newUuid },
    groups: {
      what: ['kind', 'found_by', 'rule', 'day'],
      counts: [
        ...['running', 'whole', 'consents', 'choices', 'form_consents', 'requests', 'events', 'deliveries'],
        ...['searches', 'mails', 'answer_files'],
      ],
      when: ['begun_at', 'finished_at'],
    },
    earlier: { begun_at: `begun_at - ${EARLIER}`, finished_at: `finished_at - ${EARLIER}` },
  },
];

/** What a table is named by: rows of one may be of two sorts. */
export const nameOf = ({ table, groups }: Records): string =>
  table === 'consent_words' ? `${table} (${Object.keys(groups)[0]})` : table;
