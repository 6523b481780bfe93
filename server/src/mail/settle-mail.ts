import type { Knex } from 'knex';
import { databaseTime } from '../db/clock';
import { MailRow } from '../db/models';
import { nextAttemptAt } from '../domain/delivery-rules';
import type { ClaimedMail } from './claim-mails';
import type { HandOver } from './smtp';

/** What became of a mail for the time being; `fenced`: another process has it, and this result is dropped. */
export type MailResult = 'sent' | 'refused' | 'put off' | 'unreachable' | 'expired' | 'unreadable' | 'fenced';

/** Writes the result of a hand-over, only under the lease that it was made with. */
export async function settleMail(
  db: Knex,
  { mail, lease }: ClaimedMail,
  outcome: Exclude<HandOver, { result: 'stopped' }>,
  schedule: readonly number[],
): Promise<MailResult> {
  const now = await databaseTime(db);
  const patch = patchOf(mail, outcome, schedule, now);
  const written = await underLease(db, { mail, lease }).patch({
    ...{ lease: null, lease_until: null, last_attempt_at: now },
    response_status: outcome.status ?? null,
    error: outcome.result === 'sent' ? null : outcome.error,
    ...patch,
  });
  return written === 0 ? 'fenced' : outcome.result;
}

/** The waits are those of webhooks, the last of them again and again. */
function patchOf(
  { attempts, give_up_at }: MailRow,
  { result }: HandOver,
  schedule: readonly number[],
  now: Date,
): Partial<MailRow> {
  if (result === 'sent') return { state: 'sent', attempts: attempts + 1, ended_at: now };
  if (result === 'refused') return { state: 'failed', attempts: attempts + 1, ended_at: now };
  // An unreachable mail server is no attempt. Others come first next time, in case it is this mail that breaks off.
  if (result === 'unreachable') return { due_at: new Date(now.getTime() + (schedule[0] ?? 0) * 1000) };
  const attempt = { ok: false, gone: false, startedAt: now, endedAt: now };
  const due = nextAttemptAt(attempts + 1, schedule, attempt, Math.random());
  return { attempts: attempts + 1, due_at: due < give_up_at ? due : give_up_at };
}

/** Ends a mail that cannot or need not be sent any more. */
export async function endMail(db: Knex, claimed: ClaimedMail, reason: string): Promise<boolean> {
  const ended_at = await databaseTime(db);
  const patch = { state: 'failed' as const, ended_at, error: reason, lease: null, lease_until: null };
  return (await underLease(db, claimed).patch(patch)) > 0;
}

/** Gives back a mail that was claimed and not sent. */
export async function releaseMail(db: Knex, claimed: ClaimedMail): Promise<void> {
  await underLease(db, claimed).patch({ lease: null, lease_until: null });
}

const underLease = (db: Knex, { mail: { environment_id, mail_id }, lease }: ClaimedMail) =>
  MailRow.query(db).where({ environment_id, mail_id, lease });
