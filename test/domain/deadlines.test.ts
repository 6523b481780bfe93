import fc from 'fast-check';
import {
  addMonths,
  BREACH_NOTICE,
  breachNotifyBy,
  DSAR_NOTICE,
  dsarDueAt,
  dsarDueFrom,
  dsarExtendedUntil,
} from '../../server/src/domain/deadlines';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const instants = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Auckland');
const due = (created: string, zone = 'UTC') => dsarDueAt(new Date(created), zone).toISOString();
const extended = (deadline: string, zone = 'UTC') =>
  dsarExtendedUntil(new Date(deadline), zone).toISOString();

test.each([
  ['2027-01-30', 1, '2027-02-28'],
  ['2028-01-31', 1, '2028-02-29'],
  ['2026-08-31', 1, '2026-09-30'],
  ['2026-12-15', 1, '2027-01-15'],
  ['2026-12-31', 2, '2027-02-28'],
  ['2026-11-30', 3, '2027-02-28'],
])('%s and %i months is %s (Regulation 1182/71)', (day, months, expected) => {
  expect(addMonths(day, months)).toBe(expected);
});

test('a request is due after a month that ends with its last day, where that is earlier than 30 days', () => {
  // 30 January has no counterpart in February: the period ends with the last hour of the month's last day.
  expect(due('2027-01-30T10:00:00.000Z')).toBe('2027-02-28T23:59:59.999Z');
  expect(due('2028-01-30T10:00:00.000Z')).toBe('2028-02-29T10:00:00.000Z');
  expect(due('2028-01-31T23:59:59.999Z')).toBe('2028-02-29T23:59:59.999Z');
  expect(due('2027-02-10T10:00:00.000Z')).toBe('2027-03-10T23:59:59.999Z');
  // By the clocks of the site: it is 31 January in Auckland already, and February still has 28 days.
  expect(due('2027-01-30T12:00:00.000Z', 'Pacific/Auckland')).toBe('2027-02-28T10:59:59.999Z');
});

test('the 30 days of the specification are the outer limit', () => {
  expect(due('2026-03-15T01:30:00.000Z')).toBe('2026-04-14T01:30:00.000Z');
  expect(due('2026-06-10T10:00:00.000Z')).toBe('2026-07-10T10:00:00.000Z');
  fc.assert(
    fc.property(instants, zones, (created, zone) => {
      const length = dsarDueAt(created, zone).getTime() - created.getTime();
      expect(length).toBeLessThanOrEqual(30 * DAY);
      // The shortest month, and an hour of a change of clocks.
      expect(length).toBeGreaterThanOrEqual(27 * DAY);
    }),
  );
});

test('a request that came by letter is due from its day, which is not counted', () => {
  expect(dsarDueFrom('2027-01-30', 'UTC').toISOString()).toBe('2027-02-28T23:59:59.999Z');
  expect(dsarDueFrom('2026-10-20', 'Europe/Berlin').toISOString()).toBe('2026-11-19T22:59:59.999Z');
  expect(dsarDueFrom('2026-11-20', 'Europe/Berlin').toISOString()).toBe('2026-12-20T22:59:59.999Z');
});

test('an extension adds two months, 60 days at the most', () => {
  expect(extended('2027-02-28T23:59:59.999Z')).toBe('2027-04-28T23:59:59.999Z');
  expect(extended('2026-12-30T10:00:00.000Z')).toBe('2027-02-28T10:00:00.000Z');
  expect(extended('2026-12-31T10:00:00.000Z')).toBe('2027-02-28T23:59:59.999Z');
  expect(extended('2026-07-10T10:00:00.000Z')).toBe('2026-09-08T10:00:00.000Z');
  fc.assert(
    fc.property(instants, zones, (deadline, zone) => {
      const length = dsarExtendedUntil(deadline, zone).getTime() - deadline.getTime();
      expect(length).toBeLessThanOrEqual(60 * DAY);
      expect(length).toBeGreaterThanOrEqual(57 * DAY);
    }),
  );
});

test('a breach must be notified exactly 72 hours after it became known', () => {
  fc.assert(
    fc.property(instants, (aware) => {
      expect(breachNotifyBy(aware).getTime() - aware.getTime()).toBe(72 * HOUR);
    }),
  );
});

test('no deadline changes the date that it is computed from', () => {
  const at = new Date('2026-11-21T09:30:00.000Z');
  dsarDueAt(at, 'UTC');
  dsarExtendedUntil(at, 'UTC');
  breachNotifyBy(at);
  expect(at.toISOString()).toBe('2026-11-21T09:30:00.000Z');
});

test('requests are warned of 7 days, breaches 24 hours before their deadline', () => {
  expect([DSAR_NOTICE, BREACH_NOTICE]).toEqual([7 * DAY, 24 * HOUR]);
});
