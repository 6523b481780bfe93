import type { Knex } from 'knex';
import type { Context } from '../context';
import { type BegunBy, LoginSessionRow, ProviderSessionRow, UserRow } from '../db/models';
import { clock } from '../domain/clock';
import { deviceOf } from '../domain/devices';
import { ApiError, unauthorized } from '../domain/errors';
import { HOUR_MS, MINUTE_MS } from '../domain/time';
import type { Client } from '../ingest/decision';
import { logFailure } from '../observability/failures';
import type { Claims, Issued, TokenFacts } from '../security/tokens';
import { noteDevice } from './devices';
import { demandSecondFactor } from './second-step';

/** Where a request came from, as far as its person is shown it. */
type From = Pick<Client, 'ipMasked' | 'userAgent'>;

/** What a session is begun with. */
export type Beginner = Pick<
  Context,
  'tokens' | 'challenges' | 'publicUrl' | 'config' | 'vault' | 'serverSecrets' | 'mail'
>;

/** A session that takes the place of another. */
export interface Renewing
  extends Pick<TokenFacts, 'secondFactor' | 'ownProof' | 'authenticatedAt' | 'until'> {
  /** `older` proves nothing: it began before this was noted. */
  how: BegunBy;
  client: From;
  /** The hash of the token or the challenge whose place it takes: a provider that can end that can end this. */
  replaces?: Buffer;
}

/** What the body of an answer says of a session that begins. */
export interface SessionAnswer {
  token: string;
  expires_at: string;
  user: { id: number; name: string; email: string };
}

interface Beginning extends Renewing {
  /** Read in this transaction, and locked there, so that nobody disables it or changes its password meanwhile. */
  user: UserRow;
}

/**
 * The one place where a bearer session begins, whichever way somebody has logged in. Throws 403 with a challenge when
 * the account has a second factor and none was proved.
 */
export async function beginSession(
  context: Beginner,
  trx: Knex.Transaction,
  { user, how, client, replaces, ...facts }: Beginning,
): Promise<SessionAnswer> {
  if (facts.secondFactor !== true) await demandSecondFactor(context, trx, user, how);
  const { id, name, email } = user;
  const issued = await context.tokens.issue(id, user.tokens_valid_from, { ...facts, how });
  await LoginSessionRow.query(trx).insert({
    ...rowOf(id, issued, client),
    begun_by: how,
    second_factor: facts.secondFactor ?? false,
  });
  if (replaces !== undefined)
    await ProviderSessionRow.query(trx)
      .where({ token_hash: replaces })
      .patch({ token_hash: issued.tokenHash, expires_at: issued.expiresAt });
  if (facts.until === undefined) await noteDevice(context, trx, user, { ...client, how });
  return { token: issued.token, expires_at: issued.expiresAt.toISOString(), user: { id, name, email } };
}

const rowOf = (user_id: number, session: Omit<Issued, 'token'>, client: From) => ({
  ...{ login_session_id: session.sessionId, user_id, token_hash: session.tokenHash },
  ...{ device: deviceOf(client.userAgent), ip_masked: client.ipMasked },
  ...{ begun_at: new Date(session.issuedAt), used_at: hourOf(clock.date()), expires_at: session.expiresAt },
});

/**
 * Notes that a session goes on, once an hour and process. One that an older version began, or a process of it begins,
 * gets its row here. A request does not fail for it.
 */
export async function noteSession(
  { db, log, usedSessions }: Pick<Context, 'db' | 'log' | 'usedSessions'>,
  session: Claims,
  client: From,
  inTurn: <Done>(note: () => Promise<Done>) => Promise<Done>,
): Promise<void> {
  const row = rowOf(session.userId, session, client);
  const key = `${session.sessionId} ${row.used_at.getTime()}`;
  if (session.sessionId === '' || usedSessions.has(key)) return;
  usedSessions.set(key, NOTED);
  try {
    await inTurn(async () => {
      await LoginSessionRow.query(db)
        .insert({ ...row, begun_by: 'older', second_factor: session.secondFactor })
        .onConflict('login_session_id')
        .merge(['used_at']);
    });
  } catch (error) {
    logFailure(log, 'warn', { error }, 'the last use of a session was not noted');
  }
}

const NOTED = { size: 1 };

