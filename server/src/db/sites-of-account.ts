import type { Knex } from 'knex';

/** Makes others that count the sites of this account wait until the transaction ends. */
export async function lockAccount(trx: Knex, userId: number): Promise<void> {
  await trx.raw('SELECT FROM users WHERE id = ? FOR NO KEY UPDATE', [userId]);
}

/**
 * The number of sites that an account has created or owns, counted up to a bound. Handing a site over does
 * not free a place.
 */
export async function sitesOf(db: Knex, userId: number, bound: number): Promise<number> {
  const { rows } = await db.raw<{ rows: { n: number }[] }>(
    `SELECT count(*)::int AS n FROM (
       SELECT environment_id FROM members WHERE user_id = :userId AND role = 'owner'
       UNION SELECT environment_id FROM settings_versions WHERE created_by = :userId AND version = 1
       LIMIT :bound) AS sites`,
    { userId, bound },
  );
  return rows[0]?.n ?? 0;
}
