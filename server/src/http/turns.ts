import { senderOf } from '../api/handler';
import { prechecks } from '../api/prechecks';
import type { Context } from '../context';
import type { Operation, OperationId } from '../contract/operations';
import { MemberTurns } from '../domain/fair-turns';
import type { ValidRequest } from './valid-request';

/** Checks that call other servers, at once; they hold no turn that others of the group wait for. */
const PRECHECKS = new MemberTurns({ account: 2, group: 4 });

/** Whoever may not do what is asked for was refused before the body was read. */
export async function precheck(context: Context, { operation, body, caller }: ValidRequest): Promise<void> {
  const check = prechecks[operation.id];
  if (check === undefined || caller === undefined) return;
  await PRECHECKS.take(senderOf(caller), () => check(context, { body: body?.json }), caller.patience);
}

/** They wait for other servers or their own kind, most without a connection, and are bounded where they do. */
const OF_OWNERS_WITHOUT_TURN: ReadonlySet<OperationId> = new Set([
  ...(['testWebhook', 'redeliver', 'checkDomain'] as const),
  // Their transactions take one, and not while the storage of files is waited for.
  ...(['putAnswerFilePart', 'putAttachmentPart'] as const),
  ...(['beginLink', 'proveLink'] as const),
]);

const waitsElsewhere = ({ id, download }: Operation): boolean => download || OF_OWNERS_WITHOUT_TURN.has(id);

/** Whoever has logged in takes turns with their group, so that nobody's requests take all connections. */
export function inTurnOfOwners<Result>(
  { ownTurns }: Context,
  { caller, operation }: ValidRequest,
  work: () => Promise<Result>,
): Promise<Result> {
  return caller === undefined || waitsElsewhere(operation)
    ? work()
    : ownTurns.take(senderOf(caller), work, caller.patience);
}

/**
 * They take turns of their own: at a hash, for an answer that is kept back, and at the vendor lists of visitors'
 * connections. Whatever waits for something else than the database holds none of the turns that others need.
 */
export const OF_STRANGERS_WITHOUT_TURN: ReadonlySet<OperationId> = new Set([
  ...(['login', 'acceptInvitation', 'requestPasswordReset', 'resetPassword', 'getVendors'] as const),
  // They ask providers, or nobody.
  ...(['getLoginMethods', 'beginSignOn', 'finishSignOn', 'logoutByProvider'] as const),
]);

/**
 * Whether a request without a login asks for one of the owners' connections, and so waits for its turn. Decisions and
 * preferences have connections of their own, files are in memory.
 */
const needsConnection = ({ caller, operation }: ValidRequest): boolean =>
  caller === undefined &&
  !OF_STRANGERS_WITHOUT_TURN.has(operation.id) &&
  (operation.transaction || !operation.visitor);

/** Whoever has no login takes turns at the owners' connections with others of the same site and address. */
export const inTurnOfStrangers = <Result>(
  { turns }: Context,
  valid: ValidRequest,
  work: () => Promise<Result>,
): Promise<Result> => (needsConnection(valid) ? turns.take(valid.site, valid.address, work) : work());
