import type { Knex } from 'knex';
import type { Context } from '../context';
import { DAY_MS } from '../domain/time';
import { inParts } from '../services/notices/apart';
import { seeChanges } from '../services/notices/changes';
import { sendDaily } from '../services/notices/daily';
import { gatherNotices } from '../services/notices/gather';
import { tellSites } from '../services/notices/tell';
import { TellingTurns } from '../services/notices/turns';

/** Days for which it is known that something was told: what lasts longer is told again. */
const KEPT_DAYS = 400;
/** Days after which what nobody was told, because no worker ran, is no news any more. */
const MISSED_DAYS = 30;

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
  const { db, log, mail, config } = wiring;
  const about = { db, now, since: await lastLook(db, now), config };
  const { apart, failed } = inParts(log, 'some notices could not be made; the others are told');
  await seeChanges({ ...wiring, apart }, now, signal);
  const telling = { mailing: mail, now, apart, turns: new TellingTurns(db) };
  let told = 0;
  for await (const notices of gatherNotices(about, apart, rows)) {
    if (signal?.aborted) break;
    told += await tellSites(telling, notices, signal);
  }
  const mails = await sendDaily(mail, now, apart, signal);
  if (told + mails > 0) log.info({ notices: told, daily_mails: mails }, 'members were told what happened');
  await db('notices')
    .where('created_at', '<', new Date(now.getTime() - KEPT_DAYS * DAY_MS))
    .delete();
  // The look counts as not brought to its end: what could not be told is news for the next one, too.
  if (failed() > 0) throw new Error(`${failed()} parts of the notices could not be told`);
}

/**
 * When a look was last brought to its end: only such a run of the job is noted. Before the first one, when there was
 * something to look with.
 */
async function lastLook(db: Knex, now: Date): Promise<Date> {
  const { rows } = await db.raw<{ rows: [{ at: Date | null }] }>(
    `SELECT coalesce((SELECT finished_at FROM job_runs WHERE name = 'notices'),
       (SELECT migration_time FROM avow_migrations WHERE name LIKE '%\\_add\\_notices')) AS at`,
  );
  const earliest = new Date(now.getTime() - MISSED_DAYS * DAY_MS);
  const at = rows[0].at ?? now;
  if (at > now) return now;
  return at < earliest ? earliest : at;
}
