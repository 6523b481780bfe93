import type { Decision } from '../domain/types';

/** The contract step after which records may name words. */
export const WORDS_STEP = '20261122220200_short_records';

/** A decision in one letter, for indexes. */
export const CHOICES: Readonly<Record<Decision, string>> = {
  accept_all: 'a',
  reject_all: 'r',
  save_preferences: 's',
};

/** What a record says of a site's visitor, in the order of the files that owners export. */
export const STATED = [
  ...['consent_id', 'recorded_at', 'session_id', 'decision', 'categories', 'policy_version'],
  ...['banner_version', 'bundle_hash', 'method', 'recorded_by', 'language', 'page_url', 'ip_masked'],
  ...['user_agent', 'gpc', 'tc_string', 'gpp_string', 'expires_at', 'region', 'rule', 'vendors'],
  'linked_from',
] as const;

/** What a record says, without how it is stored. */
export const RECORD_COLUMNS = ['environment_id', ...STATED] as const;

/** A session in eight bytes: half of an index of records would be sessions in full. */
export const hashOf = (session: string): string => `uuid_hash_extended(${session}, 0)`;
export const SESSION_HASH = hashOf('session_id');

/** Compares a session with `:session`, so that the index of hashes is used. */
export const OF_SESSION = `${SESSION_HASH} = uuid_hash_extended(:session::uuid, 0) AND session_id = :session::uuid`;

/** Compares a session with a list of uuids that is the only value. */
export const OF_SESSIONS = `${SESSION_HASH} = ANY (ARRAY(SELECT uuid_hash_extended(s, 0) FROM unnest(:sessions::uuid[]) AS s))
  AND session_id = ANY (:sessions::uuid[])`;

/** The day that a latest choice is of: the entries of a day share one in the index. */
export const CHOICE_DAY = `(recorded_at AT TIME ZONE 'UTC')::date`;

/** Whether a stored record is of a decision; exactly the condition of its index. */
export const ofDecision = (decision: Decision, whole = 'decision'): string =>
  `(choice = '${CHOICES[decision]}'::"char" OR ${whole} = '${decision}'::text)`;

const kind = (field: string, type = ''): string =>
  type === '' ? `k.kind->>'${field}'` : `(k.kind->>'${field}')::${type}`;

/** What a kind of decision says, by the aliases of what is stored and of its word. */
export const kindColumns = (stored: string): string =>
  `coalesce(${stored}.decision, ${kind('decision')}) AS decision,
    coalesce(${stored}.categories, k.kind->'categories') AS categories,
    coalesce(${stored}.policy_version, ${kind('policy_version')}) AS policy_version,
    coalesce(${stored}.expires_at, ${stored}.recorded_at + make_interval(hours => 24 * ${kind('days', 'integer')})) AS expires_at`;

/** Where there are rules by region, and where visitors choose by vendor: by the same aliases. */
export const laterColumns = (stored: string): string =>
  `coalesce(${stored}.region, ${kind('region')}) AS region, coalesce(${stored}.rule, ${kind('rule')}) AS rule,
    coalesce(${stored}.vendors, k.kind->'vendors') AS vendors`;

/**
 * Whether a record refuses everything, or one of some categories or vendors, `:refused` and `:vendors` as JSON each: by
 * its own text or its word, so that many records are looked through without putting together what each of them says. A
 * category may have another key since, or be required.
 */
export const REFUSING = `(${ofDecision('reject_all', 'whole_decision')} OR whole_categories @> ANY (:refused::jsonb[])
  OR whole_vendors @> ANY (:vendors::jsonb[]) OR consents.kind = ANY (ARRAY(
  SELECT w.word FROM consent_words w WHERE w.environment_id = :environmentId
    AND (w.kind->'categories' @> ANY (:refused::jsonb[]) OR w.kind->'vendors' @> ANY (:vendors::jsonb[])))))`;

/**
 * Records as they were stated, whether they hold strings or name words: what reads `consents` reads this. As a
 * statement's text and not as a view, which the nodes of a cluster would need too. `whole_…`, `choice` and
 * `kind` are for conditions.
 */
const records = (later: string): string => `(
  SELECT c.environment_id, c.recorded_at, c.consent_id, c.session_id,
    ${kindColumns('c')},
    coalesce(c.banner_version, ${kind('banner_version', 'integer')}) AS banner_version,
    coalesce(c.bundle_hash, ${kind('bundle_hash')}) AS bundle_hash,
    coalesce(c.method, ${kind('method')}) AS method,
    coalesce(c.recorded_by, ${kind('recorded_by')}) AS recorded_by,
    coalesce(c.language, ${kind('language')}) AS language,
    coalesce(c.page_url, p.text) AS page_url, c.ip_masked,
    coalesce(c.user_agent, a.text) AS user_agent,
    coalesce(c.gpc, ${kind('gpc', 'boolean')}) AS gpc,
    c.tc_string, c.gpp_string, ${later}c.choice, c.decision AS whole_decision, c.kind, c.categories AS whole_categories
  FROM consents c
  LEFT JOIN consent_words k ON k.environment_id = c.environment_id AND k.word = c.kind
  LEFT JOIN consent_words a ON a.environment_id = c.environment_id AND a.word = c.agent
  LEFT JOIN consent_words p ON p.environment_id = c.environment_id AND p.word = c.page)`;

export const CONSENT_RECORDS = records(`${laterColumns('c')}, c.vendors AS whole_vendors, c.linked_from, `);

/** The same before there were regions, choices by vendor and links: an earlier migration goes back through it. */
export const RECORDS = records('');
