import type { Knex } from 'knex';
import { MemberRow, UserRow } from '../db/models';
import { conflict, forbidden } from '../errors';

/** The ids of all owners, locked: two who remove or demote each other at once must not leave none. Throws 403 when the caller is none any more. */
export async function lockOwners(trx: Knex, environment_id: string, callerId: number): Promise<number[]> {
  const rows = await MemberRow.query(trx)
    .where({ environment_id, role: 'owner' })
    .orderBy('user_id')
    .forUpdate();
  const owners = rows.map(({ user_id }) => user_id);
  if (!owners.includes(callerId)) throw forbidden('You are no owner of this environment any more.');
  return owners;
}

/** Throws 409 unless an owner who can log in stays: an invitation may never be used. */
export async function keepAnOwner(trx: Knex, owners: number[], without: number): Promise<void> {
  const others = owners.filter((id) => id !== without);
  const one = await UserRow.query(trx).whereIn('id', others).whereNotNull('password_hash').first();
  if (one !== undefined || !owners.includes(without)) return;
  throw conflict('This is the last owner who has an account: make somebody else an owner first.');
}
