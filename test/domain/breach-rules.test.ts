import { checkBreachTimes, checkReport } from '../../server/src/domain/breach-rules';
import { breachNotifyBy } from '../../server/src/domain/deadlines';
import { ValidationError } from '../../server/src/domain/errors';

const NOW = new Date('2026-11-21T09:30:00.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const after = (milliseconds: number): Date => new Date(NOW.getTime() + milliseconds);

const KNOWN = { occurred_from: null, occurred_to: null, aware_at: NOW, subjects_informed_at: null };

/** The paths that a rule refuses. */
function refused(check: () => void): string[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return error.errors.map(({ path }) => path);
  }
}
const times = (given: Record<string, Date | null>) =>
  refused(() => checkBreachTimes({ ...KNOWN, ...given }, NOW));

test.each(['aware_at', 'occurred_from', 'occurred_to', 'subjects_informed_at'])(
  '%s may be ahead by the difference of two clocks, and not by more',
  (field) => {
    expect(times({ [field]: after(5 * MINUTE) })).toEqual([]);
    expect(times({ [field]: after(5 * MINUTE + 1) })).toEqual([`body.${field}`]);
  },
);

test('a breach does not begin after it is known, but for the difference of two clocks', () => {
  const aware_at = after(-HOUR);
  expect(times({ aware_at, occurred_from: after(-HOUR + 5 * MINUTE) })).toEqual([]);
  expect(times({ aware_at, occurred_from: after(-HOUR + 5 * MINUTE + 1) })).toEqual(['body.occurred_from']);
});

test.each(['aware_at', 'occurred_from', 'occurred_to', 'subjects_informed_at'])(
  '%s before the year 2000 in UTC is refused: no answer could show it',
  (field) => {
    expect(times({ [field]: new Date('1999-12-31T23:59:59.999Z') })).toEqual([`body.${field}`]);
    expect(times({ [field]: new Date('2000-01-01T00:00:00.000Z') })).toEqual([]);
  },
);

test('a breach cannot end before it began; it may be a moment, be open, or have an unknown beginning', () => {
  expect(times({ occurred_from: after(-HOUR), occurred_to: after(-HOUR - 1) })).toEqual(['body.occurred_to']);
  expect(times({ occurred_from: after(-HOUR), occurred_to: after(-HOUR) })).toEqual([]);
  expect(times({ occurred_from: after(-HOUR), occurred_to: null })).toEqual([]);
  expect(times({ occurred_from: null, occurred_to: after(-HOUR) })).toEqual([]);
});

test('every wrong time is named, not only the first', () => {
  const given = { aware_at: after(HOUR), occurred_from: after(HOUR), subjects_informed_at: after(HOUR) };
  expect(times(given).sort()).toEqual(['body.aware_at', 'body.occurred_from', 'body.subjects_informed_at']);
});

const aware_at = after(-80 * HOUR);
const BREACH = { aware_at, notify_by: breachNotifyBy(aware_at) };
const report = (at: Date, reason?: string) => refused(() => checkReport(BREACH, at, reason, NOW));

test('a report is in time until the end of the 72 hours, and needs a reason from then on', () => {
  expect(report(BREACH.notify_by)).toEqual([]);
  const late = new Date(BREACH.notify_by.getTime() + 1);
  expect(report(late)).toEqual(['body.late_reason']);
  expect(report(late, 'The extent was unknown.')).toEqual([]);
});

test('a reason may be given for a report in time too', () => {
  expect(report(BREACH.notify_by, 'To be sure.')).toEqual([]);
});

test('a report is neither made in the future nor before the breach was known', () => {
  expect(report(after(5 * MINUTE), 'late')).toEqual([]);
  expect(report(after(5 * MINUTE + 1), 'late')).toEqual(['body.reported_at']);
  expect(report(aware_at)).toEqual([]);
  expect(report(new Date(aware_at.getTime() - 1))).toEqual(['body.reported_at']);
});

test('the refusal of a late report says when the 72 hours ended', () => {
  expect(() => checkReport(BREACH, NOW, undefined, NOW)).toThrow(
    expect.objectContaining({
      errors: [expect.objectContaining({ message: expect.stringContaining(BREACH.notify_by.toISOString()) })],
    }),
  );
});
