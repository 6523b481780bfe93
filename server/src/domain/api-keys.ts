import { clock } from './clock';
import { DAY_MS } from './time';
import type { Role, Scope, ScopeSet } from './types';

/** How long keys that work no more are listed. */
const ENDED_KEY_DAYS = 90;

/** Keys that ended before this instant are deleted. */
export const endedBefore = (now: number): Date => new Date(now - ENDED_KEY_DAYS * DAY_MS);

/** What each ready set of scopes allows. */
export const SCOPE_SETS: Readonly<Record<ScopeSet, readonly Scope[]>> = {
  export: [
    ...(['environments:read', 'members:read', 'consents:read', 'dsar:read', 'breaches:read'] as const),
    // Not webhooks: their addresses often hold a key of the receiver.
    ...(['events:read', 'reports:read', 'banner:read', 'scans:read'] as const),
  ],
  dsar_desk: ['environments:read', 'dsar:read', 'dsar:write'],
  webhooks: ['environments:read', 'events:read', 'webhooks:read', 'webhooks:write'],
  banner: ['environments:read', 'banner:read', 'banner:write', 'scans:read', 'scans:write'],
};

/** Whether a key with some scopes may do what takes a scope: who reads all consents also reads the log of them. */
export const allows = (scopes: readonly Scope[], scope: Scope): boolean =>
  scopes.includes(scope) || (scope === 'log:read' && scopes.includes('consents:read'));

/** Whether a key works, by when it ends or was ended. */
export function statusOf({
  revoked_at,
  expires_at,
}: {
  revoked_at: Date | null;
  expires_at: Date | null;
}): 'active' | 'expired' | 'revoked' {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && expires_at.getTime() <= clock.now() ? 'expired' : 'active';
}

/** Whether a caller's key, if there is one, reaches a site where the caller has this role. */
export const reaches = (
  key: { environmentId: string | null } | undefined,
  environmentId: string,
  role: Role,
): boolean =>
  key === undefined || (role === 'owner' && (key.environmentId ?? environmentId) === environmentId);
