import type { Knex } from 'knex';
import type { Context } from '../../context';
import { lockMemberships } from '../../db/member-lock';
import { changesOf } from '../../domain/audit';
import { ApiError, forbidden } from '../../domain/errors';
import { afterTokens } from '../accounts';
import type { Audit, Receipt } from '../audit';
import { noteRefusal } from '../refused-logins';
import type { SessionAnswer } from '../sessions';
import {
  type Account,
  accountOf,
  isBelieved,
  mayStay,
  notItsAddress,
  notLetIn,
  unprovenAddress,
  withProvenAddress,
} from './accounts';
import { beginAtProvider, type Client } from './begin-session';
import { type Proof, usedUp } from './prove';
import { grantedBy, setRoles } from './roles';

/** What came of it is committed, whether or not somebody got in: a lost role is lost all the same. */
type Outcome =
  | { session: SessionAnswer; receipt: Receipt }
  | { refusal: ApiError; userId: number; isRefused: boolean };

/** Logs somebody in whom a provider has proved, with the roles that their groups give now. Throws 401, 403 and 409. */
export async function enter(
  context: Context,
  proof: Proof,
  { address, client }: { address: string; client: Client },
  audit: Audit,
) {
  const outcome = await context.turns.take(undefined, address, () =>
    context.db.transaction((trx) => enterIn(context, trx, proof, client, audit)),
  );
  if ('session' in outcome) return outcome.receipt.with(outcome.session);
  if (outcome.isRefused) noteRefusal(context, audit, outcome.userId);
  throw outcome.refusal;
}

async function enterIn(
  context: Context,
  trx: Knex.Transaction,
  proof: Proof,
  client: Client,
  audit: Audit,
): Promise<Outcome> {
  const { person, state } = proof;
  const { provider } = proof.client;
  await spend(trx, state);
  const granted = grantedBy(provider, person.groups);
  const account = await accountOf(trx, provider, person, granted.isLetIn);
  const userId = account.user.id;
  if (account.user.disabled_at !== null) return { userId, isRefused: true, refusal: disabled() };
  if (!isBelieved(provider, account)) return { userId, isRefused: true, refusal: notItsAddress(provider) };
  const user = await withProvenAddress(context, trx, provider, person, account.user, granted.isLetIn);
  if (user === undefined)
    return { userId, isRefused: true, refusal: unprovenAddress(provider, account.user) };
  const changed = await setRoles(trx, { userId, provider: provider.id }, granted.roles, audit, 'stays');
  const isIn = granted.isLetIn || (await mayStay(trx, account));
  const outcome = isIn
    ? await begin(context, trx, { ...account, user }, proof, client, audit)
    : { userId, isRefused: true, refusal: notLetIn(provider) };
  // What they had before ends too.
  if (!isIn) await user.$query(trx).patch({ tokens_valid_from: afterTokens(user) });
  for (const id of changed) await lockMemberships(trx, id, 'change');
  return outcome;
}

async function begin(
  context: Context,
  trx: Knex.Transaction,
  { user }: Account,
  proof: Proof,
  client: Client,
  audit: Audit,
): Promise<Outcome> {
  try {
    const session = await beginAtProvider(context, trx, user, proof, client);
    return { session, receipt: await audit.write(trx, noteOf(user.id, proof.client.provider.id)) };
  } catch (error) {
    // A second step follows; it is no refusal yet.
    if (error instanceof ApiError) return { refusal: error, userId: user.id, isRefused: false };
    throw error;
  }
}

const disabled = () => forbidden('This account is disabled: ask whoever runs this server.');

/** In the trail of the account, whatever was noted of sites before. */
const noteOf = (userId: number, provider: string) => ({
  ...{ userId, environmentId: null, about: undefined },
  changes: changesOf({}, { logged_in_by: provider }),
});

/** Of several that come back with one state, one gets in. */
async function spend(trx: Knex, state: Proof['state']): Promise<void> {
  if (!(await isFirst(trx, state))) throw usedUp();
}

/** Uses a state up; false: it was used before. */
export async function isFirst(trx: Knex, { hash, until }: Proof['state']): Promise<boolean> {
  const rows = await trx('used_states')
    .insert({ hash, expires_at: until })
    .onConflict('hash')
    .ignore()
    .returning('hash');
  return rows.length > 0;
}
