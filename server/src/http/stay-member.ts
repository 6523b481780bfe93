import type { Knex } from 'knex';
import type { Caller, OfMember } from '../api/handler';
import type { Operation, OperationId } from '../contract/operations';
import { lockMemberships } from '../db/member-lock';
import { authorise } from '../services/site-access';
import { stayAuthenticated } from './authenticate';

/** They change memberships, or end them all, and lock that of the caller as they begin. */
const CHANGE_MEMBERS: ReadonlySet<OperationId> = new Set([
  'updateMember',
  'removeMember',
  'deleteEnvironment',
]);

/** They end the caller's own session, or may; all but the first two have locked the account and looked before. */
const END_SESSIONS: ReadonlySet<OperationId> = new Set([
  'logout',
  'revokeTokens',
  'endSession',
  'endOtherSessions',
  'addPasskey',
  'removePasskey',
  'removeTotp',
]);

/** They store by a transaction of the visitors' way, beside one that holds the caller's role. */
const STORE_ELSEWHERE: ReadonlySet<OperationId> = new Set(['logConsentForVisitor']);

interface Asked {
  operation: Pick<Operation, 'id' | 'role'>;
  params: Record<string, string>;
  caller?: Caller;
}

/**
 * The end of a caller's transaction: their login or key works still, and a member has the role still, or nothing is
 * stored. Both were read before the transaction, which may have waited since, and a member who is removed meanwhile must
 * not write after the answer to whoever removed them. Throws 401, 403 and 404.
 */
export async function stayMember(
  trx: Knex,
  { operation, params, caller }: Asked,
  member: Pick<OfMember, 'environment'> | undefined,
): Promise<void> {
  if (caller === undefined) return;
  if (!END_SESSIONS.has(operation.id)) await stayAuthenticated(trx, caller);
  if (member === undefined || operation.role === undefined) return;
  const changes = CHANGE_MEMBERS.has(operation.id);
  await lockMemberships(trx, member.environment.id, changes ? 'change' : 'use');
  if (!changes) await authorise(trx, caller, { token: params.token as string }, operation.role);
}

/** Runs what has a transaction of its own; where that knows nothing of members, their role is held meanwhile. */
export const whileMember = <Result>(
  db: Knex,
  id: OperationId,
  stay: (trx: Knex) => Promise<void>,
  work: () => Promise<Result>,
): Promise<Result> =>
  STORE_ELSEWHERE.has(id)
    ? db.transaction(async (trx) => {
        await stay(trx);
        return work();
      })
    : work();
