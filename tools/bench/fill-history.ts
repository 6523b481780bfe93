import { ofDecision, SESSION_HASH } from '../../server/src/db/consent-records';
import type { Database } from './database';

/** The number of days that the decisions are spread over. */
export const DAYS = 90;

/** Indexes that are faster to build at the end than to maintain row by row. */
const INDEXES = {
  consents_session_hash: `((${SESSION_HASH}), recorded_at)`,
  consents_accepted: `(environment_id, recorded_at) WHERE ${ofDecision('accept_all')}`,
  consents_rejected: `(environment_id, recorded_at) WHERE ${ofDecision('reject_all')}`,
  consents_saved: `(environment_id, recorded_at) WHERE ${ofDecision('save_preferences')}`,
};

/**
 * Stores decisions of the last 90 days for some sites, oldest first, and their counts: in one statement each,
 * for any number.
 */
export async function fillHistories(database: Database, sizes: ReadonlyMap<string, number>): Promise<void> {
  await makePartitions(database);
  for (const name of Object.keys(INDEXES)) await database.sql(`DROP INDEX ${name}`);
  for (const [token, rows] of sizes) {
    await insertDecisions(database, token, rows);
    await countDecisions(database, token);
  }
  for (const [name, columns] of Object.entries(INDEXES))
    await database.sql(`CREATE INDEX ${name} ON consents ${columns}`);
  await database.sql('VACUUM ANALYZE');
}

/** Makes the monthly partitions that the server has not made. */
async function makePartitions({ sql }: Database): Promise<void> {
  await sql(`DO $$
    DECLARE month timestamptz;
    BEGIN
      FOR month IN SELECT generate_series(date_trunc('month', now() - interval '${DAYS} days', 'UTC'), now(), interval '1 month') LOOP
        EXECUTE format('CREATE TABLE IF NOT EXISTS consents_%s PARTITION OF consents FOR VALUES FROM (%L) TO (%L)',
          to_char(month AT TIME ZONE 'UTC', 'YYYY_MM'), month, month + interval '1 month');
      END LOOP;
    END $$`);
}

/** An id that begins with its time, as those of records do (UUIDv7). */
export const idAt = (time: string): string =>
  `overlay(gen_random_uuid()::text PLACING overlay(lpad(to_hex((extract(epoch FROM ${time}) * 1000)::bigint), 12, '0') PLACING '-' FROM 9 FOR 0) || '-7' FROM 1 FOR 15)::uuid`;

async function insertDecisions({ sql }: Database, token: string, rows: number): Promise<void> {
  await sql(
    `INSERT INTO consents (environment_id, recorded_at, consent_id, session_id, decision, categories, policy_version,
       banner_version, method, language, page_url, ip_masked, user_agent, gpc, expires_at)
     SELECT site.id, at, ${idAt('at')}, gen_random_uuid(), (ARRAY['accept_all', 'reject_all', 'save_preferences'])[1 + n % 3],
       (ARRAY['{"functional":true,"analytics":true,"marketing":true}', '{"functional":false,"analytics":false,"marketing":false}',
         '{"functional":true,"analytics":true,"marketing":false}'])[1 + n % 3]::jsonb,
       '1', 1 + (n::bigint * 2 / $2::int), 'banner', (ARRAY['en', 'de', 'fr', 'other'])[1 + n / 3 % 4],
       'https://shop.example.com/products/42', '127.0.***.***', (ARRAY['desktop', 'mobile', 'tablet'])[1 + n / 12 % 3], false,
       at + interval '180 days'
     FROM (SELECT id FROM environments WHERE token = $1) AS site,
       (SELECT n, date_trunc('milliseconds', now() - interval '${DAYS} days' + n::float8 / $2::int * interval '${DAYS} days') AS at
        FROM generate_series(0, $2::int - 1) AS n) AS times`,
    [token, rows],
  );
}

/** Counts by day and by hour, as the visitor path does; two impressions for each decision. */
async function countDecisions({ sql }: Database, token: string): Promise<void> {
  await sql(
    `CREATE TEMP TABLE counted AS
     WITH grouped AS (
       SELECT environment_id, date_trunc('hour', recorded_at, 'UTC') AS hour, decision, language, banner_version, user_agent AS device,
         categories, count(*) AS n
       FROM consents WHERE environment_id = (SELECT id FROM environments WHERE token = $1) GROUP BY 1, 2, 3, 4, 5, 6, 7)
     SELECT environment_id, hour, metric, key, language, banner_version, device, sum(count) AS n
     FROM grouped, LATERAL (
       SELECT 'decision' AS metric, decision AS key, n AS count
       UNION ALL SELECT 'impression', '', n * 2
       UNION ALL SELECT 'opted_in', '', n WHERE decision <> 'reject_all'
       UNION ALL SELECT CASE WHEN value::boolean THEN 'granted' ELSE 'refused' END, c.key, n FROM jsonb_each_text(categories) AS c
     ) AS counts GROUP BY 1, 2, 3, 4, 5, 6, 7`,
    [token],
  );
  await sql(
    `INSERT INTO daily_counts SELECT environment_id, (hour AT TIME ZONE 'UTC')::date, metric, key, language, banner_version, device, 0, sum(n)
     FROM counted GROUP BY 1, 2, 3, 4, 5, 6, 7`,
  );
  await sql(
    'INSERT INTO hourly_counts SELECT environment_id, hour, metric, key, 0, sum(n) FROM counted GROUP BY 1, 2, 3, 4',
  );
  await sql('DROP TABLE counted');
}
