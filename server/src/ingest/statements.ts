import { kindColumns, RECORD_COLUMNS, RECORDS } from '../db/consent-records';
import { insertRows } from '../db/set-statement';
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

/** A decision as it is stored: of what its words say it holds nothing. */
export type StoredDecision = {
  [Column in keyof DecisionRow]: DecisionRow[Column] | null;
} & { choice: string | null; kind: string | null; agent: string | null; page: string | null };

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

export const INSERT_DECISIONS = insertRows<StoredDecision>('avow_insert_decisions', 'consents', {
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
  choice: '"char"',
  agent: 'bigint',
  page: 'bigint',
});

export const READ_DECISION = {
  name: 'avow_read_decision',
  returns: true,
  text: `SELECT ${RECORD_COLUMNS} FROM ${RECORDS} AS consents
    WHERE environment_id = $1 AND consent_id = $2 AND recorded_at = $3`,
};

/**
 * The latest choice is the one stored last, whatever the clocks say: its row is locked, so the order is the
 * same for everybody. Only a decision that waited in its process yields to one made more than a second later
 * and stored in the meantime. No decision waits for a minute: a choice dated even later got its time from a
 * wrong clock. A cluster takes neither a value nor a function of the clock here. Only immutable functions are
 * used, as a cluster requires.
 */
export const UPSERT_CHOICES = insertRows<Pick<StoredDecision, keyof typeof CHOICE>>(
  'avow_upsert_choices',
  'session_choices AS c',
  CHOICE,
  `ON CONFLICT (environment_id, session_id) DO UPDATE
    SET consent_id = excluded.consent_id, decision = excluded.decision, categories = excluded.categories,
      policy_version = excluded.policy_version, recorded_at = excluded.recorded_at, expires_at = excluded.expires_at,
      kind = excluded.kind
    WHERE c.recorded_at - excluded.recorded_at <= interval '1 second' OR c.recorded_at - excluded.recorded_at > interval '1 minute'`,
);

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
  text: `SELECT c.session_id, c.recorded_at, ${kindColumns('c')}
    FROM session_choices c LEFT JOIN consent_words k ON k.environment_id = c.environment_id AND k.word = c.kind
    WHERE c.environment_id = $1 AND c.session_id = ANY($2) AND (c.kind IS NULL OR k.kind IS NOT NULL)`,
};
