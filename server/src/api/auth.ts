import type { operations } from '../../../spec/generated/api';
import type { Context } from '../context';
import { EnvironmentRow, MemberRow, UserRow } from '../db/models';
import { checkPassword, hashPassword } from '../domain/password';
import { conflict, notFound, unauthorized, ValidationError } from '../errors';
import { codeHash, createUser, emailKey } from './accounts';
import type { Handler } from './handler';
import { LoginLimit } from './login-limit';

async function session({ tokens }: Context, { id, name, email }: UserRow, now = new Date()) {
  const { token, expiresAt } = await tokens.issue(id, now);
  return { token, expires_at: expiresAt.toISOString(), user: { id, name, email } };
}

export const login: Handler<operations['login']> = async (context, { body, address }) => {
  const limit = new LoginLimit(context, body.email, address);
  await limit.take();
  const user = await UserRow.query(context.db).findOne({ email_key: emailKey(body.email) });
  const fits = await checkPassword(user?.password_hash, body.password);
  const answer = fits && user !== undefined ? await sessionOf(context, user) : undefined;
  if (answer === undefined) throw unauthorized('The e-mail address or the password is wrong: check both.');
  await limit.forgive();
  return answer;
};

/** A session, unless the password was changed since it was checked: the lock keeps a token from being issued after such a change. */
async function sessionOf(context: Context, { id, password_hash }: UserRow) {
  return context.db.transaction(async (trx) => {
    const user = await UserRow.query(trx).findOne({ id, password_hash }).forShare();
    return user && session(context, user);
  });
}

export const acceptInvitation: Handler<operations['acceptInvitation']> = async (context, { body }) => {
  const passwordHash = await hashPassword(body.password);
  const user = await context.db.transaction(async (trx) => {
    const theLink = { code_hash: codeHash(body.code) };
    // The account before its link, in the order of those who make a new link: no deadlock.
    await trx('users')
      .whereIn('id', trx('invitations').where(theLink).select('user_id'))
      .select('id')
      .forNoKeyUpdate();
    const [link] = await trx('invitations')
      .where(theLink)
      .andWhere('expires_at', '>', new Date())
      .delete()
      .returning<{ user_id: number | null }[]>('user_id');
    if (link === undefined)
      throw notFound('This link was used, has expired, or is mistyped: ask for a new one. It');
    if (link.user_id !== null) {
      return UserRow.query(trx).patchAndFetchById(link.user_id, {
        password_hash: passwordHash,
        tokens_valid_from: new Date(),
        ...(body.name === undefined ? {} : { name: body.name }),
      });
    }
    if (body.email === undefined)
      throw ValidationError.of('body.email', 'is required for the set-up link', 'required');
    // Two browsers with one link cannot both be first: the link's row was theirs to delete once.
    if ((await UserRow.query(trx).resultSize()) > 0)
      throw conflict('This server has an owner already: log in, or ask for an invitation.');
    const owner = await createUser(trx, { email: body.email, name: body.name ?? body.email, passwordHash });
    await adoptDemo(trx, owner.id);
    return owner;
  });
  return session(context, user);
};

/** The first owner gets the demo site. */
async function adoptDemo(trx: Parameters<typeof createUser>[0], userId: number): Promise<void> {
  const demos = await EnvironmentRow.query(trx).where({ demo: true });
  for (const { id } of demos) {
    await MemberRow.query(trx).insert({
      environment_id: id,
      user_id: userId,
      role: 'owner',
      added_at: new Date(),
    });
  }
}

export const getMe: Handler<operations['getMe']> = async (_context, { caller }) => ({
  id: caller.userId,
  name: caller.name,
  email: caller.email,
  created_at: caller.createdAt.toISOString(),
});

export const changePassword: Handler<operations['changePassword']> = async (
  context,
  { body, caller, address },
) => {
  const limit = new LoginLimit(context, caller.email, address);
  await limit.take();
  const passwordHash = await hashPassword(body.new_password);
  const answer = await context.db.transaction(async (trx) => {
    const user = await UserRow.query(trx).findById(caller.userId).forNoKeyUpdate().throwIfNotFound();
    if (!(await checkPassword(user.password_hash, body.current_password))) return undefined;
    const now = afterNow();
    return session(
      context,
      await user.$query(trx).patchAndFetch({ password_hash: passwordHash, tokens_valid_from: now }),
      now,
    );
  });
  if (answer === undefined) {
    throw ValidationError.of('body.current_password', 'is not your present password', 'wrong_password');
  }
  await limit.forgive();
  return answer;
};

/** The next millisecond: a token issued in this one is older than what ends it. */
const afterNow = (): Date => new Date(Date.now() + 1);

export const revokeTokens: Handler<operations['revokeTokens']> = async (_context, { caller, trx }) => {
  const instant = afterNow();
  await UserRow.query(trx).findById(caller.userId).patch({ tokens_valid_from: instant });
  return { revoked_before: instant.toISOString() };
};
