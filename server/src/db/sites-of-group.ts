import type { Knex } from 'knex';
import { MEMBERS_OF_GROUP } from './account-groups';

/**
 * The sites that the accounts of a group have made or own, counted up to a bound. Made ones too: handing a site
 * over makes no room for the next.
 */
export async function sitesOf(db: Knex, group: number, bound: number): Promise<number> {
  const { rows } = await db.raw<{ rows: { n: number }[] }>(
    `WITH accounts AS (${MEMBERS_OF_GROUP})
     SELECT count(*)::int AS n FROM (
       SELECT environment_id FROM members WHERE user_id IN (SELECT id FROM accounts) AND role = 'owner'
       UNION SELECT id FROM environments WHERE made_by IN (SELECT id FROM accounts)
       LIMIT :bound) AS sites`,
    { group, bound },
  );
  return rows[0]?.n ?? 0;
}
