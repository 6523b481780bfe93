import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Context } from '../context';
import { UserRow } from '../db/models';
import { nextUserId } from '../db/next-user-id';
import { clock } from '../domain/clock';
import { newCode } from '../domain/ids';
import { DAY_MS } from '../domain/time';

/** An invitation or set-up link works for 7 days, in milliseconds. */
const LINK_LIFETIME = 7 * DAY_MS;

export const emailKey = (email: string): string => email.toLowerCase();
export const codeHash = (code: string): Buffer => createHash('sha256').update(code).digest();
export const linkEnd = (): Date => new Date(clock.now() + LINK_LIFETIME);

export interface NewUser {
  /** The id of its invitation; otherwise the next one. */
  id?: number;
  email: string;
  name: string;
  passwordHash: string | null;
  /** The group that it belongs to, when a member's invitation makes it. */
  sponsorId?: number | undefined;
}

/** Makes an account; without a password it waits for the operator's link to be used. */
export async function createUser(
  trx: Knex,
  { id, email, name, passwordHash, sponsorId }: NewUser,
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
    sponsor_id: sponsorId ?? null,
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
  await trx('invitations').where({ user_id: userId }).delete();
  await trx('invitations').insert({ code_hash: codeHash(code), user_id: userId, expires_at: linkEnd() });
  return code;
}

/** The code goes after the #, so it never reaches a server log or a referrer. */
export const linkOf = (publicUrl: string, code: string): string => `${publicUrl}/console/setup#${code}`;
