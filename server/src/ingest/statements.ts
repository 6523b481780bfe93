/** The set-based statements of the visitor path. Each is named, so that PostgreSQL plans it once for a connection. */
export const CLAIM_KEYS = {
  name: 'avow_claim_keys',
  text: `INSERT INTO idempotency_keys (environment_id, scope, key, body_hash, resource_id, created_at)
    SELECT r.environment_id, r.scope, r.key, decode(r.body_hash, 'hex'), r.resource_id, r.created_at
    FROM json_to_recordset($1::json) AS r (environment_id uuid, scope text, key text, body_hash text, resource_id uuid, created_at timestamptz)
    ON CONFLICT DO NOTHING
    RETURNING environment_id, scope, key`,
};

export const READ_KEYS = {
  name: 'avow_read_keys',
  text: `SELECT scope, key, encode(body_hash, 'hex') AS body_hash, resource_id
    FROM idempotency_keys WHERE environment_id = $1 AND scope = $2 AND key = ANY($3)`,
};

const DECISION_COLUMNS = `environment_id, recorded_at, consent_id, session_id, decision, categories, policy_version, banner_version,
  bundle_hash, method, language, page_url, ip_masked, user_agent, gpc, tc_string, gpp_string, expires_at`;

export const INSERT_DECISIONS = {
  name: 'avow_insert_decisions',
  text: `INSERT INTO consents (${DECISION_COLUMNS})
    SELECT ${DECISION_COLUMNS}
    FROM json_to_recordset($1::json) AS r (environment_id uuid, recorded_at timestamptz, consent_id uuid, session_id uuid,
      decision text, categories jsonb, policy_version text, banner_version integer, bundle_hash text, method text, language text,
      page_url text, ip_masked text, user_agent text, gpc boolean, tc_string text, gpp_string text, expires_at timestamptz)`,
};

export const READ_DECISIONS = {
  name: 'avow_read_decisions',
  text: `SELECT ${DECISION_COLUMNS} FROM consents
    WHERE environment_id = $1 AND consent_id = ANY($2) AND recorded_at = ANY($3)`,
};

export const UPSERT_CHOICES = {
  name: 'avow_upsert_choices',
  text: `INSERT INTO session_choices AS c
      (environment_id, session_id, consent_id, decision, categories, policy_version, recorded_at, expires_at)
    SELECT environment_id, session_id, consent_id, decision, categories, policy_version, recorded_at, expires_at
    FROM json_to_recordset($1::json) AS r (environment_id uuid, session_id uuid, consent_id uuid, decision text, categories jsonb,
      policy_version text, recorded_at timestamptz, expires_at timestamptz)
    ON CONFLICT (environment_id, session_id) DO UPDATE
    SET consent_id = excluded.consent_id, decision = excluded.decision, categories = excluded.categories,
      policy_version = excluded.policy_version, recorded_at = excluded.recorded_at, expires_at = excluded.expires_at
    WHERE (c.recorded_at, c.consent_id) < (excluded.recorded_at, excluded.consent_id)`,
};

export const ADD_DAILY_COUNTS = {
  name: 'avow_add_daily_counts',
  text: `INSERT INTO daily_counts AS c (environment_id, day, metric, key, language, banner_version, device, slot, n)
    SELECT environment_id, day, metric, key, language, banner_version, device, slot, n
    FROM json_to_recordset($1::json) AS r (environment_id uuid, day date, metric text, key text, language text,
      banner_version integer, device text, slot smallint, n bigint)
    ON CONFLICT (environment_id, day, metric, key, language, banner_version, device, slot) DO UPDATE SET n = c.n + excluded.n`,
};

export const ADD_HOURLY_COUNTS = {
  name: 'avow_add_hourly_counts',
  text: `INSERT INTO hourly_counts AS c (environment_id, hour, metric, key, slot, n)
    SELECT environment_id, hour, metric, key, slot, n
    FROM json_to_recordset($1::json) AS r (environment_id uuid, hour timestamptz, metric text, key text, slot smallint, n bigint)
    ON CONFLICT (environment_id, hour, metric, key, slot) DO UPDATE SET n = c.n + excluded.n`,
};

export const READ_CHOICES = {
  name: 'avow_read_choices',
  text: `SELECT session_id, decision, categories, policy_version, recorded_at, expires_at
    FROM session_choices WHERE environment_id = $1 AND session_id = ANY($2)`,
};
