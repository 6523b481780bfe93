import type { IncomingMessage } from 'node:http';
import type { Caller } from '../api/handler';
import type { Context } from '../context';
import { EnvironmentRow, UserRow } from '../db/models';
import { forbidden, notFound, unauthorized } from '../domain/errors';
import type { Role } from '../domain/types';

const RANK: Record<Role, number> = { viewer: 1, operator: 2, owner: 3 };

/** Who sent the bearer token. Throws 401. */
export async function authenticate({ db, tokens }: Context, { headers }: IncomingMessage): Promise<Caller> {
  const token = /^Bearer +([A-Za-z0-9_.-]+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (token === undefined)
    throw unauthorized('Send the header Authorization: Bearer <token>; log in to get one.');
  const { userId, issuedAt, tokenHash, expiresAt } = await tokens.check(token);
  const user = await UserRow.query(db)
    .findOne({ id: userId, disabled_at: null })
    .whereNotExists(db('ended_sessions').where({ token_hash: tokenHash }));
  if (user === undefined) throw unauthorized();
  if (issuedAt < user.tokens_valid_from.getTime()) {
    throw unauthorized('The bearer token was revoked, or the password was changed: log in again.');
  }
  const session = { tokenHash, expiresAt };
  const { name, email, created_at: createdAt, sponsor_id } = user;
  return { userId, group: sponsor_id ?? userId, name, email, createdAt, session };
}

/**
 * The one place where an owner's request is bound to an environment: another owner's is 404, as if it did not
 * exist, and a member whose role does not allow it gets 403.
 */
export async function authorise(
  { db }: Context,
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
  if (found === undefined) throw notFound('This environment');
  const { role, ...columns } = found as EnvironmentRow & { role: Role };
  if (RANK[role] < RANK[needed]) {
    throw forbidden(`This needs the role ${needed}, and yours is ${role}: ask an owner of the environment.`);
  }
  return { environment: EnvironmentRow.fromDatabaseJson(columns), role };
}
