import type { Knex } from 'knex';
import { connect } from '../../server/src/db/knex';
import { dropPartitionsBefore, ensurePartitions, listPartitions } from '../../server/src/db/partitions';
import { cloneDatabase } from '../helpers/database';

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let db: Knex;

beforeEach(async () => {
  database = await cloneDatabase();
  db = connect(database.url, 8);
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
});

const at = (text: string): Date => new Date(`${text}T00:00:00.000Z`);
const names = async (): Promise<string[]> =>
  (await listPartitions(db))
    .filter(({ table }) => table === 'consents')
    .map(({ name }) => name)
    .sort();

const row = (id: number) => ({
  ...{ environment_id: '00000000-0000-0000-0000-000000000001', recorded_at: new Date() },
  ...{
    consent_id: `00000000-0000-0000-0000-${String(id).padStart(12, '0')}`,
    session_id: '00000000-0000-0000-0000-000000000002',
  },
  ...{ decision: 'accept_all', categories: {}, policy_version: '1', banner_version: 1, method: 'banner' },
  ...{ language: 'en', ip_masked: '203.0.***.***', gpc: false, expires_at: new Date() },
});

test('months are made from the one before to three after, also over the turn of a year, and once only', async () => {
  const before = await names();
  await ensurePartitions(db, at('2031-12-31'));
  const made = (await names()).filter((name) => !before.includes(name));
  expect(made).toEqual(
    ['2031_11', '2031_12', '2032_01', '2032_02', '2032_03'].map((month) => `consents_${month}`),
  );
  await ensurePartitions(db, at('2031-12-01'));
  expect(await names()).toHaveLength(before.length + 5);
});

test('several processes at once make each month once', async () => {
  await Promise.all(
    Array.from({ length: 6 }, () => ensurePartitions(db, at('2031-06-15'), at('2032-06-15'))),
  );
  expect((await names()).filter((name) => name >= 'consents_2031')).toHaveLength(17);
});

test('a new month has every index and the primary key of the table', async () => {
  const indexes = async (table: string): Promise<string[]> => {
    const { rows } = await db.raw<{ rows: { definition: string }[] }>(
      `SELECT regexp_replace(pg_get_indexdef(indexrelid), '^.* USING ', '') || CASE WHEN indisprimary THEN ' primary' ELSE '' END AS definition
       FROM pg_index WHERE indrelid = ?::regclass ORDER BY 1`,
      [table],
    );
    return rows.map(({ definition }) => definition);
  };
  await ensurePartitions(db, at('2031-06-15'));
  expect(await indexes('consents_2031_06')).toEqual(await indexes('consents'));
  expect(await indexes('consents')).toHaveLength(5);
});

test('while somebody reads for long, months are still made, decisions still stored, and drops put off', async () => {
  await ensurePartitions(db, at('2020-02-01'));
  const reader = await db.transaction();
  await reader.raw('SELECT count(*) FROM consents');
  try {
    await ensurePartitions(db, at('2031-06-15'));
    const drop = dropPartitionsBefore(db, 'consents', at('2021-01-01'));
    await db('consents').insert(row(1));
    expect(await drop).toEqual([]);
  } finally {
    await reader.rollback();
  }
  expect(await dropPartitionsBefore(db, 'consents', at('2021-01-01'))).toHaveLength(5);
  expect(await db('consents').count('* as n')).toEqual([{ n: 1 }]);
});
