import type { WebhookRow } from '../db/models';
import { changeHeaders } from '../domain/custom-headers';
import type { Vault } from '../security/vault';

type Sealed = Pick<WebhookRow, 'headers'>;

/** The custom headers of a webhook, by lower-case name. */
export function openHeaders(vault: Vault, { headers }: Sealed): Map<string, string> {
  return new Map(headers === null ? [] : (JSON.parse(vault.open(headers)) as [string, string][]));
}

/**
 * The changed columns of a webhook after a change of its headers. Values are encrypted, because they often
 * are secrets. Throws `ValidationError`.
 */
export function changedHeaders(
  vault: Vault,
  row: Sealed,
  changes: Record<string, string | null>,
): Pick<WebhookRow, 'headers' | 'header_names'> {
  // What no key opens is gone: its owner can only set it anew.
  const present = row.headers !== null && !vault.opens(row.headers) ? { headers: null } : row;
  const after = changeHeaders(openHeaders(vault, present), changes);
  const headers = after.size === 0 ? null : vault.seal(JSON.stringify([...after]));
  return { headers, header_names: [...after.keys()] };
}
