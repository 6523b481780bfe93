import { beginning } from '../text';
import { DAY_MS } from '../time';
import type { Warning } from '../types';

/** How a witness or authority fails a site's log. */
export interface FailingVoucher {
  /** The verifier key of a witness, the URL of an authority. */
  voucher: string;
  failing_since: Date | null;
  problem: string | null;
}

/** What a witness answers that has signed another history of a log. */
export const ROLLED_BACK: readonly string[] = ['larger_tree', 'other_tree'];

/** Whoever has failed since before this time has failed for long. */
export const unvouchedBefore = (now: Date): Date => new Date(now.getTime() - DAY_MS);

/** Names in one warning, at most, and the characters of one. */
const NAMED = 2;
const LONG = 80;

/** The warnings of a site's log that others do not vouch for. */
export function vouchingWarnings(failing: readonly FailingVoucher[], now: Date): Warning[] {
  const rolledBack = failing.filter(({ problem }) => problem !== null && ROLLED_BACK.includes(problem));
  const before = unvouchedBefore(now);
  const lasting = failing.filter(
    (one) => !rolledBack.includes(one) && one.failing_since !== null && one.failing_since < before,
  );
  return [
    ...warningOf(rolledBack, now, (names) => ({
      code: 'evidence_log_rolled_back',
      severity: 'critical',
      message: `The evidence log is not the one that ${names} signed before: it was rolled back or changed, as by an older backup. Restore the newest backup; what was sealed after it cannot be proven by this log.`,
    })),
    ...warningOf(lasting, now, (names) => ({
      code: 'evidence_not_vouched',
      severity: 'warning',
      message: `For more than a day ${names} did not vouch for the evidence log: ask whoever runs this server to look at its log. Until then its latest records are proven by this server alone.`,
    })),
  ];
}

function warningOf(
  failing: readonly FailingVoucher[],
  now: Date,
  words: (names: string) => Pick<Warning, 'code' | 'severity' | 'message'>,
): Warning[] {
  if (failing.length === 0) return [];
  const names = failing.slice(0, NAMED).map(({ voucher }) => nameOf(voucher));
  const more = failing.length - names.length;
  const all = more > 0 ? [...names, `${more} more`] : names;
  const since = Math.min(...failing.map(({ failing_since }) => (failing_since ?? now).getTime()));
  return [{ ...words(all.join(' and ')), subject_id: null, since: new Date(since).toISOString() }];
}

/** The name of a witness, or the host of an authority. */
function nameOf(voucher: string): string {
  const name =
    voucher.startsWith('http') && URL.canParse(voucher) ? new URL(voucher).host : voucher.split('+', 1)[0];
  return beginning(name as string, LONG);
}
