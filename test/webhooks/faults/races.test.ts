/** @jest-environment node */
import type { Knex } from 'knex';
import { catchUp } from '../../../server/src/webhooks/catch-up';
import { type ClaimedDelivery, claim, type Room } from '../../../server/src/webhooks/claim';
import { type Sent, settle } from '../../../server/src/webhooks/settle';
import type { TestServer } from '../../helpers/server';
import { until } from '../../helpers/until';
import {
  decide,
  expireLeases,
  siteWithWebhooks,
  startService,
  stored,
  webhookRow,
  whileLocked,
} from '../../helpers/webhooks/faults';
import { type Receiver, startReceiver } from '../../helpers/webhooks/receiver';

let api: TestServer;
let db: Knex;
beforeAll(async () => {
  api = await startService({ ROLE: 'api' });
  db = api.service.context.db;
});
afterAll(() => api.stop());

const SCHEDULE = [10, 120, 900, 7200];
const ROOM = { most: 8, failing: true };
const HOUR = 3_600_000;

const result = (status: number): Sent => ({
  ok: status < 300,
  gone: status === 410,
  status,
  startedAt: new Date(),
  endedAt: new Date(),
  responseBody: '',
  durationMs: 1,
  ...(status < 300 ? {} : { error: `The receiver answered ${status}.` }),
});

/** The site of each webhook, also of one that is gone by now. */
const siteOf = new Map<string, string>();

/** Claims for a webhook, of whatever site. */
async function claimOf(webhook_id: string, room: Room): Promise<ClaimedDelivery[]> {
  const row = await db('webhooks').where({ webhook_id }).first();
  if (row !== undefined) siteOf.set(webhook_id, row.environment_id);
  return claim(db, { environment_id: siteOf.get(webhook_id) as string, webhook_id }, room);
}

/** A webhook whose first events are claimed, as by a worker. */
async function inFlight(count: number) {
  const site = await siteWithWebhooks(api, ['http://127.0.0.1:9/']);
  await decide(api, site.token, count);
  const claimed = await claimOf(site.webhook_id, ROOM);
  expect(claimed).toHaveLength(count);
  const end = (index: number, status: number): Promise<boolean> =>
    settle(db, claimed[index] as ClaimedDelivery, result(status), SCHEDULE);
  return { ...site, claimed, end };
}

test('a success ends a failure that was counted while it was on its way', async () => {
  const { webhook_id, end } = await inFlight(3);
  await end(0, 500);
  await end(1, 500);
  expect(await webhookRow(api, webhook_id)).toMatchObject({ status: 'failing', consecutive_failures: 1 });
  await end(2, 200);
  expect(await webhookRow(api, webhook_id)).toMatchObject({
    ...{ status: 'active', consecutive_failures: 0, retry_at: null },
  });
});

test('what ends after the webhook was disabled changes neither when nor why', async () => {
  const { webhook_id, end } = await inFlight(4);
  await end(0, 410);
  const { disabled_at, disabled_reason } = await webhookRow(api, webhook_id);
  await end(1, 500);
  await end(2, 410);
  await end(3, 200);
  const after = await webhookRow(api, webhook_id);
  expect(after).toMatchObject({ status: 'disabled', disabled_at, disabled_reason });
  expect(after.consecutive_failures).toBe(1);
});

test('a reactivation forgives what is still on its way: new attempts, and the late failure counts for nothing', async () => {
  const { client, token, webhook_id, claimed } = await inFlight(1);
  await db('deliveries').where({ webhook_id }).update({ attempts: 4 });
  (claimed[0] as ClaimedDelivery).delivery.attempts = 4;
  await db('webhooks').where({ webhook_id }).update({ status: 'disabled', consecutive_failures: 5 });
  await client.reactivateWebhook({ token, webhook_id });
  expect(await settle(db, claimed[0] as ClaimedDelivery, result(500), SCHEDULE)).toBe(true);
  expect(await stored(api, webhook_id)).toMatchObject([{ state: 'pending', attempts: 2 }]);
  expect(await webhookRow(api, webhook_id)).toMatchObject({ status: 'active', consecutive_failures: 0 });
});

test.each([
  ['since it occurred it has taken nothing', -1_000, 1],
  ['it has taken something since it occurred', 1_000, 4],
])(
  'a reactivation leaves four attempts, or one, to what a receiver had refused: %s',
  async (_, after, attempts) => {
    const { client, token, webhook_id } = await siteWithWebhooks(api, ['http://127.0.0.1:9/']);
    await decide(api, token, 2);
    const [tried] = await stored(api, webhook_id);
    await db('deliveries').where({ webhook_id, delivery_id: tried?.delivery_id }).update({ attempts: 5 });
    const last_success_at = db.raw(
      'now() + ((SELECT min(created_at) FROM deliveries WHERE webhook_id = ?) - now()) + ?::interval',
      [webhook_id, `${after} milliseconds`],
    );
    await db('webhooks').where({ webhook_id }).update({ status: 'disabled', last_success_at });
    await client.reactivateWebhook({ token, webhook_id });
    expect((await stored(api, webhook_id)).map((row) => row.attempts)).toEqual([attempts, 0]);
  },
);

