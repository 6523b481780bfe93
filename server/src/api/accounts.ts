import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Context } from '../context';
import { UserRow } from '../db/models';
import { newCode } from '../domain/ids';

/** An invitation or set-up link works for 7 days, in milliseconds. */
const LINK_LIFETIME = 7 * 24 * 3600 * 1000;

export const emailKey = (email: string): string => email.toLowerCase();
export const codeHash = (code: string): Buffer => createHash('sha256').update(code).digest();

interface NewUser {
  email: string;
  name: string;
  passwordHash: string | null;
}

/** Makes an account; without a password it waits for its invitation to be accepted. */
export async function createUser(trx: Knex, { email, name, passwordHash }: NewUser): Promise<UserRow> {
  const now = new Date();
  return UserRow.query(trx).insertAndFetch({
    email,
    email_key: emailKey(email),
    name,
    password_hash: passwordHash,
    tokens_valid_from: now,
    created_at: now,
  });
}

/** Whom a link lets in, and who made it. */
interface NewLink {
  /** Null: the first owner, who has no account yet. */
  userId: number | null;
  /** Null: the operator of the server. */
  madeBy: number | null;
}

/** A one-time link to choose a password. Older links of the same end. */
export const createLink = async (
  { publicUrl }: Pick<Context, 'publicUrl'>,
  trx: Knex,
  link: NewLink,
): Promise<string> => linkOf(publicUrl(), await createCode(trx, link));

/** The code of such a link, for where the server's address is not known yet. */
export async function createCode(trx: Knex, { userId, madeBy }: NewLink): Promise<string> {
  const code = newCode();
  await trx('invitations').where({ user_id: userId }).delete();
  await trx('invitations').insert({
    code_hash: codeHash(code),
    user_id: userId,
    made_by: madeBy,
    expires_at: new Date(Date.now() + LINK_LIFETIME),
  });
  return code;
}

/** Behind the #, so that the code reaches no server log and no referrer. */
export const linkOf = (publicUrl: string, code: string): string => `${publicUrl}/console/setup#${code}`;
