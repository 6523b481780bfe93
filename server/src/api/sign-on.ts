import type { Context } from '../context';
import { lockMemberships } from '../db/member-lock';
import { IdentityRow, UserRow } from '../db/models';
import { changesOf } from '../domain/audit';
import { conflict, notFound } from '../domain/errors';
import { LoginLimit } from '../security/login-limit';
import { tellOfChange } from '../services/mailed-links';
import { lockCaller } from '../services/sessions';
import { enter } from '../services/sign-on/enter';
import { linkTo, sealLink } from '../services/sign-on/link';
import { endOthersOf, endSessionsOf, readLogoutToken } from '../services/sign-on/logout';
import { demandOwnProof } from '../services/sign-on/own-proof';
import { beginAt, prove } from '../services/sign-on/prove';
import { setRoles } from '../services/sign-on/roles';
import { siteSignOn } from '../services/sign-on/view';
import { type Handler, inOwnTurn } from './handler';

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

export const beginLink: Handler<'beginLink'> = async (context, { body, caller }) => {
  await inOwnTurn(context, caller, () => demandOwnProof(context.db, caller.session));
  return beginAt(context, { ...body, userId: caller.userId });
};

export const proveLink: Handler<'proveLink'> = async (context, { body, address, caller }) => {
  const { userId, name, email } = caller;
  const proof = await prove(context, body, address, userId);
  const { provider } = proof.client;
  return {
    ...sealLink(context, proof, userId),
    ...{ provider: provider.id, name: provider.name, email: proof.person.email ?? null },
    user: { id: userId, name, email },
  };
};

export const finishLink: Handler<'finishLink'> = async (context, { body, caller, trx, audit }) => {
  const user = await lockCaller(trx, caller.session);
  const { provider, identity } = await linkTo(context, trx, user, caller.session, body.link);
  const what = `An account at ${provider.name} was linked to yours, and can log in to it`;
  await tellOfChange(context, trx, user, what, { endsSessions: false });
  audit.note({ changes: changesOf({}, { linked_to: provider.id }) });
  return identityView(context, identity);
};

export const unlinkIdentity: Handler<'unlinkIdentity'> = async (context, { params, caller, trx, audit }) => {
  const user = await UserRow.query(trx).findById(caller.userId).forNoKeyUpdate().throwIfNotFound();
  await demandOwnProof(trx, caller.session);
  const own = await IdentityRow.query(trx).where({ user_id: user.id });
  const identity = own.find(({ identity_id }) => identity_id === params.identity_id.toLowerCase());
  if (identity === undefined) throw notFound('This provider account');
  const others = own.filter((one) => one !== identity);
  const hasPassword = user.password_hash !== null && context.config.passwordLogin;
  if (!hasPassword && !others.some(({ provider }) => context.providers.has(provider)))
    throw conflict('This is your only way to log in: link another provider account first.');
  const { provider } = identity;
  await identity.$query(trx).delete();
  await endOthersOf(trx, identity, caller.session);
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
