import { randomUUID } from 'node:crypto';
import { INWARD, type Receiver, startReceiver } from '../helpers/receiver';
import { startServer, type TestServer } from '../helpers/server';

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

/** What a test must reach into to hold a refresh back at its worst moment. */
interface Refreshing {
  withWebhooks(rows: unknown[]): Promise<unknown[]>;
  refreshing: Promise<void> | undefined;
}

test('a webhook made while environments are refreshed gets the decisions made after it', async () => {
  const { client, token } = await server.site();
  const decide = () =>
    server.visitor.logConsent({ token, body: { session_id: randomUUID(), decision: 'accept_all' } });
  await decide();
  const sites = server.service.context.sites as unknown as Refreshing;
  const read = sites.withWebhooks.bind(sites);
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    jest.spyOn(sites, 'withWebhooks').mockImplementationOnce(async (rows) => {
      const found = await read(rows);
      resolve();
      await held;
      return found;
    });
  });
  await reached;
  await client.createWebhook({ token, body: { url: receiver.url, events: '*' } });
  // Known again, with its webhook, before the refresh goes on with what it read before.
  await decide();
  goOn();
  await sites.refreshing;
  await decide();
  expect(await receiver.until(2)).toHaveLength(2);
});
