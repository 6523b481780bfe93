import { randomBytes, randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import * as erasing from '../../server/src/db/erase-site';
import { connect } from '../../server/src/db/knex';
import { defaultSettings } from '../../server/src/domain/settings';
import { eraseDeletedSites } from '../../server/src/jobs/deleted-sites';
import { createLogger } from '../../server/src/observability/logger';
import { insertEnvironment } from '../../server/src/services/environments';
import { addTrigger } from '../helpers/cluster/instruments';
import { cloneDatabase } from '../helpers/database';
import { sealing } from '../helpers/ledger/group-key';
import { account } from '../helpers/site/accounts';

// So that a test sees the turns, and can do something between two of them.
jest.mock('../../server/src/db/erase-site', () => ({
  ...jest.requireActual('../../server/src/db/erase-site'),
}));

const HOUR = 3_600_000;
const NOW = new Date('2026-11-21T12:00:00.000Z');
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let db: Knex;
let log: ReturnType<typeof createLogger>;

beforeEach(async () => {
  // Of its own, because a failure that lasts is told once.
  log = createLogger('silent');
  database = await cloneDatabase();
  db = sealing(connect(database.url, 4));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await db.destroy();
  await database.drop();
});

async function site(createdBy: number): Promise<string> {
  const settings = defaultSettings();
  return (await insertEnvironment(db, { name: 'Shop', domain: 'shop.example', settings, createdBy })).id;
}

/** Deleted so many hours ago. */
const deleted = (id: string, hours: number): Promise<unknown> =>
  db('environments')
    .where({ id })
    .update({ deleted_at: new Date(NOW.getTime() - hours * HOUR) });

/** Choices of so many visitors. */
const choices = (id: string, count: number) =>
  db.raw(
    `INSERT INTO session_choices SELECT ?::uuid, gen_random_uuid(), gen_random_uuid(), 'accept_all', '{}', '1', ?, now()
     FROM generate_series(1, ?)`,
    [id, NOW, count],
  );

/** The sites in the order of their turns. */
function watchTurns(between: (id: string) => Promise<unknown> = async () => undefined): string[] {
  const turns: string[] = [];
  const { erasureOf } = erasing;
  jest.spyOn(erasing, 'erasureOf').mockImplementation(async function* (one, id) {
    for (const erasure = erasureOf(one, id); ; ) {
      turns.push(id);
      const { done } = await erasure.next();
      await between(id);
      if (done) return;
      yield;
    }
  });
  return turns;
}

test('makers take turns, however many sites one deletes', async () => {
  const [one, other] = [await account(db), await account(db)];
  const many = [await site(one), await site(one), await site(one)] as const;
  const last = await site(other);
  for (const [n, id] of [...many, last].entries()) {
    await choices(id, 5_001);
    await deleted(id, 10 - n);
  }
  const turns = watchTurns();
  await eraseDeletedSites(db, log, NOW);
  const [a, b, c] = many;
  expect(turns).toEqual([a, last, b, last, c, a, b, c]);
  expect(await db('environments')).toEqual([]);
});

test('an invited account shares the turns of its group', async () => {
  const founder = await account(db);
  const invited = await account(db, { sponsor_id: founder });
  const [one, two, other] = [await site(founder), await site(invited), await site(await account(db))];
  for (const [n, id] of [one, two, other].entries()) await deleted(id, 10 - n);
  const turns = watchTurns();
  await eraseDeletedSites(db, log, NOW);
  expect(turns).toEqual([one, other, two]);
});

test('what another deletes meanwhile gets its turn in the next round', async () => {
  const large = await site(await account(db));
  const small = await site(await account(db));
  await choices(large, 10_001);
  await deleted(large, 2);
  const turns = watchTurns((id) => (id === large ? deleted(small, 1) : Promise.resolve()));
  await eraseDeletedSites(db, log, NOW);
  expect(turns).toEqual([large, large, small, large]);
});

test('what was deleted just now waits until writes on their way have arrived', async () => {
  const fresh = await site(await account(db));
  await deleted(fresh, 0);
  await eraseDeletedSites(db, log, NOW);
  expect(await db('environments').pluck('id')).toEqual([fresh]);
});

/** How many rows each statement erased of a table. */
function watchBatches(table: string): number[] {
  const batches: number[] = [];
  db.on(
    'query-response',
    (_: unknown, { sql, response }: { sql: string; response: { rowCount: number } }) => {
      if (sql.startsWith(`delete from "${table}"`)) batches.push(response.rowCount);
    },
  );
  return batches;
}

test('no statement erases more than eight mebibytes, or one row that is longer', async () => {
  const id = await site(await account(db));
  for (const megabytes of [1, 1, 1, 1, 1, 1, 1, 12, 1, 1])
    await db('bundles').insert({
      ...{
        environment_id: id,
        hash: randomUUID(),
        script: randomBytes(megabytes * 768 * 1_024).toString('base64'),
      },
      ...{ integrity: '', bytes: 1, gzip_bytes: 1, config: '{}', texts: '{}', vendors: '[]', warnings: '[]' },
      ...{ program_digest: '', settings_version: 1, vendor_list_version: 1 },
      ...{ created_at: NOW, published_at: NOW },
    });
  const [{ most }] = await db('bundles').select(db.raw('max(pg_column_size(script)) AS most'));
  expect(most).toBeGreaterThan(8 * 2 ** 20);
  await deleted(id, 1);
  const batches = watchBatches('bundles');
  await eraseDeletedSites(db, log, NOW);
  expect(batches.reduce((sum, n) => sum + n)).toBe(10);
  expect(Math.max(...batches)).toBeLessThan(9);
  expect(await db('environments')).toEqual([]);
}, 60_000);

describe('a statement that is cancelled because it takes too long', () => {
  /** Cancels what erases more than so many choices at once. */
  const cancel = (most: number) =>
    addTrigger(database.url, {
      ...{ name: 'cancel', table: 'session_choices', event: 'BEFORE DELETE' },
      body: `PERFORM set_config('test.n', (coalesce(nullif(current_setting('test.n', true), ''), '0')::int + 1)::text, true);
        IF current_setting('test.n')::int > ${most} THEN
          RAISE 'canceling statement due to statement timeout' USING ERRCODE = '57014';
        END IF;
        RETURN OLD;`,
    });

  test('is tried with half as much, down to one row', async () => {
    const id = await site(await account(db));
    await choices(id, 3);
    await deleted(id, 1);
    await cancel(1);
    const batches = watchBatches('session_choices');
    await eraseDeletedSites(db, log, NOW);
    expect(batches.filter((n) => n > 0)).toEqual([1, 1, 1]);
    expect(await db('environments')).toEqual([]);
  });

  test('fails with one row: the site is tried again in the next run', async () => {
    const id = await site(await account(db));
    await choices(id, 3);
    await deleted(id, 1);
    const mend = await cancel(0);
    const told = jest.spyOn(log, 'error').mockImplementation(() => undefined);
    await eraseDeletedSites(db, log, NOW);
    expect(told.mock.calls).toHaveLength(1);
    expect(await db('session_choices')).toHaveLength(3);
    await mend();
    await eraseDeletedSites(db, log, NOW);
    expect(await db('environments')).toEqual([]);
  });
});
