import type { Knex } from 'knex';
import type { Context } from '../context';
import { lockSponsor, type Sponsored } from '../db/account-groups';
import { findAccount } from '../db/find-account';
import { IdentityRow, InvitationRow, MemberRow, type UserRow } from '../db/models';
import { nextUserId } from '../db/next-user-id';
import { clock } from '../domain/clock';
import { emailKey, emailKeys } from '../domain/email-keys';
import { conflict, forbidden, notFound } from '../domain/errors';
import { newCode } from '../domain/ids';
import type { Role } from '../domain/types';
import { codeHash, createUser, INDEPENDENT, linkEnd, linkOf } from './accounts';
import { demandVerified, mailLink, mustVerify } from './mailed-links';
import { refuseTooManyMade } from './sponsors';
import { placeBy } from './taken-back';

export const noLink = () =>
  notFound('This link was used, has expired, or is mistyped: ask for a new one. It');

interface NewInvitation {
  environmentId: string;
  email: string;
  name: string | undefined;
  role: Role;
  madeBy: number;
}

type Server = Pick<Context, 'publicUrl'>;

/**
 * Invites an address to a site, whether or not it has an account, which the answer must not reveal. Undefined
 * when it is already invited.
 */
export async function invite(
  { publicUrl }: Server,
  trx: Knex,
  { environmentId, email, name, role, madeBy }: NewInvitation,
): Promise<{ row: InvitationRow; url: string } | undefined> {
  const sites = trx('site_invitations').where({ environment_id: environmentId });
  // Versions before stored other keys, which are no conflict.
  if ((await sites.whereIn('email_key', emailKeys(email)).first()) !== undefined) return undefined;
  const code = newCode();
  // The id of an account, if the link creates one: counted with theirs, so that ids never collide.
  const [row] = await trx('site_invitations')
    .insert({
      environment_id: environmentId,
      user_id: await nextUserId(trx),
      email,
      email_key: emailKey(email),
      name: name ?? email,
      role,
      made_by: madeBy,
      code_hash: codeHash(code),
      expires_at: linkEnd(),
      added_at: clock.date(),
    })
    .onConflict(['environment_id', 'email_key'])
    .ignore()
    .returning<InvitationRow[]>('*');
  return row && { row, url: linkOf(publicUrl(), code) };
}

/** A new link for an invitation; the old one ends. Undefined when there is no such invitation. */
export async function renewLink(
  { publicUrl }: Server,
  trx: Knex,
  key: { environment_id: string; user_id: number },
  madeBy: number,
): Promise<{ email: string; url: string } | undefined> {
  const code = newCode();
  const [row] = await trx('site_invitations')
    .where(key)
    .update({ code_hash: codeHash(code), made_by: madeBy, expires_at: linkEnd() })
    .returning<{ email: string }[]>('email');
  return row && { email: row.email, url: linkOf(publicUrl(), code) };
}

/** The site of an invitation, unless its owner has deleted it. */
const siteOfInvitation = (db: Knex) =>
  db('environments').whereRaw('environments.id = site_invitations.environment_id').whereNull('deleted_at');

/** The invitation of a code, without using it up. */
export const findInvitation = async (db: Knex, code: string): Promise<InvitationRow | undefined> =>
  InvitationRow.query(db)
    .findOne({ code_hash: codeHash(code) })
    .where('expires_at', '>', clock.date())
    .whereExists(siteOfInvitation(db));

/**
 * Takes the invitation of a code for an account; only one of two concurrent uses succeeds. Members before invitations, as
 * whoever invites or removes does: on a cluster a row's lock is its table's.
 */
async function take(
  trx: Knex,
  code: string,
  found: InvitationRow | undefined,
  user_id = found?.user_id,
): Promise<InvitationRow> {
  if (found === undefined || user_id === undefined) throw noLink();
  await MemberRow.query(trx).findOne({ environment_id: found.environment_id, user_id }).forNoKeyUpdate();
  const [row] = await trx('site_invitations')
    .where({ code_hash: codeHash(code) })
    .andWhere('expires_at', '>', clock.date())
    .whereExists(siteOfInvitation(trx))
    .delete()
    .returning<InvitationRow[]>('*');
  if (row === undefined) throw noLink();
  return row;
}

/** What came of a link. */
export interface Accepted {
  user: UserRow;
  /** The membership, where it gave one now. */
  entered?: MemberRow;
}

/**
 * Accepts an invitation by making the account of its address, in the group of whoever made the invitation.
 * Where mails are sent, the account first verifies its address, and may then become an owner by the same link. Throws
 * 404 for a code that is none, 409 where the address has an account (only that account accepts, and
 * nobody sets its password here), and 429 when the group has made too many.
 */
