import fc from 'fast-check';
import {
  BREACH_NOTICE,
  breachNotifyBy,
  DSAR_NOTICE,
  dsarDueAt,
  dsarExtendedUntil,
} from '../../server/src/domain/deadlines';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const instants = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });

test('a request is due exactly 30 days after it was created, whatever month, leap year or change of clocks', () => {
  fc.assert(
    fc.property(instants, (created) => {
      expect(dsarDueAt(created).getTime() - created.getTime()).toBe(30 * DAY);
    }),
  );
  expect(dsarDueAt(new Date('2028-01-31T23:59:59.999Z')).toISOString()).toBe('2028-03-01T23:59:59.999Z');
  expect(dsarDueAt(new Date('2026-03-15T01:30:00.000Z')).toISOString()).toBe('2026-04-14T01:30:00.000Z');
});

test('an extension adds exactly 60 days to the first deadline', () => {
  fc.assert(
    fc.property(instants, (created) => {
      const until = dsarExtendedUntil(dsarDueAt(created));
      expect(until.getTime() - created.getTime()).toBe(90 * DAY);
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
  for (const rule of [dsarDueAt, dsarExtendedUntil, breachNotifyBy]) rule(at);
  expect(at.toISOString()).toBe('2026-11-21T09:30:00.000Z');
});

test('requests are warned of 7 days, breaches 24 hours before their deadline', () => {
  expect([DSAR_NOTICE, BREACH_NOTICE]).toEqual([7 * DAY, 24 * HOUR]);
});
