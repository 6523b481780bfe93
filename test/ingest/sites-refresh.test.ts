import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { notOnCluster } from '../helpers/cluster/skip';
import { startServer, type TestServer } from '../helpers/server';
import { until } from '../helpers/until';
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

afterEach(() => jest.restoreAllMocks());

/** What a test must reach into to hold a refresh back at its worst moment. */
interface Refreshing {
  withWebhooks(rows: unknown[], knex?: unknown): Promise<unknown[]>;
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
    jest.spyOn(sites, 'withWebhooks').mockImplementationOnce(async (rows, knex) => {
      const found = await read(rows, knex);
      resolve();
      await held;
      return found;
    });
  });
  // As another process does it, while the site is known here: the next refresh reads it anew.
  await server.service.context.db('environments').where({ token }).update({ name: 'Another name' });
  await reached;
  await client.createWebhook({ token, body: { url: receiver.url, events: '*' } });
  // Known again, with its webhook, before the refresh goes on with what it read before.
  await decide();
  goOn();
  await sites.refreshing;
  await decide();
  expect(await receiver.until(2)).toHaveLength(2);
});

test('what was looked up before a change is not kept, when the change is noticed meanwhile', async () => {
  const { client, token } = await server.site();
  const sites = server.service.context.sites;
  const inside = sites as unknown as Refreshing;
  const read = inside.withWebhooks.bind(inside);
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    jest.spyOn(inside, 'withWebhooks').mockImplementationOnce(async (rows, knex) => {
      const found = await read(rows, knex);
      resolve();
      await held;
      return found;
    });
  });
  sites.forget(token);
  const lookUp = sites.find(token);
  await reached;
  // As another process does it: nothing here is told.
  await server.service.context.db('environments').where({ token }).update({ status: 'paused' });
  await delay(2_500);
  goOn();
  await lookUp;
  await delay(0);
  expect((await sites.find(token))?.paused).toBe(true);
  await client.updateEnvironment({ token, body: { status: 'active' } });
});

const decideAt = (token: string) =>
  server.visitor.logConsent({ token, body: { session_id: randomUUID(), decision: 'accept_all' } });

test('a change that commits long after it was made takes effect, whatever its updated_at says', async () => {
  const { token } = await server.site();
  await decideAt(token);
  await server.service.context.db.transaction(async (trx) => {
    await trx('environments')
      .where({ token })
      .update({ status: 'paused', updated_at: new Date(0) });
    // Several refreshes later.
    await delay(3_000);
  });
  await delay(2_000);
  await expect(decideAt(token)).rejects.toMatchObject({ status: 403 });
});

const onPlain = notOnCluster('there the server says itself which webhooks changed, and no trigger does');
onPlain('what a webhook is sent changes nothing of its site', async () => {
  const { client, token } = await server.site();
  const { webhook_id } = await client.createWebhook({ token, body: { url: receiver.url, events: '*' } });
  const { db } = server.service.context;
  const changedIn = async () => (await db('environments').where({ token }).first('changed_in')).changed_in;
  const before = await changedIn();
  await db('webhooks').where({ webhook_id }).update({ consecutive_failures: 1, retry_at: new Date() });
  expect(await changedIn()).toBe(before);
  await db('webhooks')
    .where({ webhook_id })
    .update({ events: ['dsar.created'] });
  expect(await changedIn()).not.toBe(before);
});

test('when another server answers, everything is read anew', async () => {
  const { token } = await server.site();
  await decideAt(token);
  const sites = server.service.context.sites as unknown as {
    seen: { server: string };
    known: Map<string, unknown>;
  };
  sites.seen.server = 'another one';
  await until('it is forgotten', () => !sites.known.has(token), 3_000);
  await decideAt(token);
});
