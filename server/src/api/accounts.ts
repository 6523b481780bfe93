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

/** A one-time link to choose a password: for an account, or for the first owner when there is none. Older links of the same end. */
export async function createLink(
  { publicUrl }: Pick<Context, 'publicUrl'>,
  trx: Knex,
  userId: number | null,
): Promise<string> {
  const code = newCode();
  await trx('invitations').where({ user_id: userId }).delete();
  await trx('invitations').insert({
    code_hash: codeHash(code),
    user_id: userId,
    expires_at: new Date(Date.now() + LINK_LIFETIME),
  });
  // Behind the #, so that the code reaches no server log and no referrer.
  return `${publicUrl()}/console/setup#${code}`;
}
