import { endChildren } from '../../helpers/processes/child';
import type { TestServer } from '../../helpers/server';
import { until } from '../../helpers/until';
import {
  decide,
  expireLeases,
  idOf,
  siteWithWebhooks,
  startService,
  startWorker,
  stored,
} from '../../helpers/webhooks/faults';
import { type Receiver, startReceiver } from '../../helpers/webhooks/receiver';

jest.setTimeout(300_000);

const EVENTS = 3_000;

let api: TestServer;
let receiver: Receiver;
beforeAll(async () => {
  api = await startService({ ROLE: 'api' });
  receiver = await startReceiver();
});
afterAll(async () => {
  await endChildren();
  await api.stop();
  await receiver.stop();
});

test('workers that are killed while they catch up make one delivery of each event and webhook', async () => {
  const { client, token, webhook_id } = await siteWithWebhooks(api, [receiver.url]);
  const at = { token, webhook_id };
  const { db } = api.service.context;
  await client.pauseWebhook(at);
  await decide(api, token, EVENTS);
  expect(await stored(api, webhook_id)).toEqual([]);
  await client.resumeWebhook(at);
  const count = async (): Promise<number> =>
    Number(((await db('deliveries').where({ webhook_id }).count().first()) as { count: string }).count);
  for (let kill = 1; kill <= 3; kill += 1) {
    const [one, other] = await Promise.all([startWorker(api.databaseUrl), startWorker(api.databaseUrl)]);
    const before = await count();
    await until('they have gone on', async () => (await count()) > before || before === EVENTS, 60_000);
    await Promise.all([one.kill('SIGKILL'), other.kill('SIGKILL')]);
  }
  await expireLeases(api);
  await startWorker(api.databaseUrl);
  await until(
    'every event has arrived',
    async () => {
      const open = await db('deliveries').where({ webhook_id, state: 'pending' }).first();
      return open === undefined && (await db('missed_spans').where({ webhook_id }).first()) === undefined;
    },
    200_000,
  );
  const events = await db('events')
    .join('environments', 'id', 'environment_id')
    .where({ token })
    .pluck('event_id');
  expect(events).toHaveLength(EVENTS);
  const rows = await stored(api, webhook_id);
  expect(rows.map(({ event_id }) => event_id).sort()).toEqual([...events].sort());
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['delivered']));
  expect(new Set(receiver.received.map(idOf))).toEqual(new Set(events));
});
