import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { insertEnvironment } from '../../server/src/api/environments';
import { connect } from '../../server/src/db/knex';
import { ensurePartitions, listPartitions } from '../../server/src/db/partitions';
import { newCode } from '../../server/src/domain/ids';
import { defaultSettings } from '../../server/src/domain/settings';
import { applyRetention } from '../../server/src/jobs/retention';
import { createLogger } from '../../server/src/logger';
import { cloneDatabase } from '../helpers/database';

const DAY = 86_400_000;
const NOW = new Date('2026-11-21T12:00:00.000Z');
const log = createLogger('silent');
let database: Awaited<ReturnType<typeof cloneDatabase>>;
let db: Knex;

beforeEach(async () => {
  database = await cloneDatabase();
  db = connect(database.url, 4);
  await ensurePartitions(db, new Date(NOW.getTime() - 400 * DAY), NOW);
});
afterEach(async () => {
  await db.destroy();
  await database.drop();
});

/** A site that keeps consents for so many days. */
async function site(days: number): Promise<string> {
  const settings = { ...defaultSettings(), retention_days: { consents: days, events: 90 } };
  const { id } = await insertEnvironment(db, {
    name: 'Shop',
    domain: 'shop.example',
    settings,
    createdBy: null,
  });
  return id;
}

/** What a visitor left so many milliseconds before now, in each of the three tables. */
async function leave(environment_id: string, ages: number[]): Promise<void> {
  const rows = ages.map((age) => ({ environment_id, recorded_at: new Date(NOW.getTime() - age) }));
  const common = { decision: 'accept_all', categories: {}, policy_version: '1', expires_at: NOW };
  const shown = {
    banner_version: 1,
    method: 'banner',
    language: 'en',
    ip_masked: '203.0.***.***',
    gpc: false,
  };
  await db.batchInsert(
    'consents',
    rows.map((row) => ({ ...row, ...common, ...shown, consent_id: randomUUID(), session_id: randomUUID() })),
    500,
  );
  await db.batchInsert(
    'session_choices',
    rows.map((row) => ({ ...row, ...common, consent_id: randomUUID(), session_id: randomUUID() })),
    500,
  );
  await db.batchInsert(
    'form_consents',
    rows.map((row) => ({
      ...row,
      ...{
        form_consent_id: randomUUID(),
        form_id: 'newsletter',
        form_url: 'https://shop.example/',
        external_id: 'x',
      },
      ...{ statements: '[]', double_opt_in: 'none', language: 'en', ip_masked: '203.0.***.***' },
    })),
    500,
  );
}

/** The ages of what is left, in milliseconds, oldest first. */
async function left(table: string, environment_id: string): Promise<number[]> {
  const times: Date[] = await db(table).where({ environment_id }).orderBy('recorded_at').pluck('recorded_at');
  return times.map((at) => NOW.getTime() - at.getTime());
}

const TABLES = ['consents', 'session_choices', 'form_consents'];

test('each site keeps its own time, to the millisecond', async () => {
  const [short, long] = [await site(30), await site(365)];
  const ages = [400 * DAY, 365 * DAY + 1, 365 * DAY, 30 * DAY + 1, 30 * DAY, 0];
  for (const id of [short, long]) await leave(id, ages);
  await applyRetention(db, log, NOW);
  for (const table of TABLES) {
    expect([table, await left(table, short)]).toEqual([table, [30 * DAY, 0]]);
    expect([table, await left(table, long)]).toEqual([table, [365 * DAY, 30 * DAY + 1, 30 * DAY, 0]]);
  }
  await applyRetention(db, log, NOW);
  expect(await left('consents', long)).toHaveLength(4);
});

test('months that every site has outlived are dropped, and no others', async () => {
  const months = async (): Promise<string[]> => (await listPartitions(db)).map(({ name }) => name).sort();
  const before = await months();
  await applyRetention(db, log, NOW);
  expect(await months()).toEqual(before);
  await site(61);
  await site(30);
  await applyRetention(db, log, NOW);
  // 61 days before is 21 September: August has ended by then, September not. Events are kept for 90 days.
  const kept = (name: string): boolean =>
    name.startsWith('events') ? name >= 'events_2026_08' : name >= 'consents_2026_09';
  expect(await months()).toEqual(before.filter(kept));
});

test('thousands of rows with the same instant go in pieces, all of them', async () => {
  const id = await site(30);
  await leave(id, [...Array(10_050).fill(31 * DAY), ...Array(10).fill(29 * DAY)]);
  await applyRetention(db, log, NOW);
  for (const table of TABLES) expect(await left(table, id)).toEqual(Array(10).fill(29 * DAY));
}, 60_000);

test('what lives for a fixed short time goes, the rest stays', async () => {
  const at = (age: number): Date => new Date(NOW.getTime() - age);
  const nil = '00000000-0000-0000-0000-000000000000';
  await db('idempotency_keys').insert(
    [1, 0].map((age) => ({
      environment_id: nil,
      scope: 's',
      key: String(age),
      body_hash: Buffer.alloc(32),
      expires_at: at(age),
    })),
  );
  await db('login_failures').insert(
    [1, 0].map((age) => ({ who: Buffer.from([age]), failures: 1, window_end: at(age) })),
  );
  await db('invitations').insert(
    [1, 0].map((age) => ({ code_hash: Buffer.from(newCode()), user_id: null, expires_at: at(age) })),
  );
  await applyRetention(db, log, NOW);
  expect(await db('idempotency_keys').pluck('key')).toEqual(['0']);
  expect(await db('login_failures').pluck('window_end')).toEqual([NOW]);
  expect(await db('invitations').pluck('expires_at')).toEqual([NOW]);
});

test('a stop ends it between two pieces', async () => {
  const id = await site(30);
  await leave(
    id,
    Array(6_000)
      .fill(31 * DAY)
      .map((age, n) => age + n),
  );
  await applyRetention(db, log, NOW, AbortSignal.abort());
  expect(await left('consents', id)).toHaveLength(6_000);
  await applyRetention(db, log, NOW);
  expect(await left('consents', id)).toEqual([]);
}, 60_000);

test('an answered request is erased after the days that its site says, an open one never', async () => {
  const own = { ...defaultSettings(), retention_days: { consents: 1825, events: 90, requests: 30 } };
  const sites = [own, defaultSettings()].map((settings) =>
    insertEnvironment(db, { name: 'Shop', domain: 'shop.example', settings, createdBy: null }),
  );
  const [short, usual] = await Promise.all(sites);
  const request = (environment_id: string, age: number, status: string) => {
    const at = new Date(NOW.getTime() - age * DAY);
    const person = { request_type: 'access', email: 'a@example.com', email_key: 'a@example.com' };
    const resolved = status === 'resolved' ? { resolved_at: at, resolution: 'fulfilled' } : {};
    const times = { created_at: at, due_at: at, history: '[]', language: 'en' };
    return { environment_id, request_id: randomUUID(), status, ...person, ...times, ...resolved };
  };
  for (const id of [short?.id as string, usual?.id as string]) {
    const rows = [2_000, 1_094, 31, 29].map((age) => request(id, age, 'resolved'));
    await db('dsar_requests').insert([...rows, request(id, 2_000, 'in_progress')]);
  }
  await applyRetention(db, log, NOW);
  const count = async (site: { id: string } | undefined) =>
    db('dsar_requests').where({ environment_id: site?.id }).orderBy('created_at').pluck('status');
  expect(await count(short)).toEqual(['in_progress', 'resolved']);
  expect(await count(usual)).toEqual(['in_progress', 'resolved', 'resolved', 'resolved']);
});
