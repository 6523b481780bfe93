import type { Knex } from 'knex';
import { canLogIn } from '../db/can-log-in';
import { MemberRow, UserRow } from '../db/models';
import { emailKeys } from '../domain/email-keys';
import { conflict, forbidden } from '../domain/errors';

const noOwner = () => forbidden('You are no owner of this environment any more.');

/**
 * Locks and returns the ids of all owners, so that two owners who remove each other cannot leave the site
 * without one. Throws 403 when the caller is no longer an owner.
 */
export async function lockOwners(trx: Knex, environment_id: string, callerId: number): Promise<number[]> {
  const rows = await MemberRow.query(trx)
    .where({ environment_id, role: 'owner' })
    .orderBy('user_id')
    .forUpdate();
  const owners = rows.map(({ user_id }) => user_id);
  if (!owners.includes(callerId)) throw noOwner();
  return owners;
}

/**
 * Locks the caller's membership until the transaction ends, so that nobody invites with a role that is being
 * revoked. Throws 403 when the caller is no longer an owner.
 */
export async function stayOwner(trx: Knex, environment_id: string, callerId: number): Promise<void> {
  const key = { environment_id, user_id: callerId, role: 'owner' as const };
  if ((await MemberRow.query(trx).findOne(key).forNoKeyUpdate()) === undefined) throw noOwner();
}

/**
 * Ends the links created by a person who may no longer invite to this site; its remaining owners can create
 * new ones.
 */
export async function endInvitationsOf(trx: Knex, environment_id: string, userId: number): Promise<void> {
  await trx('site_invitations').where({ environment_id, made_by: userId }).update({ code_hash: null });
}

/**
 * Takes back the open invitations of a person who is about to lose their role: one that was never used, because a
 * provider was faster, would let them in again. After their membership, in the order in which an invitation is accepted.
 */
export async function takeBackInvitations(trx: Knex, environment_id: string, userId: number): Promise<void> {
  const user = await UserRow.query(trx).findById(userId).select('email');
  if (user === undefined) return;
  await MemberRow.query(trx).findOne({ environment_id, user_id: userId }).forUpdate();
  // Verified or not: whoever has the address accepts what was sent to it.
  await trx('site_invitations')
    .where({ environment_id })
    .whereIn('email_key', emailKeys(user.email))
    .delete();
}

/** Owners of a site who can log in; invited and disabled ones cannot. */
const ableOwners = (db: Knex, environment_id: string) =>
  MemberRow.query(db)
    .join('users', 'users.id', 'members.user_id')
    .where({ environment_id, role: 'owner', 'users.disabled_at': null })
    .whereRaw(canLogIn('users'));

/** The ids of all of them. */
export const ableOwnerIds = async (db: Knex, environmentId: string): Promise<number[]> =>
  (await ableOwners(db, environmentId).select('user_id')).map(({ user_id }) => user_id);

/** The only owner of a site who can log in; undefined when there are several or none. */
export async function soleOwner(db: Knex, environmentId: string): Promise<number | undefined> {
  const [one, another] = await ableOwners(db, environmentId).select('user_id').limit(2);
  return another === undefined ? one?.user_id : undefined;
}

/** Throws 409 unless an owner who can log in remains. */
export async function keepAnOwner(
  trx: Knex,
  environmentId: string,
  owners: number[],
  without: number,
): Promise<void> {
  const other = await ableOwners(trx, environmentId).whereNot({ user_id: without }).first();
  if (other !== undefined || !owners.includes(without)) return;
  throw conflict('This is the last owner who can log in: make somebody else an owner first.');
}
