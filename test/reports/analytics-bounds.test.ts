import { bucketFinder } from '../../server/src/domain/time-zone';
import { HELD_ANSWERS } from '../../server/src/http/held';
import { analyticsJson } from '../../server/src/services/analytics-report';
import { seriesOf } from '../../server/src/services/analytics-series';
import { useServer } from '../helpers/server';

const server = useServer({ variables: { ROLE: 'api' } });

const DAY = 86_400_000;
const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
const NONE = { language: null, banner_version: null, device: null };

/** Runs a task to its end: what it makes, and the most work that one turn of it does. */
function run<Made>(task: Generator<unknown, Made>, work: () => number = () => 0) {
  let most = 0;
  for (let turns = 1; ; turns += 1) {
    const before = work();
    const step = task.next();
    most = Math.max(most, work() - before);
    if (step.done) return { made: step.value, turns, most };
  }
}

describe('hours of a long range', () => {
  const range = { from: '2026-01-20', to: '2026-04-23', before: '2025-10-19' };
  const hours = (zone: string, about = range) =>
    seriesOf(zone, about, { rows: [], hours: [] }, { interval: 'hour' });
  const asked = () => jest.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
  afterEach(() => jest.restoreAllMocks());

  test('are found in small pieces, with few looks at the clocks of the zone', () => {
    const looks = asked();
    const { made, most } = run(hours('Europe/Berlin'), () => looks.mock.calls.length);
    expect(made.series.length).toBe(93 * 24 - 1);
    // Some for each day, and two for each quarter of the day on which clocks change.
    expect(looks.mock.calls.length).toBeLessThan(93 * 4 + 96 * 4);
    expect(most).toBeLessThan(20);
  });

  test('leave the memory alone that visitors share', () => {
    const look = () => {
      const bucket = bucketFinder('Europe/Vienna');
      for (let quarter = 0; quarter < 96; quarter += 1) bucket(Date.UTC(2026, 4, 1) + quarter * 900_000);
    };
    look();
    run(hours('Europe/Vienna'));
    const looks = asked();
    look();
    expect(looks.mock.calls.length).toBe(0);
  });

  test.each([
    ...['Europe/Berlin', 'America/St_Johns', 'Pacific/Chatham', 'Australia/Lord_Howe', 'America/Havana'],
    ...['Africa/Cairo', 'Africa/Casablanca', 'America/Santiago', 'Atlantic/Azores', 'Asia/Kathmandu', 'UTC'],
  ])('%s: are those that its visitors are counted under', (zone) => {
    for (const from of ['2026-01-20', '2026-03-29', '2026-04-04', '2026-08-30', '2026-10-24']) {
      const starts = run(hours(zone, { ...range, from, to: dayAfter(from, 60) })).made.series;
      const bucket = bucketFinder(zone);
      const counted = new Set<string>();
      for (let at = Date.parse(from) - DAY; at < Date.parse(from) + 61 * DAY; at += 900_000) {
        const { day, hour } = bucket(at);
        if (day >= from && day < dayAfter(from, 60)) counted.add(hour);
      }
      expect(starts.map(({ start }) => start)).toEqual([...counted]);
    }
  });
});

