import type { Knex } from 'knex';
import { MemberRow, UserRow } from '../db/models';
import { conflict, forbidden } from '../errors';

const noOwner = () => forbidden('You are no owner of this environment any more.');

/** The ids of all owners, locked: two who remove or demote each other at once must not leave none. Throws 403 when the caller is none any more. */
export async function lockOwners(trx: Knex, environment_id: string, callerId: number): Promise<number[]> {
  const rows = await MemberRow.query(trx)
    .where({ environment_id, role: 'owner' })
    .orderBy('user_id')
    .forUpdate();
  const owners = rows.map(({ user_id }) => user_id);
  if (!owners.includes(callerId)) throw noOwner();
  return owners;
}

/** Holds the caller's own membership until the transaction ends: nobody invites with a power that is just being taken. Throws 403 likewise. */
export async function stayOwner(trx: Knex, environment_id: string, callerId: number): Promise<void> {
  const key = { environment_id, user_id: callerId, role: 'owner' as const };
  if ((await MemberRow.query(trx).findOne(key).forShare()) === undefined) throw noOwner();
}

/** Ends the open invitations that a person made to an environment which is theirs no more: whoever still owns it may make new ones. */
export async function endInvitationsOf(trx: Knex, environment_id: string, userId: number): Promise<void> {
  await trx('invitations')
    .where({ made_by: userId })
    .whereIn('user_id', MemberRow.query(trx).where({ environment_id }).select('user_id').toKnexQuery())
    .delete();
}

/** Throws 409 unless an owner who can log in stays: an invitation may never be used. */
export async function keepAnOwner(trx: Knex, owners: number[], without: number): Promise<void> {
  const others = owners.filter((id) => id !== without);
  const one = await UserRow.query(trx).whereIn('id', others).whereNotNull('password_hash').first();
  if (one !== undefined || !owners.includes(without)) return;
  throw conflict('This is the last owner who has an account: make somebody else an owner first.');
}
