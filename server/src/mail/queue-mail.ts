import type { Knex } from 'knex';
import { NO_SITE } from '../db/audit-events';
import type { Changer } from '../db/daily-limits';
import { type MailAudience, MailRefusalRow, MailRow } from '../db/models';
import { newId, timeOfId } from '../domain/ids';
import { DAY_MS } from '../domain/time';
import { addressHash, addressHashes } from './addresses';
import { type MailContent, sealContent } from './content';
import { aboutAccount, accountOf, type Cause, countMail, limitReached, TOO_MANY } from './limits';
import type { Mailing } from './mailing';

/** For how long a mail is tried, unless it is of no use sooner: four to five days, as RFC 5321 §4.5.4.1 advises. */
const TRIED_DAYS = 5;

/** A mail that is to be sent. */
export interface NewMail {
  /** What it is for, such as `password_reset`; lower case with underscores. */
  kind: string;
  audience: MailAudience;
  /** Who causes it, for the limits; `undefined`: it has none, because something else bounds it. */
  cause: Cause | undefined;
  content: MailContent;
  /** Whether whoever causes it has caused enough already: it is noted, and not sent. */
  isTooMany?: boolean;
  /** Whether nobody has shown that the address is theirs, of a mail that a member causes or that is of an account. */
  isUnconfirmed?: boolean;
  /** Who of the members causes it; left out where that is nobody's choice, as of the codes that a person asks for. */
  changer?: Changer | undefined;
  /** Whether an account is owed it, up to what its mailbox gets at most. */
  isOwed?: boolean;
  /** Whether the holder of the address has said that the request is not theirs: it is noted, and not sent. */
  isDisowned?: boolean;
  /** The site that it is about; left out for mails of an account. */
  environmentId?: string;
  /** The data-subject request that it is about. */
  requestId?: string;
  /** The account of its receiver. */
  userId?: number;
  /** When it is of no use any more, such as the end of a link; at most five days from now. */
  usefulUntil?: Date;
}

/**
 * Puts a mail into the outbox, in the transaction of its cause: it is sent if that commits, at least once, and with the
 * same Message-ID each time. Resolves with what becomes of it: `unsent` when no mail server is configured, `withheld`
 * when a limit or its receiver keeps it back.
 */
export async function queueMail(
  mailing: Mailing,
  trx: Knex.Transaction,
  mail: NewMail,
): Promise<MailRow['state']> {
  const { kind, audience, cause, content, environmentId: environment_id = NO_SITE } = mail;
  const mail_id = newId();
  const created_at = timeOfId(mail_id);
  const address_key = await addressHash(mailing, content.to);
  // A mail of an account that nothing limits counts for those after it.
  const counted = cause ?? (audience === 'account' ? audience : undefined);
  const account = counted === 'account' ? aboutAccount(mail.userId) : await accountOf(trx, environment_id);
  const about = { environment_id, address_key, kind, unconfirmed: mail.isUnconfirmed === true };
  const { isOwed, changer } = mail;
  const withheld =
    noted(mail) ??
    ((await isUnwanted(mailing, trx, mail)) ? UNWANTED : undefined) ??
    (cause && (await limitReached(trx, { ...about, cause, isOwed, changer }, account)));
  if (withheld === undefined && counted !== undefined)
    await countMail(trx, { ...about, mail_id, cause: counted, created_at }, account);
  const state = withheld !== undefined ? 'withheld' : mailing.isConfigured ? 'pending' : 'unsent';
  const end = created_at.getTime() + TRIED_DAYS * DAY_MS;
  await MailRow.query(trx).insert({
    ...{ environment_id, mail_id, kind, audience, state, created_at },
    request_id: mail.requestId ?? null,
    user_id: mail.userId ?? null,
    address_key: withheld === undefined ? address_key : null,
    content: withheld === undefined ? sealContent(mailing.vault, { environment_id, mail_id }, content) : null,
    attempts: 0,
    due_at: created_at,
    give_up_at: new Date(Math.min(end, mail.usefulUntil?.getTime() ?? end)),
    ended_at: state === 'pending' ? null : created_at,
    error: withheld ?? null,
  });
  return state;
}

/** Kinds of mails to people who make requests that they may do without, and that say so in their headers. */
export const COURTESIES: ReadonlySet<string> = new Set(['request_received']);

export const UNWANTED =
  'Its receiver wants no mails about requests to this site but those that the law demands.';
export const DISOWNED = 'The holder of the address says that they did not make this request.';

const noted = ({ isDisowned, isTooMany }: NewMail): string | undefined =>
  isDisowned === true ? DISOWNED : isTooMany === true ? TOO_MANY : undefined;

/** What the law demands to be told, and the code that somebody asks for, are nothing that one can do without. */
async function isUnwanted(
  mailing: Mailing,
  trx: Knex.Transaction,
  { audience, kind, environmentId, content }: NewMail,
): Promise<boolean> {
  if (audience !== 'visitor' || !COURTESIES.has(kind) || environmentId === undefined) return false;
  const refusal = MailRefusalRow.query(trx)
    .where({ environment_id: environmentId })
    .whereIn('address_key', await addressHashes(mailing, content.to));
  return (await refusal.first()) !== undefined;
}
