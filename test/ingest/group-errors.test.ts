import { isOfOneSite } from '../../server/src/ingest/group-errors';

test('a statement whose columns changed under it is no sign of a cluster', () => {
  const error = (message: string) => Object.assign(new Error(message), { code: '0A000', severity: 'ERROR' });
  expect(isOfOneSite(error('complex joins are only supported when all tables are on one node'))).toBe(true);
  expect(isOfOneSite(error('cached plan must not change result type'))).toBe(false);
});
