import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Knex } from 'knex';
import type { Caller, CallerKey } from '../api/handler';
import type { Context } from '../context';
import type { Operation } from '../contract/operations';
import { allows } from '../domain/api-keys';
import { forbidden, unauthorized } from '../domain/errors';
import { FairTurns, OWNERS, patienceOfOwners } from '../domain/fair-turns';
import { callerOfKey, stayKey } from '../services/key-callers';
import { accountOfSession, isRecent, reauthenticationRequired } from '../services/sessions';
import { limitAccount, limitOwners, limitUnable } from './limits';
import type { RateLimiter } from './rate-limit';

/** Look-ups at once that say who asks; accounts take turns, so that whoever asks a lot waits behind themselves. */
const LOOK_UPS = new FairTurns(2, OWNERS);

/** A short look-up of an account's request, before it is known what turn that takes. */
export const inTurnOfLookUps = <Result>(
  { userId, patience }: Pick<Caller, 'userId' | 'patience'>,
  look: () => Promise<Result>,
): Promise<Result> => LOOK_UPS.take([String(userId)], look, patience);

const bearerIn = ({ authorization = '' }: IncomingHttpHeaders): string | undefined =>
  /^Bearer +([A-Za-z0-9_.-]+) *$/i.exec(authorization)?.[1];

/** Counts a request that needs a login, before its token is looked at. Throws 429. */
export function limitLogin(
  limiter: RateLimiter | undefined,
  { headers }: IncomingMessage,
  { address, isOther }: { address: string; isOther: boolean },
): void {
  if (isOther || bearerIn(headers) === undefined) limitUnable(limiter, address);
  else limitOwners(limiter, address);
}

/** Who sent the bearer token, which may be an API key. Throws 401 and 429. */
export async function authenticate(
  context: Context,
  { headers }: IncomingMessage,
  { address, limiter }: { address: string; limiter?: RateLimiter | undefined },
): Promise<Caller> {
  const token = bearerIn(headers);
  if (token === undefined)
    throw unauthorized('Send the header Authorization: Bearer <token>; log in to get one.');
  return (
    (await callerOfKey(context, token, address, (id, look) => LOOK_UPS.take([`key ${id}`], look))) ??
    callerOfSession(context, token, limiter)
  );
}

async function callerOfSession(
  context: Context,
  token: string,
  limiter: RateLimiter | undefined,
): Promise<Caller> {
  const session = await context.tokens.check(token);
  const { userId } = session;
  limitAccount(limiter, userId);
  const patience = patienceOfOwners();
  const look = () => accountOfSession(context.db, userId, session);
  const user = await inTurnOfLookUps({ userId, patience }, look);
  const { name, email, created_at: createdAt, sponsor_id, by_invited: byInvited } = user;
  const group = sponsor_id ?? userId;
  return {
    ...{ userId, group, byInvited, name, email, createdAt, session, patience },
    hasSecondFactor: session.secondFactor,
  };
}

/** The session or the key of a caller works still: asked as a change ends, which may have waited. Throws 401. */
export async function stayAuthenticated(trx: Knex, { userId, key, session }: Caller): Promise<void> {
  if (key === undefined) await accountOfSession(trx, userId, session);
  else await stayKey(trx, key.id);
}

/** Whether a key may call an operation at all. Throws 403 that names the scope it lacks. */
export function allowKey(key: CallerKey, { scope }: Operation): void {
  if (scope === undefined)
    throw forbidden('API keys cannot do this: log in as a person, and send the token that you get.');
  if (!allows(key.scopes, scope))
    throw forbidden(`This API key lacks the scope ${scope}: make a key that has it.`);
}

/** Throws 403 when the person must first prove again who they are. */
export function demandRecent({ key, session }: Caller, { recentLogin }: Operation): void {
  if (!recentLogin || key !== undefined || isRecent(session)) return;
  throw reauthenticationRequired();
}
