import type { Warning } from '../types';

/** The warning of a site whose log and records do not fit. */
export function damageWarning(
  state: { findings: number; problem: string | null; damaged_since: Date | null } | undefined,
): Warning | undefined {
  if (state === undefined || state.damaged_since === null) return undefined;
  // For owners: the operator's command gives the names as the database has them.
  const worst = state.problem?.split('\n', 1)[0] ?? 'unnamed';
  const problem = worst.replaceAll('_', ' ');
  const more = state.findings > 1 ? ` and ${state.findings - 1} more` : '';
  return {
    code: 'evidence_log_damaged',
    severity: 'critical',
    message: `Records and the evidence log do not fit (${problem}${more}): somebody changed the database beside this server, or a backup was restored in part. Ask whoever runs this server to run npm run doctor -- --ledger before anything is changed.`,
    subject_id: null,
    since: state.damaged_since.toISOString(),
  };
}
