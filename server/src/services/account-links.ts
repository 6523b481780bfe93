import type { Knex } from 'knex';
import { IdentityRow, UserRow } from '../db/models';
import { clock } from '../domain/clock';
import { afterTokens, codeHash } from './accounts';
import { revokeKeysOf } from './api-keys';
import { noLink } from './invitations';
import { proveAddress } from './prove-address';

interface LinkRow {
  user_id: number | null;
  expires_at: Date;
}

/** The operator's valid link with this code; links that members once created no longer work. */
const working = (db: Knex, code: string) =>
  db('invitations')
    .where({ code_hash: codeHash(code), made_by: null })
    .andWhere('expires_at', '>', clock.date());

/** The user of an operator's link; without one it creates the first owner. */
export async function findAccountLink(
  db: Knex,
  code: string,
): Promise<{ user: UserRow | undefined; expires_at: Date } | undefined> {
  const link = await working(db, code).first<LinkRow>('user_id', 'expires_at');
  if (link === undefined) return undefined;
  if (link.user_id === null) return { user: undefined, expires_at: link.expires_at };
  const user = await UserRow.query(db).findOne({ id: link.user_id, disabled_at: null });
  return user && { user, expires_at: link.expires_at };
}

/** Uses up a link of the operator, and returns its user. Throws 404. */
export async function takeAccountLink(trx: Knex, code: string): Promise<number | null> {
  const [link] = await working(trx, code).delete().returning<LinkRow[]>('user_id');
  if (link === undefined) throw noLink();
  return link.user_id;
}

/** The account of a link gets a password, and its tokens, API keys and linked provider accounts end. Throws 404. */
export async function choosePassword(
  trx: Knex,
  code: string,
  { name, passwordHash }: { name: string | undefined; passwordHash: string },
): Promise<UserRow> {
  // Lock the account before its link, as the code that creates a new link does, to avoid a deadlock.
  await trx('users').whereIn('id', working(trx, code).select('user_id')).select('id').forNoKeyUpdate();
  const user = await UserRow.query(trx).findOne({ id: await takeAccountLink(trx, code), disabled_at: null });
  if (user === undefined) throw noLink();
  // Whoever had the account before may have made them.
  await revokeKeysOf(trx, user.id);
  await trx('mailed_links').where({ user_id: user.id }).delete();
  await IdentityRow.query(trx).delete().where({ user_id: user.id, made_by: 'link' });
  return user.$query(trx).patchAndFetch({
    // The operator gave the link to the person whose address it is, with mail or without.
    ...(await proveAddress(trx, user)),
    password_hash: passwordHash,
    tokens_valid_from: afterTokens(user),
    ...(name === undefined ? {} : { name }),
  });
}
