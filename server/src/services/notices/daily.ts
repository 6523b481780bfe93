import type { Knex } from 'knex';
import { retried } from '../../db/retried';
import { dailyBefore, modeOf } from '../../domain/notices';
import type { Role } from '../../domain/types';
import type { Mailing } from '../../mail/mailing';
import type { Apart } from './apart';
import { hasEnoughDaily, queueDailyMail } from './notice-mail';
import { isReached } from './reached';
import { chosenBy, NO_CHOICE } from './settings';
import { ACCOUNT, type NotedNotice, type Told } from './told';

/** Sends each account what waits for its daily mail; a notice is marked in the transaction of the mail. */
export async function sendDaily(
  mailing: Mailing,
  now: Date,
  apart: Apart,
  signal?: AbortSignal,
): Promise<number> {
  const before = dailyBefore(now);
  const waiting: { user_id: number }[] = await mailing
    .db('notices')
    .whereNull('mailed_at')
    .where('created_at', '<', before)
    .distinct('user_id');
  let mails = 0;
  for (const { user_id } of waiting) {
    if (signal?.aborted) break;
    await apart({ user_id }, async () => {
      const send = (trx: Knex.Transaction) => sendTo(mailing, trx, user_id, before, now);
      if (await retried(() => mailing.db.transaction(send))) mails += 1;
    });
  }
  return mails;
}

type Waiting = NotedNotice & { environment_id: string };

async function sendTo(
  mailing: Mailing,
  trx: Knex.Transaction,
  user_id: number,
  before: Date,
  now: Date,
): Promise<boolean> {
  // Held, and before the notices, as whoever changes a role does.
  const members: { environment_id: string; role: Role }[] = await trx('members')
    .where({ user_id })
    .orderBy('environment_id')
    .forNoKeyUpdate()
    .select('environment_id', 'role');
  const roles = new Map(members.map(({ environment_id, role }) => [environment_id, role]));
  const member: (Told & { id: number }) | undefined = await trx('users AS u')
    .where({ 'u.id': user_id })
    .where(isReached(mailing))
    .first('u.id', 'u.email');
  // They wait for a day with room.
  if (member !== undefined && (await hasEnoughDaily(mailing, trx, { user_id, email: member.email })))
    return false;
  const noted: Waiting[] = await trx('notices')
    .where({ user_id })
    .whereNull('mailed_at')
    .where('created_at', '<', before)
    .update({ mailed_at: now })
    .returning(['environment_id', 'topic', 'message', 'path', 'mailed_at']);
  // Whoever left a site meanwhile, or has another role there, is told no more of it than that lets them know.
  const sites: { id: string; name: string }[] = await trx('environments')
    .where({ deleted_at: null })
    .whereIn('id', [...new Set(noted.map(({ environment_id }) => environment_id))])
    .select('id', 'name');
  const names = new Map(sites.map(({ id, name }) => [id, name]));
  const { topics } = (await chosenBy(trx, [user_id])).get(user_id) ?? NO_CHOICE;
  const told = noted.flatMap((notice) => {
    const isOfAccount = notice.environment_id === ACCOUNT.id;
    const site = isOfAccount ? ACCOUNT.name : names.get(notice.environment_id);
    const role = isOfAccount ? 'owner' : roles.get(notice.environment_id);
    // Also what they have switched off since.
    if (site === undefined || role === undefined || modeOf(topics, notice.topic, role) === 'off') return [];
    return [{ ...notice, site }];
  });
  if (told.length === 0 || member === undefined) return false;
  await queueDailyMail(mailing, trx, { user_id, email: member.email }, told);
  return true;
}
