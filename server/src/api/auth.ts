import type { Knex } from 'knex';
import type { Context } from '../context';
import { findGroup, groupOfAddress } from '../db/account-groups';
import { findAccount } from '../db/find-account';
import { EnvironmentRow, type InvitationRow, MemberRow, UserRow } from '../db/models';
import { retried } from '../db/retried';
import { changesOf } from '../domain/audit';
import { clock } from '../domain/clock';
import { ApiError, conflict, unauthorized, ValidationError } from '../domain/errors';
import { HeldRefusals } from '../security/held-refusals';
import { LoginLimit } from '../security/login-limit';
import { entering, fromAddress, inTurn, known, looking, stranger } from '../security/login-turns';
import { checkPassword, hashPassword } from '../security/password';
import { choosePassword, findAccountLink, takeAccountLink } from '../services/account-links';
import { afterTokens, createUser, type NewUser } from '../services/accounts';
import type { Audit } from '../services/audit';
import {
  type Accepted,
  acceptAs,
  acceptAsNew,
  findInvitation,
  isTaken,
  noLink,
} from '../services/invitations';
import { tellOfChange } from '../services/mailed-links';
import { demandOwnLogins, refuseCommon } from '../services/passwords';
import { noteRefusal } from '../services/refused-logins';
import {
  beginSession,
  endToken,
  isRecent,
  lockCaller,
  reauthenticationRequired,
  renewing,
  untilProvider,
} from '../services/sessions';
import { endProviderSession } from '../services/sign-on/logout';
import type { Always, Handler } from './handler';

const refusals = new HeldRefusals();

export const login: Handler<'login'> = async (context, { body, address, client, audit }) => {
  demandOwnLogins(context);
  const came = performance.now();
  const limit = new LoginLimit(context, body.email, address);
  try {
    return await logIn(context, limit, body, { address, client }, audit);
  } catch (error) {
    if (isSecondStep(error)) await limit.uncount();
    if (limit.crowded === undefined || !(error instanceof ApiError) || isSecondStep(error)) throw error;
    // All alike, and after the same time: strangers are refused without a look at their password.
    await refusals.wait(fromAddress(address), came);
    throw limit.crowded;
  }
};

async function logIn(
  context: Context,
  limit: LoginLimit,
  body: { email: string; password: string },
  { address, client }: Pick<Always, 'address' | 'client'>,
  audit: Audit,
) {
  const isKnown = await inTurn(looking(address), () => limit.look());
  const groupNow = () => inTurn(looking(address), () => groupOfAddress(context.db, body.email));
  const user = await (isKnown
    ? inTurn(known(await groupNow(), body.email), async () => {
        await limit.take();
        return userOf(context, body, audit);
      })
    : inTurn(stranger(address), async () => {
        await context.turns.take(undefined, address, () => limit.take());
        return userOf(context, body, audit);
      }));
  const answer = user && (await inTurn(entering(address), () => sessionOf(context, user, client, audit)));
  if (answer === undefined) throw unauthorized('The e-mail address or the password is wrong: check both.');
  await limit.forgive();
  return answer;
}

/** Whose address and password these are. */
async function userOf(
  context: Context,
  { email, password }: { email: string; password: string },
  audit: Audit,
) {
  const user = await findAccount(context.db, email).where({ disabled_at: null });
  if (await checkPassword(user?.password_hash, password)) return user;
  if (user !== undefined) noteRefusal(context, audit, user.id);
  return undefined;
}

const isSecondStep = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'second_factor_required';

/** The account, locked, unless it was disabled or its password changed since it was checked or chosen. */
const lockAccount = (trx: Knex, { id, password_hash }: UserRow) =>
  UserRow.query(trx).findOne({ id, password_hash, disabled_at: null }).forNoKeyUpdate();

/** Starts a session of an account whose password was checked. */
async function sessionOf(context: Context, checked: UserRow, client: Always['client'], audit: Audit) {
  return context.db.transaction(async (trx) => {
    const user = await lockAccount(trx, checked);
    if (user === undefined) return undefined;
    const receipt = await audit.write(trx, { userId: user.id });
    return receipt.with(await beginSession(context, trx, { user, how: 'password', client }));
  });
}

