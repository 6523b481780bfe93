import type { Knex } from 'knex';

/**
 * The sites that the account which began a group has made, counted up to a bound, whoever owns them now: handing a site over
 * makes no room for the next. Those of others that it owns count for others: it may never have said yes to them.
 */
export async function sitesOfFounder(db: Knex, group: number, bound: number): Promise<number> {
  const { rows } = await db.raw<{ rows: { n: number }[] }>(
    `SELECT count(*)::int AS n FROM (SELECT FROM environments WHERE made_by = :group LIMIT :bound) AS sites`,
    { group, bound },
  );
  return rows[0]?.n ?? 0;
}

/** Those that all other accounts of the group have made, counted likewise. */
export async function sitesOfInvited(db: Knex, group: number, bound: number): Promise<number> {
  const { rows } = await db.raw<{ rows: { n: number }[] }>(
    `SELECT count(*)::int AS n FROM (
       SELECT FROM environments WHERE made_by IN (SELECT id FROM users WHERE sponsor_id = :group)
       LIMIT :bound) AS sites`,
    { group, bound },
  );
  return rows[0]?.n ?? 0;
}
