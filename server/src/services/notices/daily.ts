import type { Knex } from 'knex';
import { dailyBefore, isFor } from '../../domain/notices';
import type { Role } from '../../domain/types';
import type { Mailing } from '../../mail/mailing';
import type { Apart } from './apart';
import { queueDailyMail } from './notice-mail';
import { isReached } from './reached';
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
      if (await mailing.db.transaction((trx) => sendTo(mailing, trx, user_id, before, now))) mails += 1;
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
  const noted: Waiting[] = await trx('notices')
    .where({ user_id })
    .whereNull('mailed_at')
    .where('created_at', '<', before)
    .update({ mailed_at: now })
    .returning(['environment_id', 'topic', 'message', 'path', 'mailed_at']);
  // Whoever left a site meanwhile, or has another role there, is told no more of it than that lets them know.
  const sites: { id: string; name: string; role: Role }[] = await trx('environments AS e')
    .join('members AS m', 'm.environment_id', 'e.id')
    .where({ 'm.user_id': user_id, 'e.deleted_at': null })
    .whereIn('e.id', [...new Set(noted.map(({ environment_id }) => environment_id))])
    .select('e.id', 'e.name', 'm.role');
  const own = new Map(sites.map((site) => [site.id, site]));
  const told = noted.flatMap((notice) => {
    if (notice.environment_id === ACCOUNT.id) return [{ ...notice, site: ACCOUNT.name }];
    const site = own.get(notice.environment_id);
    return site === undefined || !isFor(notice.topic, site.role) ? [] : [{ ...notice, site: site.name }];
  });
  const member: (Told & { id: number }) | undefined = await trx('users AS u')
    .where({ 'u.id': user_id })
    .where(isReached(mailing))
    .first('u.id', 'u.email');
  if (told.length === 0 || member === undefined) return false;
  await queueDailyMail(mailing, trx, { user_id, email: member.email }, told);
  return true;
}
