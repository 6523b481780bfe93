import { ValidationError } from '../domain/errors';
import { RefusedError } from '../net/failure';
import type { Policy } from '../net/policy';
import { hostOf, readTarget, vettedAddresses } from '../net/target';

/** How long a name may take to resolve while a webhook is saved, in milliseconds. */
const RESOLVE_MS = 5_000;

/**
 * Refuses the URL of a webhook that is not https (or http if allowed), contains credentials, does not
 * resolve, or has an address that webhooks may not reach. An early check for the owner; the connector checks
 * again at every connection. Throws `ValidationError` for `body.url`.
 */
export async function vetUrl(url: string, policy: Policy): Promise<void> {
  const host = hostOf(read(url, policy));
  try {
    await vettedAddresses(host, policy, AbortSignal.timeout(RESOLVE_MS));
  } catch (error) {
    throw refused(reasonOf(error));
  }
}

const refused = (reason: string): ValidationError => ValidationError.of('body.url', reason, 'url');

function read(url: string, policy: Policy): URL {
  try {
    return readTarget(url, policy);
  } catch (error) {
    throw refused((error as RefusedError).message);
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof RefusedError) {
    return `${error.message}: name a public https receiver, or have the operator open its network (WEBHOOK_ALLOW_NETWORKS)`;
  }
  const code = (error as { code?: unknown }).code;
  return code === 'ENOTFOUND'
    ? 'has a host that does not resolve: correct the name, or publish it in the DNS first'
    : 'has a host that cannot be resolved now: try again, or correct the name';
}
