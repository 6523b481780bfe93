import { createHash } from 'node:crypto';
import type { Caller } from '../api/handler';
import type { Context } from '../context';
import type { Operation } from '../contract/operations';
import { networkOf } from '../domain/mask';

/** A request with an idempotency key, as far as the key's meaning depends on it. */
interface Sent {
  operation: Pick<Operation, 'id' | 'visitor'>;
  params: Record<string, string>;
  body: { json: unknown } | undefined;
  caller?: Pick<Caller, 'userId' | 'key'>;
  address: string;
  isForm?: boolean;
}

/** A key is recognised only to the same operation, on the same record, for the same sender. */
export function scopeOf(vault: Context['vault'], sent: Sent, bodyHash: string): string {
  const { token: _, ...ids } = sent.params;
  const bound = sent.caller?.key?.environmentId;
  return [
    sent.operation.id,
    ...Object.values(ids),
    senderOf(vault, sent, bodyHash),
    // Not the API key itself: a repetition may come after its rotation.
    ...(bound == null ? [] : [`site ${bound}`]),
  ].join(' ');
}

/**
 * Strangers choose their keys, so one of them must not be able to take the key of another. A visitor is known by the
 * session, of which a hash is kept since an erasure must leave no id; who names none, by what is said. Outside of sites
 * the requests of strangers have nothing in common but their network, of which a fingerprint is kept.
 */
function senderOf(
  vault: Context['vault'],
  { operation, body, caller, address, isForm }: Sent,
  bodyHash: string,
): string {
  if (caller !== undefined) return `user ${caller.userId}`;
  if (isForm) return 'form';
  if (!operation.visitor)
    return `network ${vault.fingerprint('idempotency', networkOf(address)).toString('base64url')}`;
  const { session_id } = (body?.json ?? {}) as { session_id?: string };
  return session_id === undefined
    ? `body ${bodyHash}`
    : `session ${createHash('sha256').update(session_id.toLowerCase()).digest('base64url')}`;
}
