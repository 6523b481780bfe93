import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import type { Context } from '../context';
import { PasskeyRow } from '../db/models';
import { clock } from '../domain/clock';
import { conflict } from '../domain/errors';
import { type Assertion, checkAssertion, type RelyingParty, relyingPartyOf } from '../security/passkeys';

/** Passkeys that an account has at most. */
export const MOST_PASSKEYS = 20;

type Server = Pick<Context, 'publicUrl' | 'config'>;

/** Undefined where browsers allow no passkeys for this server. */
export const relyingParty = ({ publicUrl, config }: Server): RelyingParty | undefined =>
  relyingPartyOf(publicUrl(), config.consoleOrigins);

/** Throws 409 where browsers allow no passkeys for this server. */
export function demandRelyingParty(context: Server): RelyingParty {
  const party = relyingParty(context);
  if (party !== undefined) return party;
  throw conflict(
    "This server's address allows no passkeys: its operator must set PUBLIC_URL to an https address with a host name.",
  );
}

/** The credentials of an account, as an authenticator is asked for them. */
export async function allowedOf(db: Knex, user_id: number) {
  const rows = await PasskeyRow.query(db).where({ user_id }).orderBy('created_at').limit(MOST_PASSKEYS);
  return rows.map(({ credential_id, transports }) => ({ credential_id, transports }));
}

/** The handle by which authenticators know an account: the same for all of its passkeys. */
export async function userHandle(db: Knex, user_id: number): Promise<string> {
  const present = await PasskeyRow.query(db).findOne({ user_id });
  return present?.user_handle ?? randomBytes(32).toString('base64url');
}

/**
 * Whose passkey has signed a challenge; undefined for a wrong or unknown one. Notes its use. The row is locked, so that
 * of two copies with the same count only one is taken.
 */
export async function provePasskey(
  context: Server,
  trx: Knex,
  assertion: Assertion,
  wanted: { nonce: string; verified: boolean; userId?: number | undefined },
): Promise<PasskeyRow | undefined> {
  const party = demandRelyingParty(context);
  const { credential_id } = assertion;
  const passkey = await PasskeyRow.query(trx).findOne({ credential_id }).forUpdate();
  if (passkey === undefined || (wanted.userId ?? passkey.user_id) !== passkey.user_id) return undefined;
  const counter = await checkAssertion(party, passkey, assertion, wanted);
  if (counter === undefined) return undefined;
  const used_on = clock.date().toISOString().slice(0, 10);
  await passkey.$query(trx).patch({ counter: String(counter), used_on });
  return passkey;
}
