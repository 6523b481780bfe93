import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Knex } from 'knex';
import { type Caller, type CallerKey, senderOf } from '../api/handler';
import type { Context } from '../context';
import type { Operation } from '../contract/operations';
import { groupOf } from '../db/account-groups';
import type { UserRow } from '../db/models';
import { allows } from '../domain/api-keys';
import { forbidden, unauthorized } from '../domain/errors';
import { FairTurns, OWNERS, patienceOfOwners, placeInLine } from '../domain/fair-turns';
import { blockOf, networkOf } from '../domain/mask';
import { callerOfKey, stayKey } from '../services/key-callers';
import { accountOfSession, isRecent, reauthenticationRequired } from '../services/sessions';
import { limitAccount, limitKey, limitOwners, limitUnable } from './limits';
import type { RateLimiter } from './rate-limit';

/**
 * Look-ups at once that say who asks and what they may. Groups of accounts take turns, then in a group its founder, those
 * that were invited and those whom these invited, then accounts, then keys: whoever asks a lot waits behind themselves.
 */
const LOOK_UPS = new FairTurns(2, OWNERS);

/** The same of logins whose group this process does not know yet, once each: by where they come from. */
const NEWCOMERS = new FairTurns(1, OWNERS);

/** A short look-up for somebody's request, besides those that say who asks. */
export const inTurnOfLookUps = <Result>(
  caller: Pick<Caller, 'group' | 'userId' | 'byInvited' | 'key' | 'patience'>,
  look: () => Promise<Result>,
): Promise<Result> => LOOK_UPS.take(placeInLine(senderOf(caller)), look, caller.patience);

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
  const from = { address, limiter };
  return (await withKey(context, token, from)) ?? withSession(context, token, from);
}

interface From {
  address: string;
  limiter: RateLimiter | undefined;
}

/** Keys that have not worked lately wait with strangers, and are counted once it is known whose they are. */
async function withKey(
  context: Context,
  token: string,
  { address, limiter }: From,
): Promise<Caller | undefined> {
  const { knownMembers, turns } = context;
  let isCounted = false;
  const inTurn = async <Result>(id: string, look: () => Promise<Result>): Promise<Result> => {
    const known = knownMembers.find(nameOfKey(id));
    if (known === undefined) return turns.take(undefined, address, look);
    limitKey(limiter, known);
    isCounted = true;
    const found = await LOOK_UPS.take(placeInLine(known), look);
    knownMembers.forget(nameOfKey(id));
    return found;
  };
  const caller = await callerOfKey(context, token, address, inTurn);
  if (caller === undefined) return undefined;
  const member = senderOf(caller);
  if (!isCounted) limitKey(limiter, member);
  knownMembers.learn(nameOfKey(caller.key.id), member);
  return caller;
}

const nameOfKey = (id: string): string => `key ${id}`;

async function withSession(context: Context, token: string, { address, limiter }: From): Promise<Caller> {
  const { db, knownMembers, tokens } = context;
  const session = await tokens.check(token);
  const { userId } = session;
  limitAccount(limiter, userId);
  const patience = patienceOfOwners();
  const name = `account ${userId}`;
  // Also where the session has ended: whoever has many such logins must not be taken for as many newcomers.
  const learn = (user: UserRow): void => knownMembers.learn(name, senderOf(ofUser(user)));
  const look = () => accountOfSession(db, userId, session, learn);
  const known = knownMembers.find(name);
  const user = await (known === undefined
    ? NEWCOMERS.take([blockOf(address), networkOf(address), name], look, patience)
    : LOOK_UPS.take(placeInLine(known), look, patience));
  const { email, created_at: createdAt } = user;
  return {
    ...{ ...ofUser(user), name: user.name, email, createdAt, session, patience },
    hasSecondFactor: session.secondFactor,
  };
}

const ofUser = (user: UserRow): Pick<Caller, 'userId' | 'group' | 'byInvited'> => ({
  ...{ userId: user.id, group: groupOf(user), byInvited: user.by_invited },
});

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
