import type { Knex } from 'knex';
import { inMailLine, secretMark } from './content';
import { layOut, type MailParts } from './layout';
import type { Mailing } from './mailing';
import { type NewMail, queueMail } from './queue-mail';

/** A mail to a person about their account, in English. */
export interface AccountMail {
  /** What it is for, such as `password_reset`. */
  kind: string;
  userId: number;
  to: string;
  subject: string;
  paragraphs: readonly string[];
  facts?: MailParts['facts'];
  /** A link that is for the receiver alone: its address, and what comes behind `#` or as the last part of the path. */
  action?: { label: string; url: string; secret: string };
  /** A code that is for the receiver alone. */
  code?: string;
  notes?: readonly string[];
  usefulUntil?: Date;
  /** Whether the account is owed it, whatever it has got today: something else bounds it. */
  isOwed?: boolean;
}

/**
 * Queues a mail about an account in the transaction of its cause; resolves like `queueMail`. To an account whose
 * address nobody has proved less is owed: anybody can make any number of them for one mailbox.
 */
export async function queueAccountMail(
  mailing: Mailing,
  trx: Knex.Transaction,
  mail: AccountMail,
): ReturnType<typeof queueMail> {
  const { kind, userId, to, subject, paragraphs, facts, action, code, notes, usefulUntil } = mail;
  const user = await trx('users').where({ id: userId }).first('email_verified_at');
  const isUnconfirmed = user?.email_verified_at == null;
  const isOwed = mail.isOwed === true;
  // Nobody else can make further accounts with a proved address of this mailbox.
  const cause: NewMail['cause'] = isOwed && !isUnconfirmed ? undefined : 'account';
  const parts = layOut({
    ...{ language: 'en', subject: inMailLine(subject, 150), heading: inMailLine(subject, 150), paragraphs },
    ...(facts === undefined ? {} : { facts }),
    ...(action === undefined ? {} : { action: { label: action.label, url: action.url + secretMark(0) } }),
    ...(code === undefined ? {} : { code: secretMark(1) }),
    ...(notes === undefined ? {} : { notes }),
    footer: [{ text: `Sent by Avow at ${mailing.publicUrl()}.` }],
  });
  return queueMail(mailing, trx, {
    ...{ kind, audience: 'account', cause, userId, isUnconfirmed, isOwed },
    ...(usefulUntil === undefined ? {} : { usefulUntil }),
    content: { to, ...parts, secrets: [action?.secret ?? '', code ?? ''] },
  });
}
