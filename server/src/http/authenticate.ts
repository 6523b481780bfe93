import type { IncomingMessage } from 'node:http';
import type { Knex } from 'knex';
import type { Caller, CallerKey } from '../api/handler';
import type { Context } from '../context';
import type { Operation } from '../contract/operations';
import { EnvironmentRow, UserRow } from '../db/models';
import { forbidden, notFound, unauthorized } from '../domain/errors';
import { patienceOfOwners } from '../domain/fair-turns';
import type { Role } from '../domain/types';
import { callerOfKey, stayKey } from '../services/key-callers';

const RANK: Record<Role, number> = { viewer: 1, operator: 2, owner: 3 };

/** Who sent the bearer token, which may be an API key. Throws 401. */
export async function authenticate(
  context: Context,
  { headers }: IncomingMessage,
  address: string,
): Promise<Caller> {
  const token = /^Bearer +([A-Za-z0-9_.-]+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (token === undefined)
    throw unauthorized('Send the header Authorization: Bearer <token>; log in to get one.');
  return (await callerOfKey(context, token, address)) ?? callerOfSession(context, token);
}

async function callerOfSession({ db, tokens }: Context, token: string): Promise<Caller> {
  const { userId, ...session } = await tokens.check(token);
  const user = await userOfSession(db, userId, session);
  const { name, email, created_at: createdAt, sponsor_id, by_invited: byInvited } = user;
  const group = sponsor_id ?? userId;
  return { userId, group, byInvited, name, email, createdAt, session, patience: patienceOfOwners() };
}

/** The account of a session that goes on. Throws 401. */
async function userOfSession(
  db: Knex,
  id: number,
  { tokenHash, issuedAt }: Pick<Caller['session'], 'tokenHash' | 'issuedAt'>,
): Promise<UserRow> {
  const user = await UserRow.query(db)
    .findOne({ id, disabled_at: null })
    .whereNotExists(db('ended_sessions').where({ token_hash: tokenHash }));
  if (user === undefined) throw unauthorized();
  if (issuedAt < user.tokens_valid_from.getTime()) {
    throw unauthorized('The bearer token was revoked, or the password was changed: log in again.');
  }
  return user;
}

/** The session or the key of a caller works still: asked as a change ends, which may have waited. Throws 401. */
export async function stayAuthenticated(trx: Knex, { userId, key, session }: Caller): Promise<void> {
  if (key === undefined) await userOfSession(trx, userId, session);
  else await stayKey(trx, key.id);
}

/** Whether a key may call an operation at all. Throws 403 that names the scope it lacks. */
export function allowKey(key: CallerKey, { scope }: Operation): void {
  if (scope === undefined)
    throw forbidden('API keys cannot do this: log in as a person, and send the token that you get.');
  if (!key.scopes.includes(scope))
    throw forbidden(`This API key lacks the scope ${scope}: make a key that has it.`);
}

/**
 * The one place where an owner's request is bound to an environment: another owner's is 404, as if it did not
 * exist, and a member whose role does not allow it gets 403.
 */
export async function authorise(
  { db }: Pick<Context, 'db'>,
  caller: Caller,
  token: string,
  needed: Role,
): Promise<{ environment: EnvironmentRow; role: Role }> {
  const found = await EnvironmentRow.query(db)
    .join('members', 'members.environment_id', 'environments.id')
    .where({ 'environments.token': token, 'members.user_id': caller.userId })
    .whereNull('environments.deleted_at')
    .select('environments.*', 'members.role')
    .first();
  // A key for one site knows of no other.
  if (found === undefined || (caller.key?.environmentId ?? found.id) !== found.id)
    throw notFound('This environment');
  const { role, ...columns } = found as EnvironmentRow & { role: Role };
  if (caller.key !== undefined && role !== 'owner')
    throw forbidden('Whoever made this API key is no owner of this environment: an owner can make another.');
  if (RANK[role] < RANK[needed]) {
    throw forbidden(`This needs the role ${needed}, and yours is ${role}: ask an owner of the environment.`);
  }
  return { environment: EnvironmentRow.fromDatabaseJson(columns), role };
}
