import type { Knex } from 'knex';
import { type Provider, speaksFor } from '../../config';
import type { Context } from '../../context';
import { findAccount } from '../../db/find-account';
import { IdentityRow, MemberRow, UserRow } from '../../db/models';
import { clock } from '../../domain/clock';
import { emailKey } from '../../domain/email-keys';
import { conflict, forbidden } from '../../domain/errors';
import { newId } from '../../domain/ids';
import { createUser, INDEPENDENT } from '../accounts';
import { invitersOf, isInvited } from '../invitations';
import { mustVerify } from '../mailed-links';
import { sponsorAmong } from '../sponsors';
import type { Person } from './claims';

/** The account of a person, locked, and their identity. */
export interface Account {
  user: UserRow;
  identity: IdentityRow;
}

/**
 * The account that a person logs in to. Issuer and subject say whose it is; an address only where nobody has ever used
 * the account and the operator lets the provider speak for its domain, so that nobody gets into one that somebody else
 * has prepared or owns. Throws 403 and 409.
 */
export async function accountOf(
  trx: Knex,
  provider: Provider,
  person: Person,
  isLetIn: boolean,
): Promise<Account> {
  const { issuer, subject } = person;
  // Two first log-ins of one person at once: the second finds the account of the first.
  await trx.raw('SELECT pg_advisory_xact_lock(hashtext(?))', [`identity ${issuer} ${subject}`]);
  return (await known(trx, person)) ?? makeIdentity(trx, provider, person, isLetIn);
}

async function known(trx: Knex, { issuer, subject, email }: Person): Promise<Account | undefined> {
  const found = await IdentityRow.query(trx).findOne({ issuer, subject });
  if (found === undefined) return undefined;
  // The account before its identity, as where a link is ended.
  const user = await UserRow.query(trx).findById(found.user_id).forNoKeyUpdate();
  const identity = await IdentityRow.query(trx).findById(found.identity_id).forUpdate();
  if (user === undefined || identity === undefined) return undefined;
  const now = clock.date();
  return {
    user,
    identity: await identity.$query(trx).patchAndFetch({ email: email ?? null, last_used_at: now }),
  };
}

async function makeIdentity(
  trx: Knex,
  provider: Provider,
  person: Person,
  isLetIn: boolean,
): Promise<Account> {
  const email = verifiedAddress(provider, person);
  await trx.raw('SELECT pg_advisory_xact_lock(hashtext(?))', [`account ${emailKey(email)}`]);
  const present = await findAccount(trx, email).forNoKeyUpdate();
  if (present?.disabled_at != null)
    return { user: present, identity: identityOf(present, provider, person, 'login') };
  if (present !== undefined && !(await isUnused(trx, present))) throw hasAccount(provider, email);
  // Its address was named by the operator, and nobody has opened the link yet.
  const link = present && (await trx('invitations').where({ user_id: present.id }).first());
  const isOwn = isLetIn || link !== undefined;
  if (!isOwn && !(await isInvited(trx, email))) throw notLetIn(provider);
  const made = present ?? (await createUser(trx, { email, name: person.name ?? email, passwordHash: null }));
  const user = await verified(trx, made, async () => (isOwn ? INDEPENDENT : ofNobody(trx, email)));
  await trx('invitations').where({ user_id: user.id }).delete();
  return {
    user,
    identity: await addIdentity(trx, user, provider, person, link === undefined ? 'login' : 'operator'),
  };
}

/** Whom only an invitation lets in, which anybody can make, is of nobody's until they accept one, and counts all the same. */
const ofNobody = async (trx: Knex, email: string): Promise<Partial<UserRow>> => ({
  ...INDEPENDENT,
  ...(await sponsorAmong(trx, await invitersOf(trx, email))),
  was_claimed: true,
});

/** Whom a rule of a provider lets in would have got an account of their own by it, whoever has invited the address. */
const verified = async (trx: Knex, user: UserRow, place: () => Promise<Partial<UserRow>>) =>
  user.email_verified_at !== null
    ? user
    : user.$query(trx).patchAndFetch({ ...(await place()), email_verified_at: clock.date() });

