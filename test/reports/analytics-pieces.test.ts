import { seriesOf } from '../../server/src/services/analytics-series';
import { useServer } from '../helpers/server';

const server = useServer({ variables: { ROLE: 'api' } });

test('a series is put together point by point, so that others have their turn in between', () => {
  const sums = { rows: [], hours: [] };
  const range = { from: '2026-01-01', to: '2026-12-31', before: '2025-01-02' };
  const task = seriesOf('Europe/Berlin', range, sums, {});
  let pieces = 0;
  let step = task.next();
  for (; !step.done; step = task.next()) pieces += 1;
  // Once for each day's first instant and once for each point.
  expect([pieces, step.value.series.length]).toEqual([2 * 364, 364]);
});

test('of one account one report at a time is read, so that nobody waits behind several', async () => {
  const { client, token } = await server.site();
  const { db } = server.service.context;
  let reading = 0;
  let most = 0;
  const isOne = ({ sql }: { sql: string }): boolean => /FROM hourly_counts/.test(sql);
  const begin = (query: { sql: string }): void => {
    if (!isOne(query)) return;
    reading += 1;
    most = Math.max(most, reading);
  };
  const end = (_: unknown, query: { sql: string }): void => {
    if (isOne(query)) reading -= 1;
  };
  db.on('query', begin).on('query-response', end);
  try {
    const ask = () => client.getAnalytics({ token, interval: 'hour', from: '2026-09-01', to: '2026-11-01' });
    const reports = await Promise.all(Array.from({ length: 6 }, ask));
    expect(reports.map(({ series }) => series.length)).toEqual(Array(6).fill(61 * 24));
  } finally {
    db.removeListener('query', begin).removeListener('query-response', end);
  }
  expect(most).toBe(1);
});

test('an hour is one row of the database, however many counts it has', async () => {
  const { client, token } = await server.site();
  const { db } = server.service.context;
  const { id } = await db('environments').where({ token }).first('id');
  const hours = [0, 1].map((hour) => `2026-09-01T0${hour}:00:00Z`);
  const keys = Array.from({ length: 30 }, (_, n) => `category_${n}`);
  const of = (metric: string, key: string, n: number) =>
    hours.map((hour) => ({ environment_id: id, hour, metric, key, slot: 0, n }));
  await db('hourly_counts').insert([
    ...of('impression', '', 9),
    ...keys.flatMap((key, n) => [...of('granted', key, n), ...of('refused', key, 30 - n)]),
  ]);
  const rows: number[] = [];
  const count = (response: { rows?: unknown[] }, { sql }: { sql: string }): void => {
    if (/FROM hourly_counts/.test(sql)) rows.push(response.rows?.length ?? 0);
  };
  db.on('query-response', count);
  try {
    const { series } = await client.getAnalytics({
      ...{ token, interval: 'hour', from: '2026-09-01', to: '2026-09-02' },
    });
    expect([series[0]?.impressions, series[0]?.categories.length]).toEqual([9, 30]);
    expect(series[1]?.categories[7]).toMatchObject({
      granted: expect.any(Number),
      opt_in_rate: expect.any(Number),
    });
  } finally {
    db.removeListener('query-response', count);
  }
  expect(rows).toEqual([2]);
});
