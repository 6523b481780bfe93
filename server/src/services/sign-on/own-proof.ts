import type { Knex } from 'knex';
import { IdentityRow, ProviderSessionRow, UserRow } from '../../db/models';
import type { Claims } from '../../security/tokens';
import { reauthenticationRequired } from '../sessions';

/**
 * Throws 403 unless the session proves the account itself: by its password or passkey, if it has one, by the operator's
 * link, or by a code beside a linked provider. A log-in at a provider would not: a stranger may have linked it, and led the caller into the stranger's account.
 */
export async function demandOwnProof(db: Knex, session: Claims): Promise<void> {
  const { userId, begunBy, ownProof } = session;
  if (ownProof || begunBy === 'password' || begunBy === 'passkey' || begunBy === 'link') return;
  const passkey = await db('passkeys').where({ user_id: userId }).first('user_id');
  if (passkey !== undefined || (await hasPassword(db, userId))) throw reauthenticationRequired(OWN);
  if (!(await isOfLinked(db, session))) throw reauthenticationRequired(LINKED);
}

/**
 * Whether what proves the account in this session, without the password, must be a passkey that has checked its person.
 * Not where the account has no password and the session is of a linked provider: that log-in is one proof, and to have
 * the key, or a code, is the other.
 */
export async function mustCheckPerson(db: Knex, session: Claims): Promise<boolean> {
  return (await hasPassword(db, session.userId)) || !(await isOfLinked(db, session));
}

async function hasPassword(db: Knex, userId: number): Promise<boolean> {
  const { password_hash } = await UserRow.query(db).findById(userId).throwIfNotFound();
  return password_hash !== null;
}

/** Whether the session began at a provider, as somebody who is linked to its account still. */
async function isOfLinked(db: Knex, { userId, tokenHash }: Claims): Promise<boolean> {
  const at = await ProviderSessionRow.query(db).findById(tokenHash);
  if (at === undefined) return false;
  const { issuer, subject } = at;
  return (await IdentityRow.query(db).findOne({ user_id: userId, issuer, subject })) !== undefined;
}

const OWN =
  'This needs a log-in of the last 15 minutes with the password or a passkey of this account, not at a provider: prove who you are with reauthenticate, and repeat it with the new token. Whoever has forgotten the password chooses a new one by mail, if this server sends any and takes passwords, and logs in with it. An account without a password takes a recovery code or a code of its app alone, in the session of a linked provider. Else, and without the passkey, whoever runs the server gives a one-time link (npm run owner -- reset): log in with it, and repeat this within 15 minutes.';
const LINKED =
  'This needs a log-in of the last 15 minutes at a provider that is linked to this account: log in there, and repeat it with the new token.';
