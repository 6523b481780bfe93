import type { Knex } from 'knex';
import { type DsarRow, MailRow } from '../../db/models';
import { DAY_MS } from '../../domain/time';
import type { DsarUndelivered } from '../../domain/types';

/** Kinds of mails that the law demands (GDPR Art. 12(3) and (4)), and what they tell. */
const DUTIES = { request_answered: 'answer', request_extended: 'extension' } as const;
export const DUTY_KINDS = Object.keys(DUTIES) as (keyof typeof DUTIES)[];
/** And the one with the link without which a request stays unidentified. */
const CONFIRMATION = 'request_received';
const TOLD = { ...DUTIES, [CONFIRMATION]: 'confirmation' } as const;
const TOLD_KINDS = Object.keys(TOLD) as (keyof typeof TOLD)[];

/** What became of a mail that nobody got. */
const LOST = ['failed', 'unsent', 'withheld'] as const;

/** Days for which an answer that nobody got is a warning, and how many are counted. */
const DAYS = 30;
const COUNTED = 20;

/**
 * The mails of the present answer and of the extension that nobody got, and that of the confirmation while an open request
 * waits for it.
 */
export async function undeliveredOf(
  db: Knex,
  { environment_id, request_id, resolved_at, disowned_at }: DsarRow,
  isUnidentified: boolean,
): Promise<DsarUndelivered[]> {
  const mails = await MailRow.query(db)
    .where({ environment_id, request_id, audience: 'visitor' })
    .whereIn('kind', TOLD_KINDS)
    .orderBy('created_at', 'desc')
    .select('mail_id', 'kind', 'state', 'error', 'created_at', 'ended_at');
  const waits = isUnidentified && resolved_at === null && disowned_at === null;
  return TOLD_KINDS.flatMap((kind) => {
    const mail = mails.find((one) => one.kind === kind);
    if (mail === undefined || !LOST.some((state) => state === mail.state)) return [];
    // An answer that was taken back tells nobody anything.
    if (kind === 'request_answered' && (resolved_at === null || mail.created_at < resolved_at)) return [];
    if (kind === CONFIRMATION && !waits) return [];
    const { mail_id, state, error, created_at, ended_at } = mail;
    const at = (ended_at ?? created_at).toISOString();
    return { duty: TOLD[kind], mail_id, state: state as DsarUndelivered['state'], error, at };
  });
}

export interface LostDuty {
  kind: string;
  request_id: string;
  state: string;
  error: string | null;
  ended_at: Date;
}

/**
 * Answers, and extensions of what is still open, that nobody got, newest first: for 30 days, unless the request is reopened.
 * None to whom said that the request is not theirs.
 */
export const lostDuties = (db: Knex, environment_id: string, now: Date): Promise<LostDuty[]> =>
  db('mails AS m')
    .join('dsar_requests AS r', (both) =>
      both.on('r.environment_id', 'm.environment_id').on('r.request_id', 'm.request_id'),
    )
    .where({ 'm.environment_id': environment_id, 'm.audience': 'visitor', 'r.disowned_at': null })
    .whereIn('m.state', [...LOST])
    .whereIn('m.kind', DUTY_KINDS)
    .where('m.ended_at', '>', new Date(now.getTime() - DAYS * DAY_MS))
    .whereRaw(
      `CASE m.kind WHEN 'request_answered' THEN r.status = 'resolved' AND m.created_at >= r.resolved_at
       ELSE r.status <> 'resolved' END`,
    )
    .orderBy('m.ended_at', 'desc')
    .limit(COUNTED)
    .select('m.kind', 'm.request_id', 'm.state', 'm.error', 'm.ended_at')
    // A plain promise, which nobody adds to.
    .then((rows: LostDuty[]) => rows);

/**
 * Confirmations of open requests that were kept back or had no mail server, newest first, for 30 days: nobody can confirm
 * those by a link. One that failed has a warning already.
 */
export const lostConfirmations = (db: Knex, environment_id: string, now: Date): Promise<LostDuty[]> =>
  db('mails AS m')
    .join('dsar_requests AS r', (both) =>
      both.on('r.environment_id', 'm.environment_id').on('r.request_id', 'm.request_id'),
    )
    .where({ 'm.environment_id': environment_id, 'm.kind': CONFIRMATION, 'm.audience': 'visitor' })
    .where({ 'r.disowned_at': null, 'r.email_verified_at': null })
    .whereNot({ 'r.status': 'resolved' })
    .whereIn('m.state', ['unsent', 'withheld'])
    .where('m.ended_at', '>', new Date(now.getTime() - DAYS * DAY_MS))
    .orderBy('m.ended_at', 'desc')
    .limit(COUNTED)
    .select('m.kind', 'm.request_id', 'm.state', 'm.error', 'm.ended_at')
    .then((rows: LostDuty[]) => rows);