export async function acceptAsNew(
  context: Pick<Context, 'mail'>,
  trx: Knex.Transaction,
  code: string,
  { name, passwordHash }: { name: string | undefined; passwordHash: string },
): Promise<Accepted> {
  // Lock the account before its invitation, in the same order as the code that disables an account.
  const found = await findInvitation(trx, code);
  const inviter = found?.made_by ?? undefined;
  const sponsored = inviter === undefined ? undefined : await lockSponsor(trx, inviter);
  const isLater = context.mail.isConfigured && found?.role === 'owner';
  const invitation = isLater ? found : await take(trx, code, found);
  // Its role was changed meanwhile: nothing is taken, and the next try makes it later.
  if (!isLater && invitation.role !== found?.role) throw changedMeanwhile();
  const user = await makeAccount(
    trx,
    { ...invitation, name: name ?? invitation.name, sponsored },
    passwordHash,
  );
  if (mustVerify(context, user)) await mailLink(context, trx, user, 'address');
  return isLater ? { user } : { user, entered: await enter(trx, invitation, user.id) };
}

const changedMeanwhile = () => conflict('This invitation was changed meanwhile: open the link again.');

const hasAccount = () =>
  conflict(
    'This address has an account already: log in with it and open the link again. If that account is not yours, ask whoever runs the server to reset it.',
  );

async function makeAccount(
  trx: Knex,
  {
    user_id,
    email,
    name,
    sponsored,
  }: Pick<InvitationRow, 'user_id' | 'email' | 'name'> & { sponsored: Sponsored | undefined },
  passwordHash: string,
): Promise<UserRow> {
  const present = await findAccount(trx, email).forNoKeyUpdate();
  if (present === undefined) {
    // Two invitations of one address may be accepted at once: the second must log in.
    await trx.raw('SELECT pg_advisory_xact_lock(hashtext(?))', [`account ${emailKey(email)}`]);
    if ((await findAccount(trx, email)) !== undefined) throw hasAccount();
    if (sponsored !== undefined) await refuseTooManyMade(trx, sponsored);
    return createUser(trx, { id: user_id, email, name, passwordHash, sponsored });
  }
  if (!(await isFree(trx, present))) throw hasAccount();
  if (sponsored !== undefined) await refuseTooManyMade(trx, sponsored);
  // Whoever the operator made it for has never come: now it is of the group of whoever made the invitation.
  const ofGroup = sponsored ?? INDEPENDENT;
  // That the operator knew the address proves nothing of whoever opens another's link.
  const unproved = { email_verified_at: null };
  return present.$query(trx).patchAndFetch({ password_hash: passwordHash, name, ...ofGroup, ...unproved });
}

/** Left over from an unaccepted invitation: no password, no provider, no site, and no link of the operator. */
async function isFree(trx: Knex, { id, password_hash, disabled_at }: UserRow): Promise<boolean> {
  if (password_hash !== null || disabled_at !== null) return false;
  if ((await IdentityRow.query(trx).findOne({ user_id: id })) !== undefined) return false;
  const open = await trx('invitations').where({ user_id: id }).first();
  return open === undefined && (await MemberRow.query(trx).findOne({ user_id: id })) === undefined;
}

/**
 * Accepts an invitation as an account that exists. Throws 404 for an unknown code, 403 for an invitation of
 * another address, and 409 for a member.
 */
export async function acceptAs(
  context: Pick<Context, 'mail'>,
  trx: Knex,
  code: string,
  { userId, email }: { userId: number; email: string },
): Promise<MemberRow> {
  // Accounts before their invitation, as above.
  const found = await findInvitation(trx, code);
  await placeBy(trx, userId, found?.made_by);
  const invitation = await take(trx, code, found, userId);
  if (emailKey(invitation.email) !== emailKey(email)) {
    throw forbidden(
      'This invitation is for another e-mail address than that of your account: log out, and open the link again.',
    );
  }
  if (invitation.role === 'owner') await demandVerified(context, trx, userId);
  return enter(trx, invitation, userId);
}

async function enter(
  trx: Knex,
  { environment_id, role }: InvitationRow,
  user_id: number,
): Promise<MemberRow> {
  const [row] = await trx('members')
    .insert({ environment_id, user_id, role, added_at: clock.date() })
    .onConflict(['environment_id', 'user_id'])
    .ignore()
    .returning<MemberRow[]>('*');
  if (row === undefined) throw conflict('You are a member of this site already.');
  return row;
}

/** The invitations of an address that can be accepted. */
const openFor = (db: Knex, email: string) =>
  InvitationRow.query(db)
    .whereIn('email_key', emailKeys(email))
    .where('expires_at', '>', clock.date())
    .whereNotNull('code_hash')
    .whereExists(siteOfInvitation(db));

/** Whether an address has an invitation to a site that can be accepted. */
export const isInvited = async (db: Knex, email: string): Promise<boolean> =>
  (await openFor(db, email).first()) !== undefined;

/** Who made the invitations of an address that can be accepted. */
export async function invitersOf(db: Knex, email: string): Promise<number[]> {
  const rows = await openFor(db, email).whereNotNull('made_by').distinct('made_by').orderBy('made_by');
  return rows.map(({ made_by }) => made_by as number);
}

/** Whether an account with this address exists, which must then accept the invitation. */
export async function isTaken(db: Knex, email: string): Promise<boolean> {
  const user = await findAccount(db, email);
  return user !== undefined && !(await isFree(db, user));
}