/** Ends sessions of an account, at once and on every process, and returns how many. */
export async function endSessionsOf(
  trx: Knex,
  user_id: number,
  { only, except }: { only?: string; except?: string } = {},
): Promise<number> {
  const ended = await LoginSessionRow.query(trx)
    .where({ user_id })
    .modify((rows) => {
      if (only !== undefined) rows.where({ login_session_id: only });
      if (except !== undefined) rows.whereNot({ login_session_id: except });
    })
    .delete()
    .returning(['token_hash', 'expires_at']);
  const rows = ended.map(({ token_hash, expires_at }) => ({ token_hash, expires_at }));
  if (rows.length > 0) await trx('ended_sessions').insert(rows).onConflict('token_hash').ignore();
  return rows.length;
}

const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);

/** The account of a session that goes on; `learn` gets whose it is also when it has ended. Throws 401. */
export async function accountOfSession(
  db: Knex,
  id: number,
  { tokenHash, issuedAt, secondFactor }: Pick<Claims, 'tokenHash' | 'issuedAt' | 'secondFactor'>,
  learn: (user: UserRow) => void = () => {},
): Promise<UserRow> {
  const hasEnded = db.raw('EXISTS (SELECT FROM ended_sessions WHERE token_hash = ?) AS has_ended', [
    tokenHash,
  ]);
  const user = await UserRow.query(db)
    .findById(id)
    .select('users.*', hasEnded)
    .castTo<(UserRow & { has_ended: boolean }) | undefined>();
  if (user === undefined) throw unauthorized();
  learn(user);
  if (user.has_ended || user.disabled_at !== null) throw unauthorized();
  if (issuedAt < user.tokens_valid_from.getTime()) {
    throw unauthorized('The bearer token was revoked, or the password was changed: log in again.');
  }
  // Begun by a version that knew none, or before the account had one.
  if (user.second_factor_since !== null && !secondFactor)
    throw unauthorized('This account has a second factor, and the session began without it: log in again.');
  return user;
}

/** The account of a caller, locked until the transaction ends, with the session still going on. Throws 401. */
export async function lockCaller(trx: Knex, session: Claims): Promise<UserRow> {
  await trx('users').where({ id: session.userId }).select('id').forNoKeyUpdate();
  return accountOfSession(trx, session.userId, session);
}

/** How long after a log-in its person is taken to be still there, in milliseconds. */
const RECENT = 15 * MINUTE_MS;

/** Whether the person has proved lately who they are. */
export const isRecent = ({ authenticatedAt }: Claims): boolean => clock.now() - authenticatedAt <= RECENT;

export const reauthenticationRequired = (message = TOO_OLD): ApiError =>
  new ApiError(403, 'reauthentication_required', message);

const TOO_OLD =
  'This needs a log-in of the last 15 minutes: prove again who you are with reauthenticate, and repeat it with the new token.';

/** Where only providers log people in, what proves somebody here lets their session last no longer. */
export const untilProvider = (
  { config }: Pick<Context, 'config'>,
  { expiresAt }: Claims,
): { until?: Date } => (config.passwordLogin ? {} : { until: expiresAt });

/** Ends the session of a token, which may have no row. */
export async function endToken(trx: Knex, { sessionId, tokenHash, expiresAt }: Claims): Promise<void> {
  const ended = { token_hash: tokenHash, expires_at: expiresAt };
  await trx('ended_sessions').insert(ended).onConflict('token_hash').ignore();
  // Tokens of old have another kind of id, or none.
  if (sessionId !== '') await LoginSessionRow.query(trx).where({ token_hash: tokenHash }).delete();
}

/** What a session hands on to the one that takes its place: nobody has proved more, and it ends no later. */
export async function renewing(trx: Knex, session: Claims, client: From): Promise<Renewing> {
  const { secondFactor, ownProof, authenticatedAt, expiresAt: until, tokenHash: replaces } = session;
  const how = session.begunBy ?? (await rowOfSession(trx, session))?.begun_by ?? 'older';
  return { how, client, secondFactor, ownProof, authenticatedAt, until, replaces };
}

const rowOfSession = (trx: Knex, { tokenHash }: Claims) =>
  LoginSessionRow.query(trx).findOne({ token_hash: tokenHash });
