import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { connect } from '../../server/src/db/knex';
import { ensurePartitions, listPartitions } from '../../server/src/db/partitions';
import { allow } from '../../server/src/db/retention-holds';
import { defaultSettings } from '../../server/src/domain/settings';
import { applyRetention } from '../../server/src/jobs/retention';
import { createLogger } from '../../server/src/observability/logger';
import { insertEnvironment } from '../../server/src/services/environments';
import { addTrigger } from '../helpers/cluster/instruments';
import { cloneDatabase } from '../helpers/database';
import { sealing } from '../helpers/ledger/group-key';

const DAY = 86_400_000;
const NOW = new Date('2026-11-21T12:00:00.000Z');
const log = createLogger('silent');
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let db: Knex;

beforeEach(async () => {
  database = await cloneDatabase();
  db = sealing(connect(database.url, 4));
  await ensurePartitions(db, new Date(NOW.getTime() - 400 * DAY), NOW);
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
});

async function site(retention: object = {}): Promise<string> {
  const settings = { ...defaultSettings(), retention_days: { consents: 30, events: 90, ...retention } };
  const site = { name: 'Shop', domain: 'shop.example', settings, createdBy: null };
  const { id } = await insertEnvironment(db, site);
  await allowed(id);
  return id;
}

/** An owner allows the next run that needs it to delete as much as it wants. */
const allowed = (id: string): Promise<unknown> => {
  const allowed_until = new Date(NOW.getTime() + 10 * DAY);
  return allow(db, id, { allowed_records: 1_000, allowed_until, allowed_by: null });
};

/** Decisions with their choices, so many days old. */
async function decided(environment_id: string, ages: number[]): Promise<void> {
  const said = { decision: 'accept_all', categories: {}, policy_version: '1', expires_at: NOW };
  const shown = {
    banner_version: 1,
    method: 'banner',
    language: 'en',
    ip_masked: '203.0.***.***',
    gpc: false,
  };
  for (const age of ages) {
    const ids = { environment_id, session_id: randomUUID(), consent_id: randomUUID() };
    const row = { ...ids, ...said, recorded_at: new Date(NOW.getTime() - age * DAY) };
    await db('consents').insert({ ...row, ...shown });
    await db('session_choices').insert(row);
  }
}

const records = (environment_id: string) =>
  db('erasures')
    .where({ environment_id })
    .orderBy(['begun_at', 'rule'])
    .select('rule', 'day', 'running', 'whole', 'consents', 'choices', 'user_id', 'kind');

const consents = (day: string, n: number, rest: object = {}) => ({
  ...{ rule: 'consents', day, running: 0, whole: true, consents: n, choices: n },
  ...{ user_id: null, kind: 'retention' },
  ...rest,
});

test('runs of a day share one record for each site and rule, and the next day has its own', async () => {
  const [shop, idle] = [await site(), await site()];
  await decided(shop, [31, 31, 29.5, 0]);
  await decided(idle, [1]);
  await applyRetention(db, log, NOW);
  expect(await records(shop)).toEqual([consents('2026-11-21', 2)]);
  await applyRetention(db, log, new Date(NOW.getTime() + 3_600_000));
  expect(await records(shop)).toEqual([consents('2026-11-21', 2)]);
  await decided(shop, [31]);
  await applyRetention(db, log, new Date(NOW.getTime() + 7_200_000));
  expect(await records(shop)).toEqual([consents('2026-11-21', 3)]);
  await applyRetention(db, log, new Date(NOW.getTime() + DAY));
  expect(await records(shop)).toEqual([consents('2026-11-21', 3), consents('2026-11-22', 1)]);
  expect(await records(idle)).toEqual([]);
});

test('what goes with a whole month is counted, and a month that is in use leaves no record of it', async () => {
  const shop = await site();
  await decided(shop, [300, 300, 1]);
  const other = connect(database.url, 1);
  const reader = await other.transaction();
  await reader.raw('SELECT count(*) FROM consents');
  // The records go one by one.
  await applyRetention(db, log, NOW);
  const stay = (await listPartitions(db)).some(
    ({ table, end }) => table === 'consents' && end.getTime() < NOW.getTime() - 300 * DAY,
  );
  expect(stay).toBe(true);
  expect(await records(shop)).toEqual([consents('2026-11-21', 2)]);
  await reader.commit();
  await other.destroy();
  await decided(shop, [300]);
  await allowed(shop);
  const inMonths = (await listPartitions(db)).length;
  await applyRetention(db, log, new Date(NOW.getTime() + DAY));
  expect((await listPartitions(db)).length).toBeLessThan(inMonths);
  expect(await records(shop)).toEqual([consents('2026-11-21', 2), consents('2026-11-22', 1)]);
});

