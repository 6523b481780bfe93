import type { Knex } from 'knex';
import { applyRetention } from '../../../server/src/jobs/retention';
import type { TestServer } from '../../helpers/server';
import { decide, siteWithWebhooks, startService, stored } from '../../helpers/webhooks/faults';

const DAY = 86_400_000;

let api: TestServer;
let db: Knex;
beforeAll(async () => {
  api = await startService({ ROLE: 'api' });
  db = api.service.context.db;
});
afterAll(() => api.stop());

const after = (days: number): Promise<void> =>
  applyRetention(db, api.service.context.log, new Date(Date.now() + days * DAY));
const eventsOf = (token: string) =>
  db('events').join('environments', 'id', 'environment_id').where({ token }).pluck('event_id');

test('deliveries are kept for 30 days, held ones too; events for as long as the site says', async () => {
  const long = await siteWithWebhooks(api, ['http://127.0.0.1:9/']);
  const short = await siteWithWebhooks(api, ['http://127.0.0.1:9/']);
  const settings = await db('environments').where({ token: short.token }).first('settings');
  settings.settings.retention_days.events = 30;
  await db('environments').where({ token: short.token }).update(settings);
  for (const { token, webhook_id } of [long, short]) {
    await decide(api, token, 3);
    const [delivered, failed] = await stored(api, webhook_id);
    const set = (id: string | undefined, state: string) =>
      db('deliveries').where({ webhook_id, delivery_id: id }).update({ state });
    await set(delivered?.delivery_id, 'delivered');
    await set(failed?.delivery_id, 'failed');
    await db('webhooks').where({ webhook_id }).update({ status: 'disabled' });
  }
  await after(29);
  for (const { token, webhook_id } of [long, short]) {
    expect(await stored(api, webhook_id)).toHaveLength(3);
    expect(await eventsOf(token)).toHaveLength(3);
  }
  expect(await long.client.getWebhook({ token: long.token, webhook_id: long.webhook_id })).toMatchObject({
    held: 1,
  });
  await after(31);
  expect(await stored(api, long.webhook_id)).toEqual([]);
  expect(await stored(api, short.webhook_id)).toEqual([]);
  expect(await long.client.getWebhook({ token: long.token, webhook_id: long.webhook_id })).toMatchObject({
    held: 0,
  });
  expect(await eventsOf(long.token)).toHaveLength(3);
  expect(await eventsOf(short.token)).toEqual([]);
  // By default 90 days.
  await after(89);
  expect(await eventsOf(long.token)).toHaveLength(3);
  await after(91);
  expect(await eventsOf(long.token)).toEqual([]);
});
