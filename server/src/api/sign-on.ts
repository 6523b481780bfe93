import type { Knex } from 'knex';
import type { Context } from '../context';
import { lockMemberships } from '../db/member-lock';
import { IdentityRow, UserRow } from '../db/models';
import { changesOf } from '../domain/audit';
import { conflict, notFound } from '../domain/errors';
import { LoginLimit } from '../security/login-limit';
import { tellOfChange } from '../services/mailed-links';
import { lockCaller } from '../services/sessions';
import { addIdentity } from '../services/sign-on/accounts';
import { enter, spend } from '../services/sign-on/enter';
import { endSessionsOf, readLogoutToken } from '../services/sign-on/logout';
import { beginAt, type Proof, prove } from '../services/sign-on/prove';
import { setRoles } from '../services/sign-on/roles';
import { siteSignOn } from '../services/sign-on/view';
import { type Caller, type Handler, inOwnTurn } from './handler';

/** Provider accounts of one account. */
const MAX_IDENTITIES = 10;

export const getLoginMethods: Handler<'getLoginMethods'> = async ({ config, providers, publicUrl }) => ({
  password: config.passwordLogin,
  public_url: publicUrl(),
  providers: [...providers.values()].map(({ provider: { id, name } }) => ({ provider: id, name })),
});

export const beginSignOn: Handler<'beginSignOn'> = (context, { body }) => beginAt(context, body);

export const finishSignOn: Handler<'finishSignOn'> = async (context, { body, address, client, audit }) => {
  const proof = await prove(context, body, address);
  const answer = await enter(context, proof, { address, client }, audit);
  await new LoginLimit(context, answer.data.user.email, address).forgive();
  return answer;
};

export const logoutByProvider: Handler<'logoutByProvider'> = async (
  context,
  { params, body, address, audit },
) => {
  const ended = await readLogoutToken(context, params.provider, body.logout_token, address);
  return context.turns.take(undefined, address, () =>
    context.db.transaction(async (trx) => {
      const { sessions, receipt } = await endSessionsOf(trx, ended, params.provider, audit);
      return receipt.with({ sessions });
    }),
  );
};

export const listIdentities: Handler<'listIdentities'> = async (context, { caller }) => {
  const rows = await IdentityRow.query(context.db).where({ user_id: caller.userId }).orderBy('linked_at');
  const { password_hash } = await UserRow.query(context.db).findById(caller.userId).throwIfNotFound();
  return { identities: rows.map((row) => identityView(context, row)), has_password: password_hash !== null };
};

export const beginLink: Handler<'beginLink'> = (context, { body, caller }) =>
  beginAt(context, { ...body, userId: caller.userId });

export const finishLink: Handler<'finishLink'> = async (context, { body, address, caller, audit }) => {
  const proof = await prove(context, body, address, caller.userId);
  return inOwnTurn(context, caller, () =>
    context.db.transaction(async (trx) => {
      const { identity, user } = await link(trx, proof, caller);
      const { provider } = identity;
      const what = `An account at ${proof.client.provider.name} was linked to yours, and can log in to it`;
      await tellOfChange(context, trx, user, what, { endsSessions: false });
      const receipt = await audit.write(trx, { changes: changesOf({}, { linked_to: provider }) });
      return receipt.with(identityView(context, identity));
    }),
  );
};

async function link(
  trx: Knex,
  { client, person, state }: Proof,
  caller: Caller,
): Promise<{ identity: IdentityRow; user: UserRow }> {
  // Its session may have ended while the person was at the provider.
  const user = await lockCaller(trx, caller.session);
  await spend(trx, state);
  const { issuer, subject } = person;
  await trx.raw('SELECT pg_advisory_xact_lock(hashtext(?))', [`identity ${issuer} ${subject}`]);
  const taken = await IdentityRow.query(trx).findOne({ issuer, subject });
  if (taken?.user_id === caller.userId) throw conflict('This provider account is linked to yours already.');
  if (taken !== undefined)
    throw conflict(
      'This provider account belongs to another account here: log in with it there, and unlink it first.',
    );
  if ((await IdentityRow.query(trx).where({ user_id: caller.userId }).resultSize()) >= MAX_IDENTITIES)
    throw conflict(`An account has at most ${MAX_IDENTITIES} provider accounts: unlink one first.`);
  return { user, identity: await addIdentity(trx, user, client.provider, person, 'link') };
}

export const unlinkIdentity: Handler<'unlinkIdentity'> = async (context, { params, caller, trx, audit }) => {
  const user = await UserRow.query(trx).findById(caller.userId).forNoKeyUpdate().throwIfNotFound();
  const own = await IdentityRow.query(trx).where({ user_id: user.id });
  const identity = own.find(({ identity_id }) => identity_id === params.identity_id.toLowerCase());
  if (identity === undefined) throw notFound('This provider account');
  const others = own.filter((one) => one !== identity);
  const hasPassword = user.password_hash !== null && context.config.passwordLogin;
  if (!hasPassword && !others.some(({ provider }) => context.providers.has(provider)))
    throw conflict('This is your only way to log in: link another provider account first.');
  const { provider } = identity;
  await identity.$query(trx).delete();
  const isElsewhere = others.some((one) => one.provider === provider);
  const giving = { userId: user.id, provider };
  const changed = isElsewhere ? [] : await setRoles(trx, giving, new Map(), audit, 'refuses');
  for (const id of changed) await lockMemberships(trx, id, 'change');
  audit.note({ environmentId: null, about: undefined, changes: changesOf({ linked_to: provider }, {}) });
  return { identity_id: identity.identity_id };
};

function identityView({ providers }: Context, row: IdentityRow) {
  const client = providers.get(row.provider);
  return {
    ...{ identity_id: row.identity_id, provider: row.provider, email: row.email },
    name: client?.provider.name ?? row.provider,
    works: client !== undefined,
    linked_at: row.linked_at.toISOString(),
    last_used_at: row.last_used_at.toISOString(),
  };
}

export const getSignOn: Handler<'getSignOn'> = async (context, { environment }) =>
  siteSignOn(context, environment.token);
