import type { WebhookRow } from '../db/models';
import type { Vault } from '../vault';

type Sealed = Pick<WebhookRow, 'secret' | 'next_secret' | 'next_secret_from'>;

/** The secrets that sign at a moment: the present one, and the next one while both hold. */
export function activeSecrets(vault: Vault, row: Sealed, now: Date): { current: string; next?: string } {
  const { secret, next_secret, next_secret_from } = row;
  if (next_secret === null) return { current: vault.open(secret) };
  if (next_secret_from !== null && next_secret_from <= now) return { current: vault.open(next_secret) };
  return { current: vault.open(secret), next: vault.open(next_secret) };
}
