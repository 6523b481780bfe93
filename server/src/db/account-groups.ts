import type { Knex } from 'knex';
import { findAccount } from './find-account';

/**
 * The group of an account `u`, in a statement: named by the account that began it. A group is that account and
 * all that were made by its invitations, and by theirs.
 */
export const GROUP = 'coalesce(u.sponsor_id, u.id)';

/** SQL for who made a site: a group of accounts, or the site itself. Its owners leave a site, and hand it over. */
export const makerOf = (environment: string): string =>
  `coalesce((SELECT (${GROUP})::text FROM users u WHERE u.id = ${environment}.made_by), ${environment}.id::text)`;

/** The group of an account; undefined when there is no such account. */
export async function groupOf(db: Knex, userId: number): Promise<number | undefined> {
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `SELECT ${GROUP} AS id FROM users u WHERE u.id = ?`,
    [userId],
  );
  return rows[0]?.id;
}

/** The group of the account with this address; undefined when there is none. */
export async function groupOfAddress(db: Knex, email: string): Promise<number | undefined> {
  const user = await findAccount(db, email).select('id', 'sponsor_id');
  return user?.sponsor_id ?? user?.id;
}

/**
 * The group of an account. Lets others that count what the group has wait for the end of the transaction.
 */
export async function lockGroup(trx: Knex, userId: number): Promise<number> {
  const group = (await groupOf(trx, userId)) ?? userId;
  await trx.raw('SELECT FROM users WHERE id = ? FOR NO KEY UPDATE', [group]);
  return group;
}

/**
 * When the account was made that is so manieth, from the newest, of those that a group's invitations made: all, or
 * those of accounts that were invited themselves.
 */
export async function madeBefore(
  db: Knex,
  group: number,
  { nth, byInvited }: { nth: number; byInvited: boolean },
): Promise<Date | undefined> {
  const { rows } = await db.raw<{ rows: { created_at: Date }[] }>(
    `SELECT created_at FROM users WHERE sponsor_id = :group AND (by_invited OR NOT :byInvited)
     ORDER BY created_at DESC OFFSET :before LIMIT 1`,
    { group, byInvited, before: nth - 1 },
  );
  return rows[0]?.created_at;
}
