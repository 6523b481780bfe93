import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Context } from '../context';
import type { Sponsored } from '../db/account-groups';
import { UserRow } from '../db/models';
import { nextUserId } from '../db/next-user-id';
import { clock } from '../domain/clock';
import { emailKey } from '../domain/email-keys';
import { newCode } from '../domain/ids';
import { DAY_MS } from '../domain/time';
import type { Vault } from '../security/vault';

/** What an account is that whoever may say so makes its own. */
export const INDEPENDENT = {
  sponsor_id: null,
  by_invited: false,
  was_claimed: false,
} satisfies Partial<UserRow>;

/** An invitation or set-up link works for 7 days, in milliseconds. */
const LINK_LIFETIME = 7 * DAY_MS;

export const codeHash = (code: string): Buffer => createHash('sha256').update(code).digest();
export const linkEnd = (): Date => new Date(clock.now() + LINK_LIFETIME);

export interface NewUser {
  /** The id of its invitation; otherwise the next one. */
  id?: number;
  email: string;
  name: string;
  passwordHash: string | null;
  /** Whom it counts for, when a member's invitation makes it. */
  sponsored?: Sponsored | undefined;
  /** Whether somebody who may say so vouches for the address: the operator, or an identity provider. */
  isVerified?: boolean;
}

/** Makes an account; without a password it waits for the operator's link to be used. */
export async function createUser(
  trx: Knex,
  { id, email, name, passwordHash, sponsored, isVerified = false }: NewUser,
): Promise<UserRow> {
  const now = clock.date();
  return UserRow.query(trx).insertAndFetch({
    id: id ?? (await nextUserId(trx)),
    email,
    email_key: emailKey(email),
    name,
    password_hash: passwordHash,
    tokens_valid_from: now,
    created_at: now,
    ...INDEPENDENT,
    ...sponsored,
    email_verified_at: isVerified ? now : null,
  });
}

/** Later than every token of the user, including one issued in this millisecond. */
export const afterTokens = ({ tokens_valid_from }: UserRow): Date =>
  new Date(Math.max(clock.now(), tokens_valid_from.getTime()) + 1);

/**
 * The operator's one-time link to choose a password; for null, the first owner's. Ends the account's older
 * links.
 */
export const createLink = async (
  { publicUrl }: Pick<Context, 'publicUrl'>,
  trx: Knex,
  userId: number | null,
): Promise<string> => linkOf(publicUrl(), await createCode(trx, userId));

/** The code of such a link, for where the server's address is not known yet. */
export async function createCode(trx: Knex, userId: number | null): Promise<string> {
  const code = newCode();
  await replaceLink(trx, userId, code, linkEnd());
  return code;
}

/**
 * The code of the first owner's link: the same in every process and after every start, until it expires, because
 * somebody may be about to open the link that another one printed.
 */
export async function setupCode(trx: Knex, vault: Vault): Promise<string> {
  const codeOf = (end: Date): string =>
    vault.fingerprint('set-up link', end.toISOString()).toString('base64url');
  const present = await trx('invitations').where({ user_id: null }).first('code_hash', 'expires_at');
  const isGood =
    present !== undefined &&
    present.expires_at.getTime() > clock.now() &&
    codeHash(codeOf(present.expires_at)).equals(present.code_hash);
  const end = isGood ? present.expires_at : linkEnd();
  if (!isGood) await replaceLink(trx, null, codeOf(end), end);
  return codeOf(end);
}

async function replaceLink(trx: Knex, userId: number | null, code: string, end: Date): Promise<void> {
  await trx('invitations').where({ user_id: userId }).delete();
  await trx('invitations').insert({ code_hash: codeHash(code), user_id: userId, expires_at: end });
}

/** The code goes after the #, so it never reaches a server log or a referrer. */
export const linkOf = (publicUrl: string, code: string): string => `${publicUrl}/console/setup#${code}`;
