import type { Purpose, Vault } from '../../security/vault';

const PURPOSE: Purpose = 'log-in at a provider';
/** In bytes, what sealing adds to a text. */
const OVERHEAD = 28;

/** A text in base64url that only this server can read: it travels with a person, so that nothing is stored. */
export const sealFor = (vault: Vault, value: { kind: string }): string =>
  vault.of(PURPOSE).seal(JSON.stringify(value)).toString('base64url');

/** What was sealed; undefined where it is of another server, was changed, or is of another kind. */
export function openSealed<Value extends { kind: string }>(
  vault: Vault,
  sealed: Buffer,
  kind: Value['kind'],
): Value | undefined {
  if (sealed.length < OVERHEAD || !vault.of(PURPOSE).opens(sealed)) return undefined;
  try {
    const value: Value = JSON.parse(vault.of(PURPOSE).open(sealed));
    return value.kind === kind ? value : undefined;
  } catch {
    // Something else that an earlier build has sealed.
    return undefined;
  }
}
