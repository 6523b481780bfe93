import type { Knex } from 'knex';
import { type EnvironmentRow, MailRow } from '../../db/models';
import { MAIL_WAITS, type MailTrouble } from '../../domain/mail/warnings';
import { DAY_MS } from '../../domain/time';
import { ANSWER_CODE } from '../../mail/limits';
import { DUTY_KINDS, lostConfirmations, lostDuties } from './undelivered';

/** Days after which a failed mail is no warning any more, and how many are counted. */
const DAYS = 7;
const COUNTED = 100;

/** What is wrong with the mails of a site, which asks people to confirm their address or does not. */
export async function mailTrouble(
  db: Knex,
  { id: environment_id, settings }: Pick<EnvironmentRow, 'id' | 'settings'>,
  now: Date,
): Promise<MailTrouble> {
  const waiting = await MailRow.query(db)
    .where({ environment_id, state: 'pending' })
    .where('created_at', '<', new Date(now.getTime() - MAIL_WAITS))
    // One without an error counts, too: perhaps no process sends at all.
    .orderByRaw('(error IS NULL), created_at')
    .select('created_at', 'error')
    .first();
  const failed = await MailRow.query(db)
    .where({ environment_id, state: 'failed', audience: 'visitor' })
    // A code that nobody could be sent is asked for again; an answer that nobody got has a warning of its own.
    .whereNotIn('kind', [ANSWER_CODE, ...DUTY_KINDS])
    .where('ended_at', '>', new Date(now.getTime() - DAYS * DAY_MS))
    .orderBy('ended_at', 'desc')
    .limit(COUNTED)
    .select('request_id', 'error', 'ended_at');
  return {
    waiting,
    failed: failed as MailTrouble['failed'],
    lost: await lostDuties(db, environment_id, now),
    unconfirmed: settings.verify_requesters === true ? await lostConfirmations(db, environment_id, now) : [],
  };
}