/** Refuses to delete from a table; resolves to what allows it again. */
const refuse = (table: string, error = "'refused'"): Promise<() => Promise<void>> =>
  addTrigger(database.url, { name: 'refuse', table, event: 'BEFORE DELETE', body: `RAISE ${error};` });

const event = (environment_id: string, age: number): Promise<unknown> =>
  db('events').insert({
    ...{ environment_id, event_id: randomUUID(), occurred_at: new Date(NOW.getTime() - age * DAY) },
    ...{ event: 'consent.recorded', subject_id: randomUUID(), payload: '{}' },
  });

test('a run that fails in the middle is incomplete with what had gone, until the next one of the day', async () => {
  const shop = await site();
  await decided(shop, [31, 31]);
  const permit = await refuse('session_choices');
  await expect(applyRetention(db, log, NOW)).rejects.toThrow('refused');
  const broken = consents('2026-11-21', 2, { whole: false, choices: 0 });
  expect(await records(shop)).toEqual([broken]);
  await permit();
  await applyRetention(db, log, NOW);
  expect(await records(shop)).toEqual([{ ...broken, whole: true, choices: 2 }]);
});

test('that of a rule of which the next run finds nothing more is complete then, too', async () => {
  const shop = await site();
  await decided(shop, [31]);
  await event(shop, 91);
  await db('session_choices').delete();
  const permit = await refuse('events');
  for (let n = 0; n < 2; n += 1) {
    await expect(applyRetention(db, log, NOW)).rejects.toThrow('refused');
    expect(await records(shop)).toEqual([consents('2026-11-21', 1, { whole: false, choices: 0 })]);
  }
  await permit();
  await applyRetention(db, log, NOW);
  expect(await records(shop)).toMatchObject([
    consents('2026-11-21', 1, { choices: 0 }),
    { rule: 'events', running: 0, whole: true },
  ]);
});

test('a month that cannot be dropped is emptied row by row, is counted once, and the run fails', async () => {
  const shop = await site();
  await decided(shop, [300]);
  const at = new Date(NOW.getTime() - 300 * DAY);
  const months = await listPartitions(db);
  const name = months.find((one) => one.table === 'consents' && one.start <= at && at < one.end)?.name;
  await db.raw('CREATE VIEW watching AS SELECT * FROM ??', [name as string]);
  await expect(applyRetention(db, log, NOW)).rejects.toThrow('depend');
  expect(await records(shop)).toEqual([consents('2026-11-21', 1)]);
  expect(await db('consents')).toEqual([]);
  await db.raw('DROP VIEW watching');
  await applyRetention(db, log, NOW);
  expect(await records(shop)).toEqual([consents('2026-11-21', 1)]);
});

test('what may have gone without being counted stays incomplete for good', async () => {
  const shop = await site();
  await decided(shop, [31]);
  const mend = await refuse('session_choices', "'lost' USING ERRCODE = '08006'");
  await expect(applyRetention(db, log, NOW)).rejects.toThrow('lost');
  const broken = consents('2026-11-21', 1, { running: 1, whole: false, choices: 0 });
  expect(await records(shop)).toEqual([broken]);
  await mend();
  await applyRetention(db, log, NOW);
  // Of what is still running, the contract says that it is incomplete.
  expect(await records(shop)).toEqual([{ ...broken, whole: true, choices: 1 }]);
});

test('records of erasures are kept as long as the site says, and their end makes no further one', async () => {
  const [usual, short] = [await site(), await site({ erasures: 40 })];
  const row = { running: 0, whole: true, kind: 'session', found_by: [], consents: 1, choices: 0 };
  const none = { form_consents: 0, requests: 0, events: 0, deliveries: 0 };
  for (const environment_id of [usual, short])
    for (const age of [1_096, 1_094, 41, 39])
      await db('erasures').insert({
        ...{ ...row, ...none, environment_id, erasure_id: randomUUID() },
        begun_at: new Date(NOW.getTime() - age * DAY),
      });
  await applyRetention(db, log, NOW);
  expect(await records(usual)).toHaveLength(3);
  expect(await records(short)).toHaveLength(1);
});
