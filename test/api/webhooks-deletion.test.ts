import { newId } from '../../server/src/domain/ids';
import { deleteDeliveries } from '../../server/src/webhooks/delete-deliveries';
import { ENDING, SiteWalk } from '../../server/src/webhooks/turns';
import type { TestServer } from '../helpers/server';
import { decide, siteWithWebhooks, startService, stored } from '../helpers/webhooks/faults';

jest.setTimeout(60_000);

/** It deletes nothing by itself: the tests say when. */
let server: TestServer;
beforeAll(async () => {
  server = await startService({ ROLE: 'api' });
});
afterAll(() => server.stop());

test('a deleted webhook is gone at once; its deliveries go a thousand at a time, and no others', async () => {
  const { db } = server.service.context;
  const { client, token, webhooks } = await siteWithWebhooks(server, Array(2).fill('http://127.0.0.1:9/'));
  const [webhook_id, kept] = webhooks as [string, string];
  await decide(server, token, 2);
  const [one] = await db('deliveries').where({ webhook_id });
  const more = Array.from({ length: 2_498 }, () => ({ ...one, delivery_id: newId(), state: 'failed' }));
  await db.batchInsert('deliveries', more, 500);
  await db('deliveries').where({ webhook_id, state: 'failed' }).update({ last_attempt_at: new Date() });
  expect(await client.deleteWebhook({ token, webhook_id })).toEqual({ webhook_id });
  await expect(client.getWebhook({ token, webhook_id })).rejects.toMatchObject({ status: 404 });
  await expect(client.listDeliveries({ token, webhook_id })).rejects.toMatchObject({ status: 404 });
  expect(await stored(server, webhook_id)).toHaveLength(2_500);
  const left: number[] = [];
  for (let more = true; more; left.push((await stored(server, webhook_id)).length))
    more = (await deleteDeliveries(db)).more;
  expect(left).toEqual([1_500, 500, 0]);
  expect(await stored(server, kept)).toHaveLength(2);
  // A process that did not know yet may still store some.
  const note = () => db('deleted_webhooks').where({ webhook_id });
  expect(await note()).toHaveLength(1);
  await db('deliveries').insert({ ...one, delivery_id: newId() });
  await note().update({ deleted_at: new Date(Date.now() - 61_000), advanced_at: new Date(0) });
  for (let round = 0; round < 3; round += 1) await deleteDeliveries(db);
  expect(await stored(server, webhook_id)).toEqual([]);
  expect(await note()).toEqual([]);
});

/** So many webhooks of a site that were deleted hours ago, without deliveries. */
const deleteMany = async (token: string, n: number): Promise<void> => {
  const { db } = server.service.context;
  await db.raw(
    `INSERT INTO deleted_webhooks SELECT id, gen_random_uuid(), now() - interval '2 hours', '1970-01-01', now() - interval '1 hour'
     FROM environments, generate_series(1, :n::int) WHERE token = :token`,
    { token, n },
  );
};
const countDeleted = async (): Promise<number> => {
  const row = await server.service.context.db('deleted_webhooks').count({ n: '*' }).first();
  return Number(row?.n);
};

test('however many webhooks somebody has deleted, those of others are finished as well', async () => {
  const { db } = server.service.context;
  const [rival, other] = [await server.site(), await server.site()];
  await deleteMany(rival.token, 1_200);
  await deleteMany(other.token, 1);
  // As when reading what waits takes all the time that there is: one part is done all the same, of many that are finished.
  expect((await deleteDeliveries(db, () => false)).more).toBe(true);
  expect(await countDeleted()).toBeLessThan(1_201);
  let rounds = 0;
  // A few at a time, so that the two sites are not read together.
  const walk = new SiteWalk(10);
  for (let more = true; more; rounds += 1) more = (await deleteDeliveries(db, () => true, ENDING, walk)).more;
  expect(await countDeleted()).toBe(0);
  // Hundreds at once.
  expect(rounds).toBeLessThan(20);
});

test('of one group, too, the other sites have their turns in the same sweep', async () => {
  const { db } = server.service.context;
  const { client, token } = await server.site();
  const body = { name: 'Second', domain: 'second.example.com' };
  for (const one of [token, (await client.createEnvironment({ body })).token]) await deleteMany(one, 1);
  // Too new to be finished: there is nothing to delete, and they are looked at again when they are old enough.
  await db('deleted_webhooks').update({ deleted_at: db.raw('now()') });
  expect(await deleteDeliveries(db)).toEqual({ done: [], more: true });
  expect(await deleteDeliveries(db)).toEqual({ done: [], more: false });
  expect(await db('deleted_webhooks').where('advanced_at', '<=', db.raw('now()'))).toEqual([]);
  expect(await countDeleted()).toBe(2);
  await db('deleted_webhooks').delete();
});

test('whoever deletes hundreds of webhooks makes no more until they are finished', async () => {
  const { db } = server.service.context;
  const { client, token } = await server.site();
  const create = () =>
    client.createWebhook({ token, body: { url: 'https://93.184.216.34/', events: ['dsar.created'] } });
  const { webhook_id } = await create();
  await deleteMany(token, 199);
  await client.deleteWebhook({ token, webhook_id });
  await expect(create()).rejects.toMatchObject({ status: 429, code: 'rate_limited' });
  while ((await deleteDeliveries(db)).more);
  expect(await create()).toMatchObject({ status: 'active' });
});

test('what failed of a deleted webhook is not sent again, nor counted', async () => {
  const { db, dispatcher } = server.service.context;
  const { client, token, webhooks } = await siteWithWebhooks(server, Array(2).fill('http://127.0.0.1:9/'));
  const [webhook_id, kept] = webhooks as [string, string];
  await decide(server, token, 3);
  const last_attempt_at = new Date(Date.now() - 60_000);
  await db('deliveries').whereIn('webhook_id', webhooks).update({ state: 'failed', last_attempt_at });
  await client.deleteWebhook({ token, webhook_id });
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const { redelivery_id } = await client.redeliverFailed({ token, body: { since } });
  const { redeliverFailed } = jest.requireActual('../../server/src/webhooks/redeliver-failed');
  while ((await redeliverFailed(db)).more);
  expect(dispatcher).toBeDefined();
  expect(await client.getRedelivery({ token, redelivery_id })).toMatchObject({
    status: 'done',
    deliveries: 3,
  });
  expect((await stored(server, kept)).map(({ state }) => state)).toEqual(Array(3).fill('pending'));
});
