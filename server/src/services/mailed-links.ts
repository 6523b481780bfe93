import type { Knex } from 'knex';
import type { Context } from '../context';
import { UserRow } from '../db/models';
import { clock } from '../domain/clock';
import { conflict, forbidden } from '../domain/errors';
import { newCode } from '../domain/ids';
import { HOUR_MS, MINUTE_MS } from '../domain/time';
import { queueAccountMail } from '../mail/account-mail';
import { codeHash } from './accounts';

type Purpose = 'password' | 'address';

/** For how many minutes a link works. */
export const VALID_MINUTES = { password: 60, address: 24 * 60 } satisfies Record<Purpose, number>;
/** Links of an account and purpose in an hour, for as long as they live or longer: nobody's mailbox is filled. */
const MOST_IN_HOUR = 3;

const MAILS = {
  password: {
    ...{ kind: 'password_reset', subject: 'Choose a new password', label: 'Choose a new password' },
    path: 'reset-password',
    paragraphs: [
      'Somebody, probably you, has asked for a new password for your account.',
      'The link works once, for an hour. If it was not you, there is nothing to do: your password stays as it is.',
    ],
  },
  address: {
    ...{ kind: 'address_verification', subject: 'Verify your e-mail address', label: 'Verify the address' },
    path: 'verify-email',
    paragraphs: [
      'Somebody, probably you, has an account here with this e-mail address.',
      'Log in to it, and open the link: it works once, for a day. Whoever was invited as the owner of a site opens that invitation again afterwards.',
      'If it was not you, there is nothing to do.',
    ],
  },
} satisfies Record<Purpose, object>;

/** Mails a one-time link to the address of an account; false when it has had enough of them in this hour. */
export async function mailLink(
  { mail }: Pick<Context, 'mail'>,
  trx: Knex.Transaction,
  { id: user_id, email }: Pick<UserRow, 'id' | 'email'>,
  purpose: Purpose,
): Promise<boolean> {
  // One after the other, so that all are counted.
  await trx('users').where({ id: user_id }).select('id').forNoKeyUpdate();
  const created_at = clock.date();
  const recent = await trx('mailed_links')
    .where({ user_id, purpose })
    .where('created_at', '>', new Date(created_at.getTime() - HOUR_MS))
    .select('code_hash')
    .limit(MOST_IN_HOUR);
  if (recent.length >= MOST_IN_HOUR) return false;
  const code = newCode();
  const expires_at = new Date(created_at.getTime() + VALID_MINUTES[purpose] * MINUTE_MS);
  const { kind, subject, label, path, paragraphs } = MAILS[purpose];
  const state = await queueAccountMail(mail, trx, {
    ...{ kind, userId: user_id, to: email, subject, paragraphs, usefulUntil: expires_at },
    // Behind the #, so that it reaches no log of a server.
    action: { label, url: `${mail.publicUrl()}/console/${path}#`, secret: code },
    // Strangers may have asked for all of a day's: whoever has no link that works gets one.
    isOwed: purpose === 'password' && recent.length === 0,
  });
  if (state === 'withheld') return false;
  await trx('mailed_links').insert({ code_hash: codeHash(code), user_id, purpose, created_at, expires_at });
  return true;
}

const working = (db: Knex, code: string, purpose: Purpose) =>
  db('mailed_links')
    .where({ code_hash: codeHash(code), purpose })
    .where('expires_at', '>', clock.date());

/** The account of a link that works; undefined for another code. */
export async function accountOfLink(db: Knex, code: string, purpose: Purpose): Promise<UserRow | undefined> {
  const link = await working(db, code, purpose).first<{ user_id: number } | undefined>('user_id');
  return link && UserRow.query(db).findOne({ id: link.user_id, disabled_at: null });
}

/** Uses a link up, and all others of its account and purpose; the account is locked. Undefined for another code. */
export async function takeLink(trx: Knex, code: string, purpose: Purpose): Promise<UserRow | undefined> {
  const found = await accountOfLink(trx, code, purpose);
  if (found === undefined) return undefined;
  const user = await UserRow.query(trx).findOne({ id: found.id, disabled_at: null }).forNoKeyUpdate();
  if (user === undefined || (await working(trx, code, purpose).delete()) === 0) return undefined;
  await trx('mailed_links').where({ user_id: user.id, purpose }).delete();
  return user;
}

/** Throws 409 where the server sends no mail. */
export function demandMail({ mail }: Pick<Context, 'mail'>): void {
  if (mail.isConfigured) return;
  throw conflict(
    'This server sends no mail: its operator gives a new link with npm run owner -- reset EMAIL, or sets SMTP_URL.',
  );
}

/** Whether an account may not own anything yet: only where mails are sent, as else nothing could be proved. */
export const mustVerify = (
  { mail }: Pick<Context, 'mail'>,
  { email_verified_at }: Pick<UserRow, 'email_verified_at'>,
): boolean => mail.isConfigured && email_verified_at === null;

/** Throws 403 when an account must first verify its address. */
export async function demandVerified(
  context: Pick<Context, 'mail'>,
  trx: Knex,
  userId: number,
): Promise<void> {
  const user = await UserRow.query(trx).findById(userId).throwIfNotFound();
  if (!mustVerify(context, user)) return;
  throw forbidden(
    'Verify your e-mail address first: open the link in the mail, or ask for another under Your account.',
  );
}

/** Tells the person of an account that the way in was changed. */
export const tellOfChange = (
  { mail }: Pick<Context, 'mail'>,
  trx: Knex.Transaction,
  { id, email }: Pick<UserRow, 'id' | 'email'>,
  what: string,
  { endsSessions = true }: { endsSessions?: boolean } = {},
): Promise<unknown> =>
  queueAccountMail(mail, trx, {
    ...{ kind: 'log_in_changed', userId: id, to: email, subject: what },
    paragraphs: [
      endsSessions ? `${what}. All other sessions of your account have ended.` : `${what}.`,
      'If it was not you, tell whoever runs the server at once, and choose a new password.',
    ],
  });
