import type { Knex } from 'knex';
import { IdentityRow, type UserRow } from '../db/models';
import { clock } from '../domain/clock';
import { revokeKeysOf } from './api-keys';
import { takenBack } from './taken-back';

/** What lets somebody in, or stands in for it, besides a password: by table. */
const FACTORS = ['totp_secrets', 'passkeys', 'recovery_codes'];

/**
 * What an account becomes whose address is proved now, by whoever chooses its password. Until then anybody may have
 * made it with this address: every other way in, every second factor and every setting ends with the first proof. The account is
 * locked.
 */
export async function proveAddress(trx: Knex, user: UserRow): Promise<Partial<UserRow>> {
  const { id: user_id, email_verified_at } = user;
  if (email_verified_at !== null) return {};
  await revokeKeysOf(trx, user_id);
  await IdentityRow.query(trx).delete().where({ user_id, made_by: 'link' });
  // Else whoever claimed the address could have switched off what its person must be told.
  await trx('notification_settings').where({ user_id }).delete();
  for (const table of FACTORS) await trx(table).where({ user_id }).delete();
  return { ...(await takenBack(trx, user)), email_verified_at: clock.date(), second_factor_since: null };
}
