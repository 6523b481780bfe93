import { CONSENT_RECORDS, hashOf, kindColumns, laterColumns, RECORD_COLUMNS } from '../db/consent-records';
import { insertRows, type SetStatement } from '../db/set-statement';
import { DECISIONS_KNOWN, KEY_AT, KEY_LENGTH } from '../domain/decision-keys';
import { timeOfId } from '../domain/ids';
import type { DecisionRow } from './entries';
import type { DailyCount, HourlyCount } from './tally';

/** A key of a request, and what it made. */
export interface KeyRow {
  environment_id: string;
  scope: string;
  key: string;
  /** As PostgreSQL writes bytes: `\x` and hexadecimal digits. */
  body_hash: string;
  resource_id: string | null;
  expires_at: string;
}

export const CLAIM_KEYS = insertRows<KeyRow>(
  'avow_claim_keys',
  'idempotency_keys',
  {
    environment_id: 'uuid',
    scope: 'text',
    key: 'text',
    body_hash: 'bytea',
    resource_id: 'uuid',
    expires_at: 'timestamptz',
  },
  'ON CONFLICT DO NOTHING RETURNING environment_id, scope, key',
);

export const READ_KEY = {
  name: 'avow_read_key',
  returns: true,
  text: `SELECT encode(body_hash, 'hex') AS body_hash, resource_id
    FROM idempotency_keys WHERE environment_id = $1 AND scope = $2 AND key = $3`,
};

/** What a lookup asks for, by its number from 1 on. */
type Asked = 'environment_id' | 'scope' | 'key';
const OF_SITE = 'AND s.environment_id = ';

/**
 * Keys among those of requests. `ofSite` is for a cluster, where a statement is of one site, its last value. A limit
 * keeps each look-up by itself: joined, all keys could be read.
 */
const findKeys = (name: string, ofSite: string): SetStatement<Pick<KeyRow, Asked>> => ({
  name,
  returns: true,
  columns: ['environment_id', 'scope', 'key'],
  text: `SELECT r.n::integer AS n, encode(k.body_hash, 'hex') AS body_hash, k.resource_id
    FROM unnest($1::uuid[], $2::text[], $3::text[]) WITH ORDINALITY AS r (environment_id, scope, key, n)
    CROSS JOIN LATERAL (
      SELECT s.body_hash, s.resource_id FROM idempotency_keys s
      WHERE s.environment_id = r.environment_id AND s.scope = r.scope AND s.key = r.key ${ofSite} LIMIT 1) AS k`,
});
export const FIND_KEYS = findKeys('avow_find_keys', '');
export const FIND_KEYS_OF_SITE = findKeys('avow_find_keys_of_site', `${OF_SITE}$4::uuid`);

/** The key that the id of a session's record may hold. */
export interface RecordKey {
  environment_id: string;
  session_id: string;
  key: string;
}

/**
 * Keys among the newest records of their sessions. The inner query has no other condition than the index of sessions,
 * so that no other index is taken for it, and no session's records are read without bound.
 */
const findRecords = (name: string, ofSite: string): SetStatement<RecordKey> => ({
  name,
  returns: true,
  columns: ['environment_id', 'session_id', 'key'],
  text: `SELECT r.n::integer AS n, c.consent_id
    FROM unnest($1::uuid[], $2::uuid[], $3::text[]) WITH ORDINALITY AS r (environment_id, session_id, key, n)
    CROSS JOIN LATERAL (
      SELECT s.environment_id, s.session_id, s.consent_id FROM consents s
      WHERE ${hashOf('s.session_id')} = ${hashOf('r.session_id')}
        AND s.recorded_at >= $4::timestamptz AND s.recorded_at < $5::timestamptz ${ofSite}
      ORDER BY s.recorded_at DESC LIMIT ${DECISIONS_KNOWN}) AS c
    WHERE c.environment_id = r.environment_id AND c.session_id = r.session_id
      AND substr(c.consent_id::text, ${KEY_AT + 1}, ${KEY_LENGTH}) = r.key`,
});
export const FIND_RECORDS = findRecords('avow_find_records', '');
export const FIND_RECORDS_OF_SITE = findRecords('avow_find_records_of_site', `${OF_SITE}$6::uuid`);

/** A decision as it is stored: of what its words say it holds nothing. */
export type StoredDecision = {
  [Column in keyof DecisionRow]: DecisionRow[Column] | null;
} & {
  choice: string | null;
  kind: string | null;
  agent: string | null;
  page: string | null;
  /** How long it may have waited before it is stored, as an interval; null for most, which did not. */
  waited: string | null;
  blinding: string | null;
};

const CHOICE = {
  environment_id: 'uuid',
  session_id: 'uuid',
  consent_id: 'uuid',
  decision: 'text',
  categories: 'jsonb',
  policy_version: 'text',
  recorded_at: 'timestamptz',
  expires_at: 'timestamptz',
  kind: 'bigint',
};

export const INSERT_DECISIONS = insertRows<Omit<StoredDecision, 'waited'>>(
  'avow_insert_decisions',
  'consents',
  {
    ...CHOICE,
    banner_version: 'integer',
    bundle_hash: 'text',
    method: 'text',
    recorded_by: 'text',
    language: 'text',
    page_url: 'text',
    ip_masked: 'text',
    user_agent: 'text',
    gpc: 'boolean',
    tc_string: 'text',
    gpp_string: 'text',
    region: 'text',
    rule: 'text',
    vendors: 'jsonb',
    linked_from: 'uuid',
    choice: '"char"',
    agent: 'bigint',
    page: 'bigint',
    blinding: 'uuid',
  },
);