export const lookAtInvitation: Handler<'lookAtInvitation'> = async ({ db }, { body }) => {
  const invitation = await findInvitation(db, body.code);
  if (invitation !== undefined) return siteFacts(db, invitation);
  const link = await findAccountLink(db, body.code);
  if (link === undefined) throw noLink();
  const { user, expires_at } = link;
  return {
    purpose: user === undefined ? ('first_owner' as const) : ('account' as const),
    email: user?.email ?? null,
    has_account: user?.password_hash != null,
    expires_at: expires_at.toISOString(),
  };
};

async function siteFacts(db: Knex, { environment_id, email, role, expires_at }: InvitationRow) {
  const { name } = await EnvironmentRow.query(db).findById(environment_id).throwIfNotFound();
  return {
    purpose: 'site' as const,
    email,
    has_account: await isTaken(db, email),
    site: { name, role },
    expires_at: expires_at.toISOString(),
  };
}

export const acceptInvitation: Handler<'acceptInvitation'> = async (
  context,
  { body, address, client, audit },
) => {
  const { db } = context;
  const { code, password, name } = body;
  const { invitation, link, group, maker } = await inTurn(looking(address), () => findLink(db, code));
  if (invitation !== undefined) demandOwnLogins(context);
  const email = invitation?.email ?? link?.user?.email ?? body.email;
  if (email === undefined)
    throw ValidationError.of('body.email', 'is required for the set-up link', 'required');
  refuseCommon('body.password', password, email, name);
  // With its turn, since those of one group wait for each other, and each holds a connection.
  const { user, receipt } = await inTurn(
    known(group, maker === undefined ? email : `links of ${maker}`),
    async () => {
      const passwordHash = await hashPassword(password);
      const acceptLink = async (trx: Knex.Transaction): Promise<Accepted> => {
        if (invitation !== undefined) return acceptAsNew(context, trx, code, { name, passwordHash });
        if (link?.user !== undefined)
          return { user: await choosePassword(trx, code, { name, passwordHash }) };
        return { user: await makeFirstOwner(trx, code, { email, name: name ?? email, passwordHash }) };
      };
      const accept = async (trx: Knex.Transaction) => {
        const made = await acceptLink(trx);
        // A run that was undone leaves no note in the event of the next.
        const receipt = await audit.another().write(trx, enteringNote(made.user.id, made.entered));
        return { user: made.user, receipt };
      };
      return retried(() => db.transaction(accept));
    },
  );
  await new LoginLimit(context, user.email, address).forgive();
  // The password is chosen, whether or not a second factor is wanted now.
  return inTurn(entering(address), () =>
    db.transaction(async (trx) => {
      const present = await lockAccount(trx, user);
      if (present === undefined) throw unauthorized('The account was changed meanwhile: log in.');
      return receipt.with(await beginSession(context, trx, { user: present, how: 'link', client }));
    }),
  );
};

/** Who enters a site is told in its trail; an account that enters none yet, or a chosen password, in that of the account. */
const enteringNote = (userId: number, entered?: Pick<MemberRow, 'environment_id' | 'role'>) =>
  entered === undefined
    ? { userId }
    : {
        ...{ userId, environmentId: entered.environment_id },
        about: { resource: 'member' as const, resource_id: String(userId) },
        changes: changesOf({}, { role: entered.role }),
      };

/** What the code of a link opens, before a password is hashed, which is expensive by design. Throws 404. */
async function findLink(db: Knex, code: string) {
  const invitation = await findInvitation(db, code);
  const link = invitation === undefined ? await findAccountLink(db, code) : undefined;
  if (invitation === undefined && link === undefined) throw noLink();
  // Whoever makes a thousand links takes one turn with them, in the group too.
  const maker = invitation?.made_by ?? link?.user?.id;
  return { invitation, link, maker, group: maker === undefined ? undefined : await findGroup(db, maker) };
}

