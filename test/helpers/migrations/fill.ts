import type { Knex } from 'knex';

/** Rows of the large tables. */
const MANY = 30_000;

/** Fills the tables that visitors write, for one site. */
export async function fill(db: Knex, many = MANY): Promise<void> {
  const { id } = await db('environments').first('id');
  const rows = (columns: string, values: string, table: string, n = many): Promise<unknown> =>
    db.raw(`INSERT INTO ${table} (${columns}) SELECT ${values} FROM generate_series(1, ${n}) AS n`, [
      id,
    ]) as Promise<unknown>;
  await rows(
    'environment_id, scope, key, body_hash, resource_id, answer, expires_at',
    "?::uuid, 'logConsent', md5(n::text), '\\x00', NULL, NULL, now() + interval '1 day'",
    'idempotency_keys',
  );
  const choice = "gen_random_uuid(), gen_random_uuid(), 'accept_all', '{}'::jsonb, '1'";
  await rows(
    'environment_id, session_id, consent_id, decision, categories, policy_version, banner_version, method, language, ip_masked, gpc, recorded_at, expires_at',
    `?::uuid, ${choice}, 1, 'banner', 'en', '192.0.2.0', false, date_trunc('hour', now()) - n * interval '1 second', now() + interval '1 year'`,
    'consents',
  );
  await rows(
    'environment_id, session_id, consent_id, decision, categories, policy_version, recorded_at, expires_at',
    `?::uuid, ${choice}, now(), now() + interval '1 year'`,
    'session_choices',
  );
  await rows(
    'environment_id, recorded_at, form_consent_id, form_id, form_url, statements, double_opt_in, language, ip_masked',
    "?::uuid, now() - n * interval '1 second', gen_random_uuid(), 'newsletter', 'https://shop.example/form', '[]'::jsonb, 'none', 'en', '192.0.2.0'",
    'form_consents',
  );
  await db.raw('ANALYZE');
}
