import { seriesOf } from '../../server/src/services/analytics-series';

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
