import type { ComplianceCheck } from '../types';
import * as banner from './banner-checks';
import type { Check, Evidence } from './evidence';
import * as information from './information-checks';
import * as log from './log-checks';
import * as records from './record-checks';
import * as storage from './storage-checks';

/** Every check, in the order in which reports show them. */
export const CHECKS: readonly Check[] = [
  ...Object.values(banner),
  ...Object.values(records),
  ...Object.values(log),
  ...Object.values(information),
  ...Object.values(storage),
];

/** The minimum score of each grade. */
const GRADES = [
  [90, 'A'],
  [75, 'B'],
  [60, 'C'],
  [45, 'D'],
  [30, 'E'],
] as const;

export const gradeOf = (score: number) => GRADES.find(([least]) => score >= least)?.[1] ?? ('F' as const);

/** The best grade while the check fails, however many points the rest gives. */
const CAPS = { [storage.nothingBeforeConsent.id]: 'D' } as const;

/** The grade of a score, and the id of the check that limits it. */
function graded(score: number, checks: readonly ComplianceCheck[]) {
  const grade = gradeOf(score);
  const failed = checks.find(({ id, status }) => status === 'fail' && CAPS[id] !== undefined);
  const cap = failed === undefined ? undefined : CAPS[failed.id];
  if (failed === undefined || cap === undefined || grade >= cap) return { grade, capped_by: null };
  return { grade: cap, capped_by: failed.id };
}

/**
 * The score of a site: the weight of what passes ÷ the weight of all, from 0 to 100, rounded down. Unknown
 * does not count as passed.
 */
export function scoreOf(evidence: Evidence): {
  score: number;
  grade: ReturnType<typeof gradeOf>;
  capped_by: string | null;
  checks: ComplianceCheck[];
} {
  const checks = CHECKS.map((check): ComplianceCheck => {
    const { status, evidence: found, remedy } = check.find(evidence);
    const { id, title, weight, legalReference: legal_reference } = check;
    return { id, title, weight, status, evidence: found, remedy, legal_reference };
  });
  const weightOf = (list: readonly ComplianceCheck[]): number =>
    list.reduce((sum, { weight }) => sum + weight, 0);
  const score = Math.floor(
    (100 * weightOf(checks.filter(({ status }) => status === 'pass'))) / weightOf(checks),
  );
  return { score, ...graded(score, checks), checks };
}
