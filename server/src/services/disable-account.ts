import type { Knex } from 'knex';
import { MemberRow, type UserRow } from '../db/models';
import { clock } from '../domain/clock';
import { afterTokens } from './accounts';
import { revokeKeysOf } from './api-keys';
import { unassignAll } from './dsar-assignees';
import { withholdNotices } from './mail/withhold-notices';
import { soleOwner } from './owners';

/**
 * Disables an account; its tokens and API keys end, and so does every link that it created or received. Returns how many
 * sites are left without an owner who can log in.
 */
export async function disableAccount(trx: Knex, user: UserRow): Promise<number> {
  // Held until it is disabled, so that nobody gives it a request meanwhile.
  const memberships = await MemberRow.query(trx)
    .where({ user_id: user.id })
    .orderBy('environment_id')
    .forNoKeyUpdate();
  let alone = 0;
  for (const { environment_id, role } of memberships)
    if (role === 'owner' && (await soleOwner(trx, environment_id)) === user.id) alone += 1;
  await user.$query(trx).patch({ disabled_at: clock.date(), tokens_valid_from: afterTokens(user) });
  await revokeKeysOf(trx, user.id);
  await trx('invitations').where({ user_id: user.id }).delete();
  await trx('mailed_links').where({ user_id: user.id }).delete();
  await trx('site_invitations').where({ made_by: user.id }).update({ code_hash: null });
  const actor = { userId: user.id, email: user.email };
  for (const { environment_id } of memberships) {
    await unassignAll(trx, { environment_id, user_id: user.id }, actor, 'Their account was disabled.');
    await withholdNotices(trx, { environment_id, user_id: user.id });
  }
  return alone;
}
