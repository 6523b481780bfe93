import { MINUTE_MS } from '../time';
import type { Warning } from '../types';

/** How long a mail may wait before it is told. */
export const MAIL_WAITS = 15 * MINUTE_MS;

/** What is wrong with the mails of a site. */
export interface MailTrouble {
  /** The oldest mail that waits for too long, and what the mail server said last. */
  waiting: { created_at: Date; error: string | null } | undefined;
  /** Mails to people who made requests that failed in the last week, newest first. */
  failed: readonly { request_id: string | null; error: string | null; ended_at: Date }[];
}

/** The longest part of an error in a warning. */
const SHOWN = 160;
const because = (error: string | null): string => (error === null ? '' : ` (${error.slice(0, SHOWN)})`);

export function mailWarnings({ waiting, failed }: MailTrouble): Warning[] {
  const warnings: Warning[] = [];
  if (waiting !== undefined)
    warnings.push({
      code: 'mail_failing',
      severity: 'warning',
      message: `Mails of this site wait to be sent${because(waiting.error)}: ask whoever runs this server to look at the mail server. They are sent once it takes them, for five days.`,
      subject_id: null,
      since: waiting.created_at.toISOString(),
    });
  const [first] = failed;
  if (first !== undefined)
    warnings.push({
      code: 'mail_refused',
      severity: 'warning',
      message: `${failed.length === 1 ? 'A mail' : `${failed.length} mails`} to people who made requests could not be delivered${because(first.error)}: answer them in another way. The page Mail lists them.`,
      subject_id: failed.length === 1 ? first.request_id : null,
      since: first.ended_at.toISOString(),
    });
  return warnings;
}
