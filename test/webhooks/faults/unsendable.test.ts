import { randomBytes } from 'node:crypto';
import { Vault } from '../../../server/src/security/vault';
import type { TestServer } from '../../helpers/server';
import { until } from '../../helpers/until';
import { decide, siteWithWebhooks, startService, untilState } from '../../helpers/webhooks/faults';
import { type Receiver, startReceiver } from '../../helpers/webhooks/receiver';

jest.setTimeout(60_000);

let server: TestServer;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  server = await startService();
});
afterAll(async () => {
  await server.stop();
  await receiver.stop();
});

const db = () => server.service.context.db;
const sealedByAnother = (text: string): Buffer => new Vault(randomBytes(32).toString('base64')).seal(text);
/** A minute is too long for a test. */
const nowDue = (webhook_id: string) =>
  db()('deliveries').where({ webhook_id, lease: null }).update({ lease_until: null });

test.each(['secret', 'headers'] as const)(
  'what this server cannot send because of its %s is shown, blames no receiver, holds up nobody, and goes out once it is mended',
  async (column) => {
    const urls = ['/sealed', '/fine'].map((path) => receiver.url + path);
    const { client, token, webhooks } = await siteWithWebhooks(server, urls);
    const [sealed, fine] = webhooks as [string, string];
    const before = await db()('webhooks').where({ webhook_id: sealed }).first(column);
    await db()('webhooks')
      .where({ webhook_id: sealed })
      .update({ [column]: sealedByAnother('[]') });
    // More than may be in flight for one webhook.
    await decide(server, token, 12);
    await untilState(server, fine, 'delivered', 12);
    const delivery = await until('it is shown', async () => {
      const { items } = await client.listDeliveries({ token, webhook_id: sealed, state: 'pending' });
      return items.find(({ error }) => error !== null);
    });
    expect(delivery).toMatchObject({ state: 'pending', attempts: 0, last_attempt_at: null });
    expect(delivery.error).toMatch(/^This server sent nothing, because it cannot open .*every minute/);
    expect(Date.parse(delivery.next_attempt_at as string)).toBeGreaterThan(Date.parse(delivery.created_at));
    const webhook = await client.getWebhook({ token, webhook_id: sealed });
    expect(webhook).toMatchObject({ status: 'active', consecutive_failures: 0, last_error: delivery.error });
    const warnings = async () =>
      (await client.listWarnings({ token })).items.filter(({ code }) => code === 'webhook_unsendable');
    expect(await warnings()).toMatchObject([{ severity: 'critical', subject_id: sealed }]);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toMatch(/avow_webhook_attempts_total\{result="unsendable"\} [1-9]/);
    // What is sent once says at once why not.
    const test = await client.testWebhook({ token, webhook_id: sealed });
    expect(test).toMatchObject({ state: 'failed', response_status: null });
    expect(delivery.error).toBe(`${test.error} It tries again every minute.`);

    await db()('webhooks')
      .where({ webhook_id: sealed })
      .update({ [column]: before[column] });
    await nowDue(sealed);
    await untilState(server, sealed, 'delivered', 12);
    expect(await warnings()).toEqual([]);
  },
);

test('the owner can mend it alone: a new secret signs at once, and headers are set anew', async () => {
  const { client, token, webhook_id } = await siteWithWebhooks(server, [`${receiver.url}/lost`]);
  const lost = { secret: sealedByAnother('whsec_x'), headers: sealedByAnother('[["x-old","1"]]') };
  await db()('webhooks')
    .where({ webhook_id })
    .update({ ...lost, header_names: ['x-old'] });
  const { previous_secret_until } = await client.rotateWebhookSecret({ token, webhook_id });
  expect(previous_secret_until).toBeNull();
  const updated = await client.updateWebhook({ token, webhook_id, body: { headers: { 'x-new': '2' } } });
  expect(updated.header_names).toEqual(['x-new']);
  expect(await client.testWebhook({ token, webhook_id })).toMatchObject({ state: 'delivered' });
});
