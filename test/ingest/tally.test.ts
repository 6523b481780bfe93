import { toArrays } from '../../server/src/db/set-statement';
import { bucketFinder, isTimeZone } from '../../server/src/domain/time-zone';
import { tally } from '../../server/src/ingest/tally';
import { count, siteWith } from './entries';

const at = (time: string): number => Date.parse(time);

describe('the day and hour that an instant is counted under', () => {
  test.each([
    ['UTC', '2026-03-29T00:59:59.999Z', '2026-03-29', '2026-03-29T00:00:00.000Z'],
    // Berlin springs forward at 01:00 UTC: 02:00 does not exist.
    ['Europe/Berlin', '2026-03-28T23:30:00Z', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29', '2026-03-29T01:00:00.000Z'],
    // And falls back at 01:00 UTC: both hours named 02:00 are counted, each by itself.
    ['Europe/Berlin', '2026-10-25T00:10:00Z', '2026-10-25', '2026-10-25T00:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25T01:10:00Z', '2026-10-25', '2026-10-25T01:00:00.000Z'],
    // Half and quarter hours.
    ['Asia/Kolkata', '2026-01-01T18:29:59Z', '2026-01-01', '2026-01-01T17:30:00.000Z'],
    ['Asia/Kolkata', '2026-01-01T18:30:00Z', '2026-01-02', '2026-01-01T18:30:00.000Z'],
    ['Asia/Kathmandu', '2026-01-01T18:15:00Z', '2026-01-02', '2026-01-01T18:15:00.000Z'],
    ['America/St_Johns', '2026-07-01T02:29:00Z', '2026-06-30', '2026-07-01T01:30:00.000Z'],
    ['Pacific/Kiritimati', '2025-12-31T10:00:00Z', '2026-01-01', '2025-12-31T10:00:00.000Z'],
  ])('%s at %s', (zone, instant, day, hour) => {
    expect(bucketFinder(zone)(at(instant))).toEqual({ day, hour });
  });

  test('instants may come in any order', () => {
    const bucket = bucketFinder('Europe/Berlin');
    const instants = ['2026-10-25T01:10:00Z', '2026-10-24T21:59:00Z', '2026-10-25T01:20:00Z'];
    expect(instants.map((instant) => bucket(at(instant)).day)).toEqual([
      ...['2026-10-25', '2026-10-24', '2026-10-25'],
    ]);
  });
});

describe('the work of finding them', () => {
  /** How often the runtime is asked for a zone's clocks while some work is done: that is what costs. */
  function askedDuring(work: () => void): number {
    const asked = jest.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    work();
    const times = asked.mock.calls.length;
    asked.mockRestore();
    return times;
  }

  test('instants in no order cost a look for each quarter of an hour, at all sites of a zone together', () => {
    const sites = Array.from({ length: 5 }, () => bucketFinder('Europe/Lisbon'));
    const start = at('2026-05-01T00:00:00Z');
    const look = () => {
      // Each step leads to another quarter of the same two days.
      for (let step = 0; step < 1_000; step += 1)
        for (const bucket of sites) bucket(start + ((step * 97) % 192) * 900_000);
    };
    expect(askedDuring(look)).toBeLessThan(192 * 4);
    expect(askedDuring(look)).toBe(0);
  });

  test('a zone is one zone in each of its thousands of spellings', () => {
    const made = jest.spyOn(Intl, 'DateTimeFormat');
    const spellings = ['Atlantic/Faroe', 'atlantic/faroe', 'ATLANTIC/FAROE', 'aTLANTIC/fAROE'];
    expect(spellings.map(isTimeZone)).toEqual([true, true, true, true]);
    const times = made.mock.calls.length;
    made.mockRestore();
    expect(times).toBe(1);
    expect(bucketFinder('aTLANTIC/fAROE')(at('2026-07-01T23:10:00Z')).day).toBe('2026-07-02');
  });
});

describe('the counts of a group', () => {
  test('each row comes once, with everything that belongs to it added up', () => {
    const site = siteWith();
    const other = siteWith();
    const noon = at('2026-05-01T12:00:00Z');
    const { daily, hourly } = tally(
      [
        { site, counts: [count({ at: noon }), count({ at: noon, device: 'mobile' })] },
        { site, counts: [count({ at: noon + 1 })] },
        { site: other, counts: [count({ at: noon })] },
      ],
      3,
    );
    const rows = daily.map(({ environment_id, device, n, slot }) => [environment_id, device, n, slot]);
    expect(new Set(rows)).toEqual(
      new Set([
        [site.id, 'desktop', 2, 3],
        [site.id, 'mobile', 1, 3],
        [other.id, 'desktop', 1, 3],
      ]),
    );
    expect(hourly.map(({ environment_id, n }) => [environment_id, n])).toEqual(
      [
        [site.id, 3],
        [other.id, 1],
      ].sort(),
    );
  });

  test('a day is one row, however many hours it has', () => {
    const site = siteWith({ time_zone: 'Europe/Berlin' });
    const times = [
      '2026-05-01T08:00:00Z',
      '2026-05-01T09:00:00Z',
      '2026-05-01T21:59:00Z',
      '2026-05-01T22:00:00Z',
    ];
    const counts = times.map((time) => count({ at: at(time) }));
    const { daily, hourly } = tally([{ site, counts }], 0);
    expect(daily.map(({ day, n }) => [day, n])).toEqual([
      ['2026-05-01', 3],
      ['2026-05-02', 1],
    ]);
    expect(hourly).toHaveLength(4);
  });

  test('rows come in the same order whatever the order of the entries, so that two processes never wait in a circle', () => {
    const sites = [siteWith(), siteWith(), siteWith()];
    const entries = sites.flatMap((site) =>
      ['b', 'a', 'c'].map((key) => ({
        site,
        counts: [count({ at: 0, key }), count({ at: 0, metric: 'decision', key })],
      })),
    );
    expect(tally([...entries].reverse(), 0)).toEqual(tally(entries, 0));
  });
});

describe('columns as arrays of PostgreSQL', () => {
  test('texts are quoted, and nothing in them ends the quotation', () => {
    const rows = [
      { text: 'plain', n: 1, flag: true, json: { a: 'x"y' } },
      { text: 'a "b" \\ {c},d', n: 2, flag: false, json: null },
      { text: 'NULL', n: null, flag: undefined, json: [1] },
    ];
    expect(toArrays(rows, ['text', 'n', 'flag', 'json'])).toEqual([
      '{"plain","a \\"b\\" \\\\ {c},d","NULL"}',
      '{1,2,NULL}',
      '{true,false,NULL}',
      '{"{\\"a\\":\\"x\\\\\\"y\\"}",NULL,"[1]"}',
    ]);
    expect(toArrays([] as { a: string }[], ['a'])).toEqual(['{}']);
  });
});
