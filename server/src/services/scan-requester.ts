import type { Context } from '../context';
import type { Requester } from '../scan/wait-in-line';

/** Whose turn a member's scans take: the account's and its group's, by keyed fingerprints. */
export const memberRequester = (
  vault: Context['vault'],
  { userId, group }: { userId: number; group: number },
): Requester => ({
  byMember: true,
  id: vault.fingerprint('scan account', String(userId)),
  group: vault.fingerprint('scan group', String(group)),
  began: userId === group,
});