test('the last attempt of a delivery fails while its webhook is paused: it is held, and has new ones when resumed', async () => {
  const { client, token, webhook_id, claimed } = await inFlight(1);
  await db('deliveries').where({ webhook_id }).update({ attempts: 4 });
  (claimed[0] as ClaimedDelivery).delivery.attempts = 4;
  await client.pauseWebhook({ token, webhook_id });
  expect(await settle(db, claimed[0] as ClaimedDelivery, result(500), SCHEDULE)).toBe(true);
  expect(await stored(api, webhook_id)).toMatchObject([{ state: 'pending', attempts: 5 }]);
  expect(await claimOf(webhook_id, ROOM)).toEqual([]);
  await db('webhooks').where({ webhook_id }).update({ last_success_at: db.fn.now() });
  await client.resumeWebhook({ token, webhook_id });
  // What was tried waits until it is known what was missed.
  expect(await claimOf(webhook_id, ROOM)).toEqual([]);
  await until('nothing is missed', async () => {
    await catchUp(db);
    return (await db('missed_spans').where({ webhook_id }).first()) === undefined;
  });
  expect(await claimOf(webhook_id, ROOM)).toMatchObject([{ delivery: { attempts: 1 } }]);
});

test.each([0, 4])(
  'after %s attempts, one that fails at an earlier URL does not count: the new one is asked',
  async (tried) => {
    const { client, token, webhook_id, claimed } = await inFlight(1);
    const [one] = claimed as [ClaimedDelivery];
    await db('deliveries').where({ webhook_id }).update({ attempts: tried });
    one.delivery.attempts = tried;
    // However often the owner changes it while it is asked.
    for (const url of ['http://127.0.0.1:9/second', 'http://127.0.0.1:9/third']) {
      await client.updateWebhook({ token, webhook_id, body: { url } });
      const answer = { ...result(410), retryAfterSeconds: 3600 };
      const [before] = await stored(api, webhook_id);
      expect(await settle(db, one, answer, SCHEDULE)).toBe(true);
      const [left] = await stored(api, webhook_id);
      expect(left).toMatchObject({ state: 'pending', attempts: tried, response_status: 410 });
      if (tried === 0) expect(left?.due_at).toEqual(before?.due_at);
      // The schedule is that of the attempts which count; the earlier receiver asks for no wait.
      const wait = ((left?.due_at.getTime() ?? 0) - (left?.last_attempt_at?.getTime() ?? 0)) / 1_000;
      if (tried > 0) expect(wait).toBeGreaterThanOrEqual(7_200 * 0.9);
      expect(wait).toBeLessThan(tried === 0 ? 0 : 7_200 * 1.1 + 3_000);
      await db('deliveries')
        .where({ webhook_id })
        .update({ due_at: new Date(0) });
      const [again] = await claimOf(webhook_id, ROOM);
      expect(again).toMatchObject({ webhook: { url }, delivery: { attempts: tried } });
      Object.assign(one, again);
    }
    // The present URL's own failures count as ever.
    expect(await settle(db, one, result(500), SCHEDULE)).toBe(true);
    const [last] = await stored(api, webhook_id);
    expect([last?.state, last?.attempts]).toEqual([tried === 4 ? 'failed' : 'pending', tried + 1]);
    expect(await webhookRow(api, webhook_id)).toMatchObject({ status: 'failing', consecutive_failures: 1 });
  },
);