async function makeFirstOwner(trx: Knex, code: string, person: NewUser): Promise<UserRow> {
  // Only one of two browsers with the same link can delete its row.
  await takeAccountLink(trx, code);
  if ((await UserRow.query(trx).resultSize()) > 0)
    throw conflict('This server has an owner already: log in, or ask for an invitation.');
  // Whoever has the server's own link speaks for its operator.
  const owner = await createUser(trx, { ...person, isVerified: true });
  await adoptDemo(trx, owner.id);
  return owner;
}

export const joinEnvironment: Handler<'joinEnvironment'> = async (context, { body, caller, trx, audit }) => {
  const { environment_id, role, added_at } = await acceptAs(context, trx, body.code, caller);
  audit.note(enteringNote(caller.userId, { environment_id, role }));
  const { token, name } = await EnvironmentRow.query(trx).findById(environment_id).throwIfNotFound();
  return { token, name, role, added_at: added_at.toISOString() };
};

/** The first owner gets the demo site. */
async function adoptDemo(trx: Knex, userId: number): Promise<void> {
  const demos = await EnvironmentRow.query(trx).where({ demo: true });
  for (const { id } of demos) {
    await MemberRow.query(trx).insert({
      environment_id: id,
      user_id: userId,
      role: 'owner',
      added_at: clock.date(),
    });
  }
}

export const getMe: Handler<'getMe'> = async ({ db }, { caller }) => {
  const { email_verified_at } = await UserRow.query(db).findById(caller.userId).throwIfNotFound();
  return {
    ...{ id: caller.userId, name: caller.name, email: caller.email },
    email_verified: email_verified_at !== null,
    created_at: caller.createdAt.toISOString(),
  };
};

export const changePassword: Handler<'changePassword'> = async (
  context,
  { body, caller, address, client, audit },
) => {
  // The password alone is half of who somebody with a second factor is.
  if (caller.hasSecondFactor && !isRecent(caller.session)) throw reauthenticationRequired();
  const limit = new LoginLimit(context, caller.email, address);
  await limit.take();
  refuseCommon('body.new_password', body.new_password, caller.email, caller.name);
  // Before the transaction: a connection must not wait for a turn to hash.
  const turn = known(caller.group, caller.email);
  const passwordHash = await inTurn(turn, () => hashPassword(body.new_password));
  const { password_hash } = await UserRow.query(context.db).findById(caller.userId).throwIfNotFound();
  const fits = await inTurn(turn, () => checkPassword(password_hash, body.current_password));
  const answer = await context.db.transaction(async (trx) => {
    // The session may have ended meanwhile, and it must not begin anew.
    const user = await lockCaller(trx, caller.session);
    // Somebody else may have changed it meanwhile.
    if (!fits || user.password_hash !== password_hash) return undefined;
    const tokens_valid_from = afterTokens(user);
    const patched = await user.$query(trx).patchAndFetch({ password_hash: passwordHash, tokens_valid_from });
    const receipt = await audit.write(trx);
    await tellOfChange(context, trx, user, 'Your password was changed');
    const { secondFactor, tokenHash: replaces } = caller.session;
    // A password alone proves nobody anew who has a second factor: else it could keep a session recent for ever.
    const facts = secondFactor
      ? await renewing(trx, caller.session, client)
      : { secondFactor, replaces, ...untilProvider(context, caller.session) };
    return receipt.with(
      await beginSession(context, trx, { user: patched, how: 'password', client, ...facts }),
    );
  });
  if (answer === undefined) {
    throw ValidationError.of('body.current_password', 'is not your present password', 'wrong_password');
  }
  await limit.forgive();
  return answer;
};

export const logout: Handler<'logout'> = async ({ vault }, { caller, trx }) => {
  const url = await endProviderSession(trx, vault, caller.session.tokenHash);
  await endToken(trx, caller.session);
  return {
    logged_out_at: clock.date().toISOString(),
    ...(url !== undefined && { provider_logout_url: url }),
  };
};

export const revokeTokens: Handler<'revokeTokens'> = async (_context, { caller, trx }) => {
  const user = await UserRow.query(trx).findById(caller.userId).forNoKeyUpdate().throwIfNotFound();
  const tokens_valid_from = afterTokens(user);
  await user.$query(trx).patch({ tokens_valid_from });
  return { revoked_before: tokens_valid_from.toISOString() };
};
