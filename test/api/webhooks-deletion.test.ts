import { newId } from '../../server/src/domain/ids';
import { deleteDeliveries } from '../../server/src/webhooks/delete-deliveries';
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
  await note().update({ deleted_at: new Date(Date.now() - 61_000) });
  for (let round = 0; round < 3; round += 1) await deleteDeliveries(db);
  expect(await stored(server, webhook_id)).toEqual([]);
  expect(await note()).toEqual([]);
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