export const READ_DECISION = {
  name: 'avow_read_decision',
  returns: true,
  text: `SELECT ${RECORD_COLUMNS} FROM ${CONSENT_RECORDS} AS consents
    WHERE environment_id = $1 AND consent_id = $2 AND recorded_at = $3`,
};

const LATEST = { ...CHOICE, region: 'text', rule: 'text', vendors: 'jsonb', waited: 'interval' };

/** With the value after those of the choices: when they were sent, if that can be compared. */
const ON_ITS_WAY = `clock_timestamp() - $${Object.keys(LATEST).length + 1}::timestamptz`;

/**
 * The latest choice is the one stored last, whatever the clocks say: its row is locked, so the order is the same for
 * everybody. Only a decision that waited, in its process or on its way, yields to a choice that was made more than a
 * second after it and before it was stored: what is dated later than that got its time from a wrong clock. In the
 * condition a cluster takes neither a value nor a function of the clock, so the time that it waited is a column.
 */
export const UPSERT_CHOICES = insertRows<Pick<StoredDecision, keyof typeof LATEST>>(
  'avow_upsert_choices',
  'session_choices AS c',
  LATEST,
  `ON CONFLICT (environment_id, session_id) DO UPDATE
    SET consent_id = excluded.consent_id, decision = excluded.decision, categories = excluded.categories,
      policy_version = excluded.policy_version, recorded_at = excluded.recorded_at, expires_at = excluded.expires_at,
      kind = excluded.kind, region = excluded.region, rule = excluded.rule, vendors = excluded.vendors,
      waited = excluded.waited
    WHERE excluded.waited IS NULL OR c.recorded_at - excluded.recorded_at <= interval '1 second'
      OR c.recorded_at - excluded.recorded_at > excluded.waited`,
  {
    waited: `CASE WHEN ${ON_ITS_WAY} > interval '500 ms' THEN coalesce(waited, interval '1 second') + (${ON_ITS_WAY}) ELSE waited END`,
  },
);

/**
 * What a decision that was brought along makes the latest choice, if that is still the one it follows: a withdrawal, or an
 * erasure, that came first stays.
 */
const FOLLOWING = {
  ...{ consent_id: 'uuid', decision: 'text', categories: 'jsonb', policy_version: 'text', kind: 'bigint' },
  ...{
    recorded_at: 'timestamptz',
    expires_at: 'timestamptz',
    region: 'text',
    rule: 'text',
    vendors: 'jsonb',
  },
} satisfies Partial<Record<keyof typeof LATEST, string>>;

export const FOLLOW_CHOICE = {
  name: 'avow_follow_choice',
  returns: true,
  text: `UPDATE session_choices SET ${Object.entries(FOLLOWING).map(([column, type], index) => `${column} = $${index + 4}::${type}`)}, waited = NULL
    WHERE environment_id = $1::uuid AND session_id = $2::uuid AND consent_id = $3::uuid RETURNING consent_id`,
};

/**
 * The values of `FOLLOW_CHOICE`. The time is that of the decision itself: a refusal that was made after it, and waited until
 * it had been taken along, is the later one.
 */
export const valuesToFollow = (follows: string, row: StoredDecision): (string | null)[] => [
  ...[row.environment_id, row.session_id, follows],
  ...(Object.keys(FOLLOWING) as (keyof typeof FOLLOWING)[]).map((column) => {
    const value =
      column === 'recorded_at' && row.linked_from !== null
        ? timeOfId(row.linked_from).toISOString()
        : row[column];
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  }),
];

export const ADD_DAILY_COUNTS = insertRows<DailyCount>(
  'avow_add_daily_counts',
  'daily_counts AS c',
  {
    environment_id: 'uuid',
    day: 'date',
    metric: 'text',
    key: 'text',
    language: 'text',
    banner_version: 'integer',
    device: 'text',
    slot: 'smallint',
    n: 'bigint',
  },
  `ON CONFLICT (environment_id, day, metric, key, language, banner_version, device, slot) DO UPDATE SET n = c.n + excluded.n`,
);

export const ADD_HOURLY_COUNTS = insertRows<HourlyCount>(
  'avow_add_hourly_counts',
  'hourly_counts AS c',
  {
    environment_id: 'uuid',
    hour: 'timestamptz',
    metric: 'text',
    key: 'text',
    slot: 'smallint',
    n: 'bigint',
  },
  'ON CONFLICT (environment_id, hour, metric, key, slot) DO UPDATE SET n = c.n + excluded.n',
);

/** A choice whose word is gone, because its record went with retention, counts as none: the visitor is asked. */
export const READ_CHOICES = {
  name: 'avow_read_choices',
  returns: true,
  text: `SELECT c.session_id, c.recorded_at, ${kindColumns('c')}, ${laterColumns('c')}
    FROM session_choices c LEFT JOIN consent_words k ON k.environment_id = c.environment_id AND k.word = c.kind
    WHERE c.environment_id = $1 AND c.session_id = ANY($2) AND (c.kind IS NULL OR k.kind IS NOT NULL)`,
};
