import { beginning } from '../text';
import { MINUTE_MS } from '../time';
import type { Warning } from '../types';

/** How long a mail may wait before it is told. */
export const MAIL_WAITS = 15 * MINUTE_MS;

interface Lost {
  kind: string;
  request_id: string;
  state: string;
  error: string | null;
  ended_at: Date;
}

/** What is wrong with the mails of a site. */
export interface MailTrouble {
  /** The oldest mail that waits for too long, and what the mail server said last. */
  waiting: { created_at: Date; error: string | null } | undefined;
  /** Mails to people who made requests that failed in the last week, newest first. */
  failed: readonly { request_id: string | null; error: string | null; ended_at: Date }[];
  /** Answers and extensions that nobody got. */
  lost: readonly Lost[];
  /** Confirmations that were not sent, of requests whose address nobody has confirmed. */
  unconfirmed: readonly Lost[];
}

/** The longest part of an error in a warning. */
const SHOWN = 160;
const because = (error: string | null): string => (error === null ? '' : ` (${beginning(error, SHOWN)})`);

export function mailWarnings({ waiting, failed, lost, unconfirmed }: MailTrouble): Warning[] {
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
  warnings.push(...lost.map(lostWarning));
  const [newest] = unconfirmed;
  if (newest !== undefined)
    warnings.push({
      code: 'confirmation_not_delivered',
      severity: 'warning',
      // Strangers cause them, so one warning is for all.
      message: `The mail with the link that confirms the address was not sent to ${unconfirmed.length === 1 ? 'the person of a data-subject request' : `the people of ${unconfirmed.length} data-subject requests`}${whyOf(newest)}: the 30 days run, so identify them in another way. The page Mail lists them.`,
      subject_id: unconfirmed.length === 1 ? newest.request_id : null,
      since: newest.ended_at.toISOString(),
    });
  return warnings;
}

const whyOf = ({ state, error }: Pick<Lost, 'state' | 'error'>): string =>
  state === 'unsent' ? ' (no mail server is configured)' : because(error);

/** An answer that nobody got, or an extension. */
const lostWarning = ({ kind, request_id, ended_at, ...lost }: Lost): Warning => {
  const why = whyOf(lost);
  return {
    code: 'answer_not_delivered',
    severity: 'warning',
    message:
      kind === 'request_extended'
        ? `The person of a data-subject request was not mailed that its deadline is extended${why}: tell them in another way within the first month (GDPR Art. 12(3)).`
        : `The answer to a data-subject request reached nobody${why}: tell the person in another way. To record that, reopen the request and resolve it without a mail; else this ends after 30 days.`,
    subject_id: request_id,
    since: ended_at.toISOString(),
  };
};
