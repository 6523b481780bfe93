import { createHmac, randomUUID } from 'node:crypto';
import { startServer, type TestServer } from '../helpers/server';
import { INWARD, type Receiver, startReceiver } from '../helpers/webhooks/receiver';

let server: TestServer;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  server = await startServer({ variables: INWARD });
});
afterAll(async () => {
  await server.stop();
  await receiver.stop();
});

const BREACH = {
  title: 'Lost laptop',
  nature: 'Confidentiality',
  description: 'A laptop was lost.',
  severity: 'high' as const,
  aware_at: new Date(Date.now() - 3_600_000).toISOString(),
  data_categories: ['names'],
  subject_categories: ['customers'],
  consequences: 'Unknown.',
  measures: 'Remote wipe.',
};

test('each of the seven events arrives, signed', async () => {
  const { client, token } = await server.site();
  const { secret } = await client.createWebhook({ token, body: { url: receiver.url, events: '*' } });
  const session_id = randomUUID();
  await server.visitor.logConsent({ token, body: { session_id, decision: 'accept_all' } });
  await server.visitor.logConsent({ token, body: { session_id, decision: 'reject_all' } });
  await server.visitor.savePreferences({ token, body: { session_id, categories: { analytics: true } } });
  const { request_id } = await server.visitor.submitDsar({
    token,
    body: { request_type: 'erasure', email: 'visitor@example.com' },
  });
  await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } });
  const { breach_id } = await client.createBreach({ token, body: BREACH });
  await client.reportBreach({ token, breach_id, body: { authority: 'BfDI' } });
  const received = await receiver.until(7);
  expect(received.map(({ headers }) => headers['x-service-event']).sort()).toEqual([
    'breach.created',
    'breach.reported',
    'consent.accept_all',
    'consent.reject_all',
    'consent.save_preferences',
    'dsar.created',
    'dsar.resolved',
  ]);
  for (const { headers, body } of received) {
    const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    expect(headers['x-service-signature']).toBe(expected);
  }
  const { items } = await client.listEvents({ token });
  expect(items.map(({ payload }) => JSON.stringify(payload))).toHaveLength(7);
});
