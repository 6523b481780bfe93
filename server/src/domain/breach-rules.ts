import { type FieldError, ValidationError } from './errors';
import { isVisible } from './printable';
import type { BreachFact } from './types';

/** How far an operator's clock may be ahead of the server's, in milliseconds. */
const SKEW = 5 * 60_000;

interface BreachTimes {
  occurred_from: Date | null;
  occurred_to: Date | null;
  aware_at: Date;
  subjects_informed_at: Date | null;
}

/** The contract's first instant: an answer cannot show an earlier one, which an offset can bring about. */
const FIRST = new Date('2000-01-01T00:00:00.000Z');

const TIMES = ['occurred_from', 'occurred_to', 'aware_at', 'subjects_informed_at'] as const;

/** Checks what a schema cannot say of a breach's times. Throws `ValidationError`. */
export function checkBreachTimes(times: BreachTimes, now: Date): void {
  const errors: FieldError[] = [];
  const wrong = (field: string, message: string): void => {
    errors.push({ path: `body.${field}`, message, code: 'time' });
  };
  const limit = new Date(now.getTime() + SKEW);
  for (const field of TIMES) {
    const time = times[field];
    if (time !== null && time > limit) wrong(field, 'must not be in the future');
    if (time !== null && time < FIRST) wrong(field, 'must not be before the year 2000 in UTC');
  }
  const { occurred_from, occurred_to, aware_at } = times;
  const known = new Date(aware_at.getTime() + SKEW);
  if (occurred_from !== null && occurred_from > known && occurred_from <= limit) {
    wrong('occurred_from', 'must not be after aware_at: nobody knows of a breach before it began');
  }
  if (occurred_from !== null && occurred_to !== null && occurred_to < occurred_from) {
    wrong('occurred_to', 'must not be before occurred_from');
  }
  if (errors.length > 0) throw new ValidationError(errors);
}

/**
 * Checks a report to the authority: its time, and the reason that a late one needs (GDPR Art. 33(1)). Throws
 * `ValidationError`.
 */
export function checkReport(
  breach: { aware_at: Date; notify_by: Date },
  reportedAt: Date,
  lateReason: string | undefined,
  now: Date,
): void {
  if (reportedAt.getTime() > now.getTime() + SKEW)
    throw ValidationError.of('body.reported_at', 'must not be in the future', 'time');
  if (reportedAt < breach.aware_at)
    throw ValidationError.of('body.reported_at', 'must not be before aware_at', 'time');
  if (reportedAt > breach.notify_by && lateReason === undefined) {
    throw ValidationError.of(
      'body.late_reason',
      `is required, because the 72 hours ended at ${breach.notify_by.toISOString()} (GDPR Art. 33(1))`,
      'required',
    );
  }
}

/** What the history tells of a report: a time that is not that of the entry is the reporter's statement. */
export function reportNote(reportedAt: Date, lateReason: string | undefined, now: Date): string | undefined {
  if (Math.abs(now.getTime() - reportedAt.getTime()) <= SKEW) return lateReason;
  const stated = `stated: reported at ${reportedAt.toISOString()}`;
  return lateReason === undefined ? stated : `${lateReason} (${stated})`;
}

/** The value of a fact that is not known yet. */
const NOT_KNOWN: Record<BreachFact, unknown> = {
  ...{ nature: '', description: '', severity: 'unknown' },
  ...{ data_categories: 0, subject_categories: 0, affected_subjects: null, affected_records: null },
  ...{ consequences: '', measures: '' },
};

/** The facts that GDPR Art. 33(3) asks for and a breach still lacks, in the order of the form; blanks say nothing. */
export const missingFacts = (breach: Record<BreachFact, unknown>): BreachFact[] =>
  (Object.keys(NOT_KNOWN) as BreachFact[]).filter((fact) => toldOf(breach[fact]) === NOT_KNOWN[fact]);

/** A text as it is, or empty; of a list, how many of its texts say something. */
function toldOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(isVisible).length;
  return typeof value === 'string' && !isVisible(value) ? '' : value;
}