test('a success at an earlier URL has delivered', async () => {
  const { client, token, webhook_id, end } = await inFlight(1);
  await client.updateWebhook({ token, webhook_id, body: { url: 'http://127.0.0.1:9/second' } });
  expect(await end(0, 200)).toBe(true);
  expect(await stored(api, webhook_id)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
});

test('a reactivation writes only to the deliveries that had been tried, however many are held', async () => {
  const { client, token, webhook_id } = await siteWithWebhooks(api, ['http://127.0.0.1:9/']);
  await decide(api, token, 5);
  const [tried, next] = await stored(api, webhook_id);
  await db('deliveries').where({ webhook_id, delivery_id: tried?.delivery_id }).update({ attempts: 3 });
  await db('webhooks').where({ webhook_id }).update({ status: 'disabled' });
  const versions = async (): Promise<string[]> => {
    const sql = 'SELECT xmin::text FROM deliveries WHERE webhook_id = ? ORDER BY delivery_id';
    const { rows } = await db.raw<{ rows: { xmin: string }[] }>(sql, [webhook_id]);
    return rows.map(({ xmin }) => xmin);
  };
  const before = await versions();
  await client.reactivateWebhook({ token, webhook_id });
  const after = await versions();
  expect(after.filter((version, index) => version !== before[index])).toHaveLength(1);
  // One by one, and the oldest that was never tried first.
  expect(await claimOf(webhook_id, ROOM)).toMatchObject([{ delivery: { delivery_id: next?.delivery_id } }]);
  expect(await claimOf(webhook_id, ROOM)).toEqual([]);
});

test('two processes that claim at once: never more than eight in flight, never one twice; one while failing', async () => {
  const { token, webhook_id } = await siteWithWebhooks(api, ['http://127.0.0.1:9/']);
  await decide(api, token, 20);
  const claims = async (): Promise<string[]> => {
    const all = await Promise.all([1, 2, 3].map(() => claimOf(webhook_id, { most: 6, failing: true })));
    return all.flat().map(({ delivery }) => delivery.delivery_id);
  };
  const first = [...(await claims()), ...(await claims())];
  expect(first).toHaveLength(8);
  expect(new Set(first).size).toBe(8);
  expect(await claims()).toEqual([]);
  await expireLeases(api);
  await db('webhooks')
    .where({ webhook_id })
    .update({ status: 'failing', retry_at: new Date(0) });
  expect(await claimOf(webhook_id, { most: 6, failing: false })).toEqual([]);
  expect([...(await claims()), ...(await claims())]).toHaveLength(1);
});

test('a webhook that another process is at work on is left alone, without waiting', async () => {
  const { token, webhook_id } = await siteWithWebhooks(api, ['http://127.0.0.1:9/']);
  await decide(api, token);
  await whileLocked(api, webhook_id, async () => {
    expect(await claimOf(webhook_id, ROOM)).toEqual([]);
  });
  expect(await claimOf(webhook_id, ROOM)).toHaveLength(1);
});

test('an event that is gone: its delivery goes too, and those behind it are sent', async () => {
  const { token, webhook_id } = await siteWithWebhooks(api, ['http://127.0.0.1:9/']);
  await decide(api, token, 2);
  const [gone, next] = await stored(api, webhook_id);
  await db('events').where({ event_id: gone?.event_id }).delete();
  await db('webhooks').where({ webhook_id }).update({ status: 'failing', retry_at: null });
  expect(await claimOf(webhook_id, ROOM)).toEqual([]);
  expect(await claimOf(webhook_id, ROOM)).toMatchObject([{ delivery: { delivery_id: next?.delivery_id } }]);
  expect((await stored(api, webhook_id)).map(({ delivery_id }) => delivery_id)).toEqual([next?.delivery_id]);
});

describe('a webhook that is deleted in the middle', () => {
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.stop());

  test('what is on its way ends without a trace', async () => {
    const { client, token, webhook_id, end } = await inFlight(2);
    await client.deleteWebhook({ token, webhook_id });
    expect(await end(0, 200)).toBe(false);
    expect(await end(1, 500)).toBe(false);
    expect(await stored(api, webhook_id)).toEqual([]);
    expect(await claimOf(webhook_id, ROOM)).toEqual([]);
  });

  test('a test that waits for its answer is told that there is no such webhook', async () => {
    const { client, token, webhook_id } = await siteWithWebhooks(api, [receiver.url]);
    receiver.answer = (_request, response) =>
      void client.deleteWebhook({ token, webhook_id }).then(() => response.writeHead(200).end());
    await expect(client.testWebhook({ token, webhook_id })).rejects.toMatchObject({ status: 404 });
  });
});

describe('processes whose clocks are wrong', () => {
  // Only Date is another: timers go on.
  const pretend = (offset: number): void => {
    jest.useFakeTimers({
      now: Date.now() + offset,
      doNotFake: [
        ...([
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'clearInterval',
          'setImmediate',
          'clearImmediate',
        ] as const),
        ...(['nextTick', 'queueMicrotask', 'performance', 'hrtime'] as const),
      ],
    });
  };
  afterEach(() => void jest.useRealTimers());

  test('a lease holds and ends by the database alone, and a retry is due by it', async () => {
    const { token, webhook_id } = await siteWithWebhooks(api, ['http://127.0.0.1:9/']);
    pretend(2 * HOUR);
    await decide(api, token);
    jest.useRealTimers();
    pretend(-HOUR);
    const claimed = await claimOf(webhook_id, ROOM);
    expect(claimed).toHaveLength(1);
    jest.useRealTimers();
    pretend(HOUR);
    expect(await claimOf(webhook_id, ROOM)).toEqual([]);
    await settle(db, claimed[0] as ClaimedDelivery, result(500), SCHEDULE);
    jest.useRealTimers();
    const { retry_at, last_counted_at } = await webhookRow(api, webhook_id);
    expect(Math.abs(last_counted_at - Date.now())).toBeLessThan(60_000);
    expect(Math.abs(retry_at - Date.now())).toBeLessThan(60_000);
    const [row] = await stored(api, webhook_id);
    expect(Math.abs((row?.due_at.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
  });
});