describe('points and categories', () => {
  const range = { from: '2024-01-01', to: '2026-01-01', before: '2022-01-01' };
  const rowsOf = (categories: number) =>
    Array.from({ length: 731 }, (_, day) => ({
      ...NONE,
      bucket: dayAfter(range.from, day),
      sums: Array.from({ length: categories }, (_, n): [string, string, number] => ['granted', `c${n}`, 1]),
    }));

  test('are counted before a series is made: too many are refused, as many as fit are not', () => {
    const ask = (categories: number) =>
      run(seriesOf('Europe/Berlin', range, { rows: rowsOf(categories), hours: [] }, {}));
    expect(ask(100).made.series.length).toBe(731);
    const many = rowsOf(140);
    expect(() => run(seriesOf('Europe/Berlin', range, { rows: many, hours: [] }, {}))).toThrow(
      expect.objectContaining({
        errors: [
          expect.objectContaining({ path: 'query.from', message: expect.stringMatching(/103071 .*100000/) }),
        ],
      }),
    );
  });

  test('of groups are counted, too', () => {
    const rows = ['de', 'en', 'fr'].flatMap((language) => rowsOf(60).map((row) => ({ ...row, language })));
    const ask = () =>
      run(seriesOf('Europe/Berlin', range, { rows, hours: [] }, { group_by: 'language' as const }));
    expect(ask).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ path: 'query.group_by' })] }),
    );
  });

  test('a report yields after each group of a breakdown, each point, and each part of its text', () => {
    const versions = Array.from({ length: 1_500 }, (_, n) => ({
      ...NONE,
      bucket: null,
      banner_version: n + 1,
      sums: [['decision', 'accept_all', n] as [string, string, number]],
    }));
    const counted = { hours: [], totals: [], previous: [], robots: [] };
    const { made, turns } = run(
      analyticsJson('Europe/Berlin', range, { ...counted, rows: [...rowsOf(30), ...versions] }, {}),
    );
    const report = JSON.parse(Buffer.concat([...made.bytes]).toString());
    expect(report.by_banner_version.length).toBe(1_000);
    expect(report.by_banner_version[0]).toMatchObject({ key: '1500', decisions: 1_499 });
    expect([report.series.length, report.series[7].categories.length, report.groups]).toEqual([731, 30, []]);
    // Three breakdowns look at each row; points and their text yield, too.
    expect(turns).toBeGreaterThan(3 * (731 + 1_500) + 2 * 731);
    expect(Math.max(...made.bytes.map(({ length }) => length))).toBeLessThan(500_000);
  });
});

describe('an answer', () => {
  test('has the categories that were decided about most often, in its totals and in each of its points', async () => {
    const { client, token } = await server.site();
    const { db } = server.service.context;
    const { id: environment_id } = await db('environments').where({ token }).first('id');
    const counts = Array.from({ length: 300 }, (_, n) => ({
      ...{
        environment_id,
        metric: n % 2 === 0 ? 'granted' : 'refused',
        key: `c${1_000 + n}`,
        slot: 0,
        n: n + 1,
      },
    }));
    const ofDay = { day: '2026-09-01', language: 'de', banner_version: 1, device: 'desktop' };
    await db('daily_counts').insert(counts.map((count) => ({ ...count, ...ofDay })));
    const hour = '2026-09-01T08:00:00Z';
    await db('hourly_counts').insert(counts.map((count) => ({ ...count, hour })));
    const kept = counts.slice(200).map(({ key }) => key);
    const range = { token, from: '2026-09-01', to: '2026-09-02' };
    for (const question of [{}, { interval: 'hour' as const }, { group_by: 'device' as const }]) {
      const { categories, series, groups } = await client.getAnalytics({ ...range, ...question });
      const points = [...series, ...groups.flatMap((group) => group.series)];
      const filled = points.filter((point) => point.categories.length > 0).map((point) => point.categories);
      expect(filled.length).toBe('group_by' in question ? 2 : 1);
      for (const rates of [categories, ...filled])
        expect(rates.map(({ category }) => category)).toEqual(kept);
    }
  });

  test('is never serialised in one go, and is counted while its reader has not taken it', async () => {
    const { client, token } = await server.site();
    const serialise = jest.spyOn(JSON, 'stringify');
    const hold = jest.spyOn(HELD_ANSWERS, 'hold');
    try {
      const { series } = await client.getAnalytics({ token, from: '2024-01-01', to: '2025-12-31' });
      expect(series.length).toBe(730);
      const texts = serialise.mock.results.map(({ value }) => String(value ?? '').length);
      expect(Math.max(...texts)).toBeLessThan(10_000);
      expect(Math.max(0, ...hold.mock.calls.map(([, bytes]) => bytes))).toBeGreaterThan(100_000);
    } finally {
      serialise.mockRestore();
      hold.mockRestore();
    }
  });
});
