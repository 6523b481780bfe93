import type { TestServer } from '../../helpers/server';
import { until } from '../../helpers/until';
import {
  decide,
  sessionOf,
  siteWithWebhooks,
  startService,
  stored,
  webhookRow,
} from '../../helpers/webhooks/faults';
import { type Received, type Receiver, startReceiver } from '../../helpers/webhooks/receiver';

jest.setTimeout(120_000);

let server: TestServer;
let receiver: Receiver;
beforeAll(async () => {
  server = await startService();
});
beforeEach(async () => {
  receiver = await startReceiver();
  // It breaks over what it does not expect, and takes everything else.
  receiver.answer = ({ body }, response) => response.writeHead(isPoison(body) ? 500 : 200).end();
});
afterEach(() => receiver.stop());
afterAll(() => server.stop());

const isPoison = (body: string): boolean => body.includes('ö');
const addressOf = ({ body }: Received): string => JSON.parse(body).email;

/** Requests of strangers, one after the other; returns their addresses. */
async function ask(token: string, addresses: string[]): Promise<string[]> {
  for (const email of addresses)
    await server.visitor.submitDsar({ token, body: { request_type: 'access', email } });
  return addresses;
}
const POISON = [1, 2, 3, 4, 5].map((n) => `jörg-${n}@example.com`);

const disabled = (webhook_id: string) =>
  until(
    'the webhook is disabled',
    async () => (await webhookRow(server, webhook_id)).status === 'disabled',
    30_000,
  );

test('what its receiver refuses is behind the rest after a reactivation, and ends as failed', async () => {
  const { client, token, webhook_id } = await siteWithWebhooks(server, [receiver.url], ['dsar.created']);
  const at = { token, webhook_id };
  await client.pauseWebhook(at);
  await ask(token, POISON);
  const real = await ask(token, ['anna@example.com', 'bert@example.com']);
  await client.resumeWebhook(at);
  await disabled(webhook_id);
  expect(receiver.received.map(addressOf)).toEqual(POISON);
  await client.reactivateWebhook(at);
  await receiver.until(7);
  expect(receiver.received.slice(5, 7).map(addressOf)).toEqual(real);
  // Nobody asks for anything any more: however quiet it is, a few reactivations are the end of it.
  let times = 1;
  await until(
    'all poison is given up',
    async () => {
      const states = (await stored(server, webhook_id)).map(({ state }) => state);
      if (!states.includes('pending')) return true;
      if ((await webhookRow(server, webhook_id)).status === 'disabled') {
        times += 1;
        await client.reactivateWebhook(at);
      }
      return false;
    },
    60_000,
  );
  expect(times).toBeLessThanOrEqual(5);
  const states = (await stored(server, webhook_id)).map(({ state }) => state);
  expect(states).toEqual([...Array(5).fill('failed'), 'delivered', 'delivered']);
  await ask(token, ['carl@example.com']);
  await until(
    'the next one arrives',
    async () => (await stored(server, webhook_id)).at(-1)?.state === 'delivered',
  );
  expect(await webhookRow(server, webhook_id)).toMatchObject({ status: 'active', consecutive_failures: 0 });
});

test('requests that its receiver refuses do not keep a consent behind them from being tried', async () => {
  const { client, token, webhook_id } = await siteWithWebhooks(server, [receiver.url]);
  await client.pauseWebhook({ token, webhook_id });
  await ask(token, POISON);
  const [session] = await decide(server, token);
  await client.resumeWebhook({ token, webhook_id });
  await receiver.until(2);
  const [first, second] = receiver.received as [Received, Received];
  expect([addressOf(first), sessionOf(second)]).toEqual([POISON[0], session]);
});

test('what was tried waits until what occurred while the webhook was disabled is there', async () => {
  const { client, token, webhook_id } = await siteWithWebhooks(server, [receiver.url], ['dsar.created']);
  const { db } = server.service.context;
  await ask(token, POISON.slice(0, 1));
  await disabled(webhook_id);
  const before = receiver.received.length;
  await until('it is noted that it misses events', () => db('missed_spans').where({ webhook_id }).first());
  const real = await ask(token, ['anna@example.com', 'bert@example.com']);
  expect(await stored(server, webhook_id)).toHaveLength(1);
  // As if others were writing: what was missed cannot be read yet.
  const writer = await db.transaction();
  try {
    await writer.raw('LOCK TABLE ONLY events IN ROW EXCLUSIVE MODE');
    await client.reactivateWebhook({ token, webhook_id });
    await until('the span has been looked at', () =>
      db('missed_spans').where({ webhook_id }).whereNotNull('seen_closed_at').first(),
    );
  } finally {
    await writer.rollback();
  }
  await receiver.until(before + 3);
  expect(receiver.received.slice(before, before + 3).map(addressOf)).toEqual([...real, POISON[0]]);
});

test('one alone that its receiver refuses: what comes meanwhile is tried before it, and it ends as failed', async () => {
  const { token, webhook_id } = await siteWithWebhooks(server, [receiver.url], ['dsar.created']);
  const { answer } = receiver;
  let goOn = (): void => undefined;
  const isAsked = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  receiver.answer = (request, response, count) =>
    void (count === 2 ? isAsked : Promise.resolve()).then(() => answer(request, response, count));
  await ask(token, POISON.slice(0, 1));
  await receiver.until(2);
  await ask(token, ['anna@example.com']);
  goOn();
  await until(
    'it is given up',
    async () => (await stored(server, webhook_id))[0]?.state === 'failed',
    30_000,
  );
  expect((await stored(server, webhook_id)).map(({ state, attempts }) => [state, attempts])).toEqual([
    ['failed', 5],
    ['delivered', 1],
  ]);
  expect((await webhookRow(server, webhook_id)).status).toBe('failing');
});
