import { refusal } from '../helpers/http/refusal';
import type { TestServer } from '../helpers/server';
import { until } from '../helpers/until';
import { decide, sessionOf, siteWithWebhooks, startService, untilState } from '../helpers/webhooks/faults';
import { type Receiver, startReceiver } from '../helpers/webhooks/receiver';

jest.setTimeout(60_000);

let server: TestServer;
let receiver: Receiver;
beforeAll(async () => {
  server = await startService();
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());
afterAll(() => server.stop());

async function paused() {
  const site = await siteWithWebhooks(server, [receiver.url]);
  const at = { token: site.token, webhook_id: site.webhook_id };
  const view = await site.client.pauseWebhook(at);
  return { ...site, at, view };
}

/** Something else is sent meanwhile, so that the dispatcher is known to be at work. */
async function elsewhere(): Promise<void> {
  const other = await startReceiver();
  const site = await siteWithWebhooks(server, [other.url]);
  await decide(server, site.token, 3);
  await other.until(3);
  await other.stop();
}

test('a paused webhook gets nothing; what occurs is held, and goes out in order once it is resumed', async () => {
  const { client, token, webhook_id, at, view } = await paused();
  expect(view).toMatchObject({ status: 'paused', paused_at: expect.any(String), held: 0 });
  const held: string[] = [];
  for (let n = 0; n < 12; n += 1) held.push(...(await decide(server, token)));
  await elsewhere();
  expect(receiver.received).toEqual([]);
  expect(await client.getWebhook(at)).toMatchObject({ status: 'paused', held: 12, pending: 0 });
  // They become deliveries when it is resumed.
  expect((await client.listDeliveries({ ...at, state: 'held' })).items).toEqual([]);
  expect((await client.listDeliveries({ ...at, state: 'pending' })).items).toEqual([]);
  let open = 0;
  let most = 0;
  receiver.answer = (_request, response) => {
    open += 1;
    most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      response.writeHead(200).end();
    }, 5);
  };
  expect(await client.resumeWebhook(at)).toMatchObject({ status: 'active', paused_at: null, held: 0 });
  await untilState(server, webhook_id, 'delivered', 12);
  expect(receiver.received.map(sessionOf)).toEqual(held);
  expect(most).toBe(1);
});

test('what is on its way when it is paused is finished; its failure is tried again only when resumed', async () => {
  const { client, token, webhook_id } = await siteWithWebhooks(server, [receiver.url]);
  const at = { token, webhook_id };
  let fail = (): void => undefined;
  receiver.answer = (_request, response) => {
    fail = () => response.writeHead(500).end();
  };
  await decide(server, token);
  await receiver.until(1);
  await client.pauseWebhook(at);
  fail();
  await until('the failure is written', async () => (await client.getWebhook(at)).consecutive_failures === 1);
  await elsewhere();
  expect(await client.getWebhook(at)).toMatchObject({
    status: 'paused',
    held: 1,
    last_error: expect.any(String),
  });
  expect(receiver.received).toHaveLength(1);
  receiver.answer = (_request, response) => response.writeHead(200).end();
  expect(await client.resumeWebhook(at)).toMatchObject({ status: 'active', consecutive_failures: 0 });
  await receiver.until(2);
});

test('a test and a redelivery are sent while it is paused', async () => {
  const { client, at } = await paused();
  const sent = await client.testWebhook(at);
  expect(sent).toMatchObject({ kind: 'test', state: 'delivered' });
  expect(await client.redeliver({ ...at, delivery_id: sent.delivery_id })).toMatchObject({
    state: 'delivered',
  });
  expect(await client.getWebhook(at)).toMatchObject({ status: 'paused' });
});

test('it is found by its state, and by no other; a warning reminds of it', async () => {
  const { client, token, webhook_id, view } = await paused();
  const of = async (status: 'active' | 'failing' | 'disabled' | 'paused') =>
    (await client.listWebhooks({ token, status })).items.map((one) => one.webhook_id);
  expect([await of('paused'), await of('active'), await of('failing'), await of('disabled')]).toEqual([
    ...[[webhook_id], [], [], []],
  ]);
  const { items } = await client.listWarnings({ token });
  expect(items.filter(({ code }) => code === 'webhook_paused')).toEqual([
    {
      ...{ code: 'webhook_paused', severity: 'info', subject_id: webhook_id, since: view.paused_at },
      message: expect.stringMatching(/^The webhook to 127\.0\.0\.1:\d+ is paused: .* 30 days .* resume it/),
    },
  ]);
});

test('what contradicts its state is refused, with what to do instead', async () => {
  const { client, at, webhook_id } = await paused();
  const conflict = async (call: Promise<unknown>): Promise<string> => {
    const { status, message } = await refusal(call);
    return `${status} ${message}`;
  };
  expect(await conflict(client.pauseWebhook(at))).toMatch(/^409 .*already paused/);
  expect(await conflict(client.reactivateWebhook(at))).toMatch(/^409 .*paused: resume it/);
  await client.resumeWebhook(at);
  expect(await conflict(client.resumeWebhook(at))).toMatch(/^409 .*not paused/);
  const { db } = server.service.context;
  await db('webhooks').where({ webhook_id }).update({ status: 'disabled', paused_at: new Date() });
  expect(await client.getWebhook(at)).toMatchObject({ status: 'disabled' });
  expect(await conflict(client.pauseWebhook(at))).toMatch(/^409 .*reactivated/);
  expect(await conflict(client.resumeWebhook(at))).toMatch(/^409 .*reactivate it/);
  expect(await client.reactivateWebhook(at)).toMatchObject({ status: 'active', paused_at: null });
});