function verifiedAddress(provider: Provider, { email, emailVerified }: Person): string {
  const { name } = provider;
  if (email === undefined)
    throw forbidden(`${name} gave no e-mail address: ask whoever runs it to send one.`);
  if (!emailVerified)
    throw forbidden(`${name} has not verified your e-mail address: verify it there, then log in again.`);
  if (!speaksFor(provider, email)) throw notItsAddress(provider);
  return email;
}

/** Nobody has ever logged in to it: no password, no passkey and no provider. */
async function isUnused(trx: Knex, { id: user_id, password_hash }: UserRow): Promise<boolean> {
  if (password_hash !== null) return false;
  const passkey = await trx('passkeys').where({ user_id }).first('user_id');
  return passkey === undefined && (await IdentityRow.query(trx).findOne({ user_id })) === undefined;
}

const hasAccount = ({ name }: Provider, email: string) =>
  conflict(
    `${email} has an account here already: log in to it, and link ${name} under "Your account". Whoever runs this server can give you a link to log in with.`,
  );

export const notItsAddress = ({ name }: Provider) =>
  forbidden(
    `${name} may not log in people with an e-mail address of this domain: log in another way, or ask whoever runs this server to list the domain in OIDC_<NAME>_EMAIL_DOMAINS.`,
  );

export const notLetIn = ({ name }: Provider) =>
  forbidden(
    `${name} knows you, but none of your groups there has access here: ask whoever runs this server.`,
  );

/** Who somebody is at a provider, as it is kept. */
type Identified = Pick<Person, 'issuer' | 'subject'> & Partial<Pick<Person, 'email'>>;

function identityOf(
  user: UserRow,
  { id }: Provider,
  { issuer, subject, email }: Identified,
  made_by: IdentityRow['made_by'],
) {
  const now = clock.date();
  return IdentityRow.fromDatabaseJson({
    ...{ identity_id: newId(), user_id: user.id, provider: id, issuer, subject, email: email ?? null },
    ...{ made_by, linked_at: now, last_used_at: now },
  });
}

/**
 * Whether a provider is believed about an account that it is known for: by the domain of its address, or because
 * somebody has linked it who could log in by a password. Without one, that log-in may have been the provider's own.
 */
export const isBelieved = (provider: Provider, { user, identity }: Account): boolean =>
  speaksFor(provider, user.email) || (identity.made_by === 'link' && user.password_hash !== null);

/**
 * The account, whose address the provider proves where it gives the same one. Undefined where nobody has proved it: with
 * a password anybody may have made the account for somebody else's address, whose name all that they do would bear. A
 * server that sends no mail cannot ask for a proof: there only addresses of the provider's own domains need one.
 */
export async function withProvenAddress(
  context: Pick<Context, 'mail'>,
  trx: Knex,
  provider: Provider,
  person: Person,
  user: UserRow,
  isLetIn: boolean,
): Promise<UserRow | undefined> {
  if (user.email_verified_at !== null) return user;
  const isTheirs = person.email !== undefined && emailKey(person.email) === emailKey(user.email);
  if (isTheirs && person.emailVerified && speaksFor(provider, user.email))
    return verified(trx, user, async () => (isLetIn ? INDEPENDENT : {}));
  return mustVerify(context, user) || speaksFor(provider, user.email) ? undefined : user;
}

export const unprovenAddress = ({ name }: Provider, { email }: UserRow) =>
  forbidden(
    `${name} did not say that ${email}, the address of your account here, is yours: log in with your password and verify the address there, or ask whoever runs this server for a link to log in with.`,
  );

/** Links an account of a provider to one here. */
export async function addIdentity(
  trx: Knex,
  user: UserRow,
  provider: Provider,
  person: Identified,
  made_by: IdentityRow['made_by'],
): Promise<IdentityRow> {
  return IdentityRow.query(trx).insertAndFetch(identityOf(user, provider, person, made_by));
}

/** Whether somebody whose groups let them in no more may log in all the same: what others gave them is not the provider's to take. */
export async function mayStay(trx: Knex, { user, identity }: Account): Promise<boolean> {
  if (identity.made_by !== 'login' || user.password_hash !== null) return true;
  if ((await MemberRow.query(trx).findOne({ user_id: user.id })) !== undefined) return true;
  return isInvited(trx, user.email);
}
