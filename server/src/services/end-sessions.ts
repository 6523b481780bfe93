import type { Knex } from 'knex';
import { clock } from '../domain/clock';

/**
 * Ends the tokens of all accounts, every link that is open, and API keys unless they are kept, as after a restore,
 * which brings back those that had ended. Invitations stay, and their owners can make new links.
 */
export async function endSessions(
  trx: Knex,
  { keepsKeys }: { keepsKeys: boolean },
): Promise<{ accounts: number; links: number; keys: number }> {
  const { last } = (await trx('users').max('tokens_valid_from as last').first()) as { last: Date | null };
  // Without an account the set-up link of the first owner is all that there is.
  if (last === null) return { accounts: 0, links: 0, keys: 0 };
  // Later than every token, including one issued in this millisecond, and those of an account dated by a wrong clock.
  const tokens_valid_from = new Date(Math.max(clock.now(), last.getTime()) + 1);
  const accounts = await trx('users')
    .where('tokens_valid_from', '<', tokens_valid_from)
    .update({ tokens_valid_from });
  const own = await trx('invitations').delete();
  const mailed = await trx('mailed_links').delete();
  await trx('login_sessions').delete();
  const invited = await trx('site_invitations').whereNotNull('code_hash').update({ code_hash: null });
  const now = clock.date();
  const keys = keepsKeys ? 0 : await trx('api_keys').where({ revoked_at: null }).update({ revoked_at: now });
  return { accounts, links: own + mailed + invited, keys };
}
