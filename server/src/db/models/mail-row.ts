import { Row } from './row';

/** `visitor`: to whom made a request; `member`: to a member, about a site; `account`: to a person, about their account. */
export type MailAudience = 'visitor' | 'member' | 'account';

/**
 * `pending`: waits to be sent; `sent`: the mail server took it; `failed`: it refused it for good, could not be given
 * it in time, or gave it back; `unsent`: no mail server is configured; `withheld`: a limit or its receiver's wish kept it back.
 */
export type MailState = 'pending' | 'sent' | 'failed' | 'unsent' | 'withheld';

export class MailRow extends Row {
  static override tableName = 'mails';
  static override idColumn = ['environment_id', 'mail_id'];
  /** The nil UUID for mails of accounts. */
  environment_id!: string;
  mail_id!: string;
  kind!: string;
  audience!: MailAudience;
  /** The data-subject request that it is about. */
  request_id!: string | null;
  user_id!: number | null;
  /** A keyed hash of the address, gone with the content. */
  address_key!: Buffer | null;
  state!: MailState;
  /** Sealed: the address and what it says. */
  content!: Buffer | null;
  /** Refusals for now; an unreachable mail server is none. */
  attempts!: number;
  due_at!: Date;
  /** When it would be of no use any more. */
  give_up_at!: Date;
  /** Fencing token of the process that is sending it. */
  lease!: string | null;
  lease_until!: Date | null;
  created_at!: Date;
  last_attempt_at!: Date | null;
  ended_at!: Date | null;
  /** The SMTP reply code of the last attempt. */
  response_status!: number | null;
  /** Why it is not sent; names no person. */
  error!: string | null;
}
