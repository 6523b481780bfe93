import type { Knex } from 'knex';

/** Nobody made the demo site: it takes no place of whoever owns it. */
const NO_DEMO = 'NOT EXISTS (SELECT FROM environments e WHERE e.id = environment_id AND e.demo)';

/**
 * The sites that the account which began a group has made or owns, counted up to a bound. Made ones too: handing a
 * site over makes no room for the next.
 */
export async function sitesOfFounder(db: Knex, group: number, bound: number): Promise<number> {
  const { rows } = await db.raw<{ rows: { n: number }[] }>(
    `SELECT count(*)::int AS n FROM (
       SELECT environment_id FROM members WHERE user_id = :group AND role = 'owner' AND ${NO_DEMO}
       UNION SELECT id FROM environments WHERE made_by = :group
       LIMIT :bound) AS sites`,
    { group, bound },
  );
  return rows[0]?.n ?? 0;
}

/** Those of all other accounts of the group that it has neither made nor owns, counted likewise. */
export async function sitesOfInvited(db: Knex, group: number, bound: number): Promise<number> {
  const { rows } = await db.raw<{ rows: { n: number }[] }>(
    `WITH accounts AS (SELECT id FROM users WHERE sponsor_id = :group)
     SELECT count(*)::int AS n FROM (
       (SELECT environment_id FROM members WHERE user_id IN (SELECT id FROM accounts) AND role = 'owner' AND ${NO_DEMO}
        UNION SELECT id FROM environments WHERE made_by IN (SELECT id FROM accounts))
       EXCEPT (SELECT environment_id FROM members WHERE user_id = :group AND role = 'owner'
        UNION SELECT id FROM environments WHERE made_by = :group)
       LIMIT :bound) AS sites`,
    { group, bound },
  );
  return rows[0]?.n ?? 0;
}
