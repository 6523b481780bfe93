import type { Knex } from 'knex';
import { BY_INVITED, FOUNDER, INVITED } from '../domain/fair-turns';
import { findAccount } from './find-account';
import type { UserRow } from './models';

/** The group of all accounts that are nobody's yet, since each could make any number of them: no account has this number. */
export const NOBODY = 0;

/**
 * The group of an account, named by the account that began it. A group is that account and all that were made by its
 * invitations, and by theirs; whoever has not accepted any, or took the account back, is with all others such.
 */
export const groupOf = ({
  id,
  sponsor_id,
  was_claimed,
}: Pick<UserRow, 'id' | 'sponsor_id' | 'was_claimed'>): number => (was_claimed ? NOBODY : (sponsor_id ?? id));

/** The same of an account `u` in a statement. */
export const GROUP = `(CASE WHEN u.was_claimed THEN ${NOBODY} ELSE coalesce(u.sponsor_id, u.id) END)`;

/** SQL for who made a site: a group of accounts, or the site itself. Its owners leave a site, and hand it over. */
export const makerOf = (environment: string): string =>
  `coalesce((SELECT (${GROUP})::text FROM users u WHERE u.id = ${environment}.made_by), ${environment}.id::text)`;

/**
 * SQL for who made a site within its group, as members are named: the account that began it, or one of the others. What is
 * of no group has begun its own.
 */
export const makerWithin = (environment: string): string =>
  `coalesce((SELECT CASE WHEN u.id = ${GROUP} THEN '${FOUNDER}' WHEN u.by_invited THEN '${BY_INVITED} ' || u.id
    ELSE '${INVITED} ' || u.id END FROM users u WHERE u.id = ${environment}.made_by), '${FOUNDER}')`;

/** The group of an account; undefined when there is no such account. */
export async function findGroup(db: Knex, userId: number): Promise<number | undefined> {
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `SELECT ${GROUP} AS id FROM users u WHERE u.id = ?`,
    [userId],
  );
  return rows[0]?.id;
}

/** The group of the account with this address; undefined when there is none. */
export async function groupOfAddress(db: Knex, email: string): Promise<number | undefined> {
  const user = await findAccount(db, email).select('id', 'sponsor_id', 'was_claimed');
  return user && groupOf(user);
}

/**
 * What an account becomes that an account's invitation makes: it counts for whom that one counts for, and whoever is
 * invited by an account that is nobody's is nobody's. Others that count for the same wait for the end of the transaction.
 */
export async function lockSponsor(trx: Knex, inviter: number): Promise<Sponsored> {
  const user = await trx('users').where({ id: inviter }).first('sponsor_id', 'was_claimed');
  const sponsor_id: number = user?.sponsor_id ?? inviter;
  await trx.raw('SELECT FROM users WHERE id = ? FOR NO KEY UPDATE', [sponsor_id]);
  return { sponsor_id, by_invited: inviter !== sponsor_id, was_claimed: user?.was_claimed ?? false };
}

export interface Sponsored {
  sponsor_id: number;
  by_invited: boolean;
  was_claimed: boolean;
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
