import pg from 'pg';
import { RECORDS } from '../../../server/src/db/consent-records';

/** Runs statements on a database that may just have come back. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'test' });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** Which of these acknowledged decisions the database does not have. Must be none. */
export async function missing(url: string, acknowledged: readonly string[]): Promise<string[]> {
  // Those of now: a load that goes on adds to them while the database is asked.
  const asked = [...acknowledged];
  const rows = await query<{ id: string }>(
    url,
    'SELECT consent_id AS id FROM consents WHERE consent_id = ANY($1)',
    [asked],
  );
  const stored = new Set(rows.map(({ id }) => id));
  return asked.filter((id) => !stored.has(id));
}

/** Its statements name their site, as a cluster wants them to. */
async function siteOf(url: string, token: string): Promise<{ id: string; zone: string }> {
  const [site] = await query<{ id: string; zone: string }>(
    url,
    "SELECT id, settings->>'time_zone' AS zone FROM environments WHERE token = $1",
    [token],
  );
  if (site === undefined) throw new Error('there is no such site');
  return site;
}

/** How the decisions that are stored differ from what was counted, by hour and by day. Must be empty. */
export async function miscounted(url: string, token: string): Promise<object[]> {
  const { id, zone } = await siteOf(url, token);
  return query(
    url,
    `WITH stored AS (
         SELECT (recorded_at AT TIME ZONE $2)::date AS day, decision AS key, language, banner_version, count(*) AS n
         FROM ${RECORDS} AS consents WHERE environment_id = $1 GROUP BY 1, 2, 3, 4),
       daily AS (
         SELECT day, key, language, banner_version, sum(n) AS n
         FROM daily_counts WHERE environment_id = $1 AND metric = 'decision' GROUP BY 1, 2, 3, 4),
       granted_stored AS (
         SELECT (recorded_at AT TIME ZONE $2)::date AS day, CASE WHEN value::boolean THEN 'granted' ELSE 'refused' END AS metric, c.key, count(*) AS n
         FROM ${RECORDS} AS consents, jsonb_each_text(categories) AS c WHERE environment_id = $1 GROUP BY 1, 2, 3),
       granted_counted AS (
         SELECT day, metric, key, sum(n) AS n
         FROM daily_counts WHERE environment_id = $1 AND metric IN ('granted', 'refused') GROUP BY 1, 2, 3),
       hours_stored AS (
         SELECT date_trunc('hour', recorded_at) AS hour, decision AS key, count(*) AS n
         FROM ${RECORDS} AS consents WHERE environment_id = $1 GROUP BY 1, 2),
       hours_counted AS (
         SELECT hour, key, sum(n) AS n
         FROM hourly_counts WHERE environment_id = $1 AND metric = 'decision' GROUP BY 1, 2)
     SELECT 'day' AS what, to_jsonb(s) AS stored, to_jsonb(c) AS counted FROM stored s
       FULL JOIN daily c ON (s.day, s.key, s.banner_version) = (c.day, c.key, c.banner_version)
         AND (s.language = c.language OR (c.language = 'other' AND s.language NOT IN (SELECT language FROM daily)))
       WHERE s.n IS DISTINCT FROM c.n
     UNION ALL
     SELECT 'category', to_jsonb(s), to_jsonb(c) FROM granted_stored s
       FULL JOIN granted_counted c USING (day, metric, key) WHERE s.n IS DISTINCT FROM c.n
     UNION ALL
     SELECT 'hour', to_jsonb(s), to_jsonb(c) FROM hours_stored s
       FULL JOIN hours_counted c USING (hour, key) WHERE s.n IS DISTINCT FROM c.n`,
    [id, zone],
  );
}

/** How the latest choices differ from the decisions that are stored. Must be empty. */
export async function outdatedChoices(url: string, token: string): Promise<object[]> {
  const { id } = await siteOf(url, token);
  return query(
    url,
    `WITH latest AS (
       SELECT DISTINCT ON (session_id) session_id, consent_id, recorded_at FROM consents
       WHERE environment_id = $1
       ORDER BY session_id, recorded_at DESC, consent_id DESC),
     kept AS (
       SELECT session_id, consent_id, recorded_at FROM session_choices
       WHERE environment_id = $1)
     SELECT session_id, latest.consent_id AS latest, kept.consent_id AS kept
     FROM latest FULL JOIN kept USING (session_id) WHERE latest.consent_id IS DISTINCT FROM kept.consent_id
       -- Of two that two processes store at the same time either may be the last.
       AND (latest.recorded_at - kept.recorded_at <= interval '1 second') IS NOT TRUE`,
    [id],
  );
}
