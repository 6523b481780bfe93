import type { Knex } from 'knex';
import type { Context } from '../../context';
import { IdentityRow, type UserRow } from '../../db/models';
import { clock } from '../../domain/clock';
import { conflict } from '../../domain/errors';
import { MINUTE_MS } from '../../domain/time';
import type { Claims } from '../../security/tokens';
import { addIdentity } from './accounts';
import type { Person } from './claims';
import { isFirst } from './enter';
import { demandOwnProof } from './own-proof';
import { clientOf, type Proof } from './prove';
import { openSealed, sealFor } from './sealed';

/** How long a person may look at what is to be linked, in milliseconds. */
const LIFETIME = 10 * MINUTE_MS;
/** Distinguishes it from a state, which is sealed for the same purpose. */
const KIND = 'provider account to link';
/** Provider accounts of one account. */
const MAX_IDENTITIES = 10;

/** What a provider has proved, until its person agrees to link it: it travels sealed, so that nothing is stored. */
interface Proved {
  kind: typeof KIND;
  userId: number;
  provider: string;
  person: Pick<Person, 'issuer' | 'subject'> & { email?: string };
  /** The hash of the flow's state, in base64url. */
  state: string;
  /** In milliseconds since 1970. */
  until: number;
}

export function sealLink(
  { vault }: Pick<Context, 'vault'>,
  { client, person, state }: Proof,
  userId: number,
) {
  const { issuer, subject, email } = person;
  const proved: Proved = {
    ...{ kind: KIND, userId, provider: client.provider.id },
    ...{ person: { issuer, subject, ...(email !== undefined && { email }) } },
    ...{ state: state.hash.toString('base64url'), until: clock.now() + LIFETIME },
  };
  return { link: sealFor(vault, proved), expires_at: new Date(proved.until).toISOString() };
}

/** Throws 409. */
function openLink({ vault }: Pick<Context, 'vault'>, link: string, userId: number): Proved {
  const proved = openSealed<Proved>(vault, Buffer.from(link, 'base64url'), KIND);
  if (proved?.userId !== userId || proved.until < clock.now()) throw spent();
  return proved;
}

const spent = () =>
  conflict('This link has expired, was used, or is for another account here: begin to link again.');

/** Links what was proved to the account, which the caller has locked. Throws 403, 404 and 409. */
export async function linkTo(context: Context, trx: Knex, user: UserRow, session: Claims, link: string) {
  await demandOwnProof(trx, session);
  const { provider: id, person, state, until } = openLink(context, link, user.id);
  const { provider } = clientOf(context, id);
  const { issuer, subject } = person;
  if (!(await isFirst(trx, { hash: Buffer.from(state, 'base64url'), until: new Date(until) }))) throw spent();
  await trx.raw('SELECT pg_advisory_xact_lock(hashtext(?))', [`identity ${issuer} ${subject}`]);
  const taken = await IdentityRow.query(trx).findOne({ issuer, subject });
  if (taken?.user_id === user.id) throw conflict('This provider account is linked to yours already.');
  if (taken !== undefined)
    throw conflict(
      'This provider account belongs to another account here: log in with it there, and unlink it first.',
    );
  if ((await IdentityRow.query(trx).where({ user_id: user.id }).resultSize()) >= MAX_IDENTITIES)
    throw conflict(`An account has at most ${MAX_IDENTITIES} provider accounts: unlink one first.`);
  return { provider, identity: await addIdentity(trx, user, provider, person, 'link') };
}
