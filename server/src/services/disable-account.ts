import type { Knex } from 'knex';
import { MemberRow, type UserRow } from '../db/models';
import { clock } from '../domain/clock';
import { afterTokens } from './accounts';
import { revokeKeysOf } from './api-keys';
import { soleOwner } from './owners';

/**
 * Disables an account; its tokens and API keys end, and so does every link that it created or received. Returns how many
 * sites are left without an owner who can log in.
 */
export async function disableAccount(trx: Knex, user: UserRow): Promise<number> {
  const owned = await MemberRow.query(trx).where({ user_id: user.id, role: 'owner' });
  let alone = 0;
  for (const { environment_id } of owned) if ((await soleOwner(trx, environment_id)) === user.id) alone += 1;
  await user.$query(trx).patch({ disabled_at: clock.date(), tokens_valid_from: afterTokens(user) });
  await revokeKeysOf(trx, user.id);
  await trx('invitations').where({ user_id: user.id }).delete();
  await trx('mailed_links').where({ user_id: user.id }).delete();
  await trx('site_invitations').where({ made_by: user.id }).update({ code_hash: null });
  return alone;
}
