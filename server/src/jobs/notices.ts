import type { Context } from '../context';
import { DAY_MS } from '../domain/time';
import { seeChanges } from '../services/notices/changes';
import { sendDaily } from '../services/notices/daily';
import { gatherNotices } from '../services/notices/gather';
import { tellSites } from '../services/notices/tell';

/** Days for which it is known that something was told: what lasts longer is told again. */
const KEPT_DAYS = 400;

type Wiring = Pick<Context, 'db' | 'log' | 'mail' | 'program' | 'config'>;

/**
 * Tells members what happened on their sites, each thing once. `now` must be the database's time; so many `rows` are read
 * at once.
 */
export async function tellMembers(
  wiring: Wiring,
  now: Date,
  signal?: AbortSignal,
  rows?: number,
): Promise<void> {
  const { db, log, mail } = wiring;
  await seeChanges(wiring, now, signal);
  let told = 0;
  for await (const notices of gatherNotices(db, now, rows)) {
    if (signal?.aborted) break;
    told += await tellSites(mail, notices, now, signal);
  }
  const mails = await sendDaily(mail, now, signal);
  if (told + mails > 0) log.info({ notices: told, daily_mails: mails }, 'members were told what happened');
  await db('notices')
    .where('created_at', '<', new Date(now.getTime() - KEPT_DAYS * DAY_MS))
    .delete();
}
