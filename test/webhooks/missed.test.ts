import type { Knex } from 'knex';
import { countMissed } from '../../server/src/db/read-missed';
import { clock } from '../../server/src/domain/clock';
import { measureBacklog } from '../../server/src/webhooks/backlog';
import { catchUp } from '../../server/src/webhooks/catch-up';
import { claim } from '../../server/src/webhooks/claim';
import type { TestServer } from '../helpers/server';
import { breachInput } from '../helpers/site/data-subject-requests';
import { until } from '../helpers/until';
import { decide, siteWithWebhooks, startService, stored } from '../helpers/webhooks/faults';

jest.setTimeout(120_000);

const NOWHERE = 'http://127.0.0.1:9/';

/** It sends nothing and catches up with nothing: the tests say when. */
let server: TestServer;
let db: Knex;
beforeAll(async () => {
  server = await startService({ ROLE: 'api' });
  db = server.service.context.db;
});
afterAll(() => server.stop());

const eventIds = async (token: string): Promise<string[]> =>
  db('events')
    .join('environments', 'id', 'environment_id')
    .where({ token })
    .orderBy(['occurred_at', 'event_id'])
    .pluck('event_id');
const deliveredIds = async (webhook_id: string): Promise<string[]> =>
  (await stored(server, webhook_id)).map(({ event_id }) => event_id);
const spansOf = (webhook_id: string) => db('missed_spans').where({ webhook_id });

/** As many parts as there are, as a worker does them. */
async function catchUpWithAll(): Promise<void> {
  while ((await catchUp(db)).more);
}

async function paused(count = 1, events: '*' | string[] = '*') {
  const site = await siteWithWebhooks(server, Array(count).fill(NOWHERE), events);
  for (const webhook_id of site.webhooks) await site.client.pauseWebhook({ token: site.token, webhook_id });
  const { webhook_id, token } = site;
  return { ...site, at: { token, webhook_id } };
}

// The first here: only a hundred webhooks are counted, those of all sites together.
test('the backlog counts what all webhooks hold, each up to a thousand and by the events that it wants', async () => {
  const { held: before } = await measureBacklog(db);
  const most = await paused();
  const some = await paused(2, ['breach.created']);
  await decide(server, most.token, 1_010);
  await decide(server, some.token, 3);
  await some.client.createBreach({ token: some.token, body: breachInput() });
  expect(await measureBacklog(db)).toMatchObject({ held: before + 1_000 + 2, disabled: 0 });
  // What became deliveries before the pause is held too.
  await some.client.resumeWebhook(some.at);
  await catchUpWithAll();
  expect(await measureBacklog(db)).toMatchObject({ held: before + 1_000 + 1 });
  await some.client.pauseWebhook(some.at);
  expect(await measureBacklog(db)).toMatchObject({ held: before + 1_000 + 2 });
});

test('a decision costs the same with a hundred paused webhooks as with one: no delivery of any', async () => {
  const { token, webhooks, client, at } = await paused(100);
  await decide(server, token, 5);
  await client.createBreach({ token, body: breachInput() });
  const { count } = (await db('deliveries').whereIn('webhook_id', webhooks).count().first()) as {
    count: string;
  };
  expect(Number(count)).toBe(0);
  const { items } = await client.listWebhooks({ token, limit: 100 });
  expect(items.map(({ held, pending }) => [held, pending])).toEqual(Array(100).fill([6, 0]));
  expect(await client.resumeWebhook(at)).toMatchObject({ held: 0, pending: 6 });
  await catchUpWithAll();
  expect(await client.getWebhook(at)).toMatchObject({ held: 0, pending: 6 });
  const events = await eventIds(token);
  expect(events).toHaveLength(6);
  expect(await deliveredIds(at.webhook_id)).toEqual(events);
  expect(await spansOf(at.webhook_id)).toEqual([]);
  // The others have missed nothing less.
  expect(await client.getWebhook({ token, webhook_id: webhooks[99] as string })).toMatchObject({ held: 6 });
});

test('what is held is counted up to a thousand', async () => {
  const { token, client, at } = await paused();
  await decide(server, token, 1_010);
  expect(await client.getWebhook(at)).toMatchObject({ held: 1_000 });
});

test('an event that began before the resumption and is committed after it is not lost', async () => {
  const { token, client, at, webhook_id } = await paused();
  await decide(server, token, 1);
  const [seen] = await db('events')
    .join('environments', 'id', 'environment_id')
    .where({ token })
    .select('events.*');
  const late = await db.transaction();
  try {
    // What the visitor path does: it shows that events come, and looks who misses them.
    await late.raw('LOCK TABLE ONLY events IN ROW EXCLUSIVE MODE');
    await client.resumeWebhook(at);
    await catchUpWithAll();
    await catchUpWithAll();
    // It is not even known yet how many there are.
    expect(await spansOf(webhook_id)).toHaveLength(1);
    expect(await deliveredIds(webhook_id)).toEqual([]);
    // Earlier than what is there, and stored later.
    const occurred_at = new Date(seen.occurred_at.getTime() - 300);
    await late('events').insert({ ...seen, occurred_at, event_id: '01890000-0000-7000-8000-000000000001' });
    await late.commit();
  } finally {
    if (!late.isCompleted()) await late.rollback();
  }
  await until('the span has ended', async () => {
    await catchUpWithAll();
    return (await spansOf(webhook_id)).length === 0;
  });
  expect(await deliveredIds(webhook_id)).toEqual(['01890000-0000-7000-8000-000000000001', seen.event_id]);
});

test('a process that does not know yet that a webhook was resumed leaves it out of nothing', async () => {
  const { token, client, at, webhook_id } = await paused();
  await decide(server, token, 1);
  const { sites } = server.service.context;
  const stale = await sites.find(token);
  expect(stale?.webhooks).toMatchObject([{ webhook_id, missing: expect.any(String) }]);
  await client.resumeWebhook(at);
  const peek = jest.spyOn(sites, 'peek').mockReturnValue(stale);
  const find = jest.spyOn(sites, 'find').mockResolvedValue(stale);
  await decide(server, token, 2);
  peek.mockRestore();
  find.mockRestore();
  expect(await deliveredIds(webhook_id)).toHaveLength(2);
  await catchUpWithAll();
  expect(await deliveredIds(webhook_id)).toEqual(await eventIds(token));
});

test('nor does one that does not know yet that it was paused: each event is delivered once', async () => {
  const site = await siteWithWebhooks(server, [NOWHERE]);
  const { token, client, webhook_id } = site;
  const { sites } = server.service.context;
  const stale = await sites.find(token);
  await client.pauseWebhook({ token, webhook_id });
  const peek = jest.spyOn(sites, 'peek').mockReturnValue(stale);
  const find = jest.spyOn(sites, 'find').mockResolvedValue(stale);
  await decide(server, token, 2);
  peek.mockRestore();
  find.mockRestore();
  await decide(server, token, 2);
  expect(await client.getWebhook({ token, webhook_id })).toMatchObject({ held: 4 });
  await client.resumeWebhook({ token, webhook_id });
  await catchUpWithAll();
  expect(await deliveredIds(webhook_id)).toEqual(await eventIds(token));
});

test('each event goes by what the webhook subscribed to when it occurred', async () => {
  const { token, client, at, webhook_id } = await paused(1, ['consent.accept_all']);
  const breach = () => client.createBreach({ token, body: breachInput() });
  await decide(server, token, 1);
  await breach();
  await client.updateWebhook({ ...at, body: { events: ['breach.created'] } });
  await decide(server, token, 1);
  await breach();
  await client.updateWebhook({ ...at, body: { events: '*', description: 'All' } });
  await decide(server, token, 1);
  expect(await client.getWebhook(at)).toMatchObject({ held: 3 });
  await client.resumeWebhook(at);
  await catchUpWithAll();
  const ids = await eventIds(token);
  // The second decision had no subscriber, and is no event; the first breach is one that nobody subscribed to.
  expect(ids).toHaveLength(4);
  expect(await deliveredIds(webhook_id)).toEqual([ids[0], ids[2], ids[3]]);
});

test('a subscription that changes fifty times while it is paused must be resumed before the next', async () => {
  const { at, client } = await paused();
  const change = (n: number) =>
    client.updateWebhook({ ...at, body: { events: n % 2 === 0 ? ['dsar.created'] : '*' } });
  for (let n = 0; n < 49; n += 1) await change(n);
  await expect(change(49)).rejects.toMatchObject({ status: 409 });
  await client.resumeWebhook(at);
  await change(49);
});

test('paused anew in the middle, it goes on where it was', async () => {
  const { token, client, at, webhook_id } = await paused();
  await decide(server, token, 700);
  await client.resumeWebhook(at);
  await until('a part is done', async () => {
    await catchUp(db);
    return (await stored(server, webhook_id)).length > 0;
  });
  expect(await stored(server, webhook_id)).toHaveLength(500);
  await client.pauseWebhook(at);
  await decide(server, token, 3);
  await catchUpWithAll();
  expect(await stored(server, webhook_id)).toHaveLength(500);
  expect(await client.getWebhook(at)).toMatchObject({ held: 703 });
  await client.resumeWebhook(at);
  // Half a thousand wait already: more would not go out sooner.
  await catchUpWithAll();
  expect(await stored(server, webhook_id)).toHaveLength(500);
  await db('deliveries').where({ webhook_id }).update({ state: 'delivered' });
  await catchUpWithAll();
  expect(await deliveredIds(webhook_id)).toEqual(await eventIds(token));
});

test('what occurs after the resumption does not overtake what was held', async () => {
  const { token, client, at, webhook_id, webhooks } = await paused();
  expect(webhooks).toHaveLength(1);
  await decide(server, token, 2);
  await client.resumeWebhook(at);
  await decide(server, token, 1);
  const { environment_id } = await db('webhooks').where({ webhook_id }).first('environment_id');
  const next = () => claim(db, { environment_id, webhook_id }, { most: 8, failing: false });
  expect(await stored(server, webhook_id)).toHaveLength(1);
  expect(await next()).toEqual([]);
  await catchUpWithAll();
  const sent: string[] = [];
  for (let [one] = await next(); one !== undefined; [one] = await next()) {
    sent.push(one.delivery.event_id);
    await db('deliveries')
      .where({ delivery_id: one.delivery.delivery_id })
      .update({ state: 'delivered', lease: null, lease_until: null });
  }
  expect(sent).toEqual(await eventIds(token));
});

test('a state that was changed without a note of it, as by an earlier version, is noted soon', async () => {
  const { token, client, webhook_id } = await siteWithWebhooks(server, [NOWHERE]);
  const at = { token, webhook_id };
  await db('webhooks').where({ webhook_id }).update({ paused_at: new Date() });
  await decide(server, token, 1);
  expect(await stored(server, webhook_id)).toHaveLength(1);
  await catchUpWithAll();
  await until('the server knows', async () => {
    const site = await server.service.context.sites.find(token);
    return site?.webhooks[0]?.missing !== null;
  });
  await decide(server, token, 1);
  expect(await stored(server, webhook_id)).toHaveLength(1);
  expect(await client.getWebhook(at)).toMatchObject({ held: 2 });
  await db('webhooks').where({ webhook_id }).update({ paused_at: null, reactivated_at: new Date() });
  await catchUpWithAll();
  expect(await deliveredIds(webhook_id)).toEqual(await eventIds(token));
});

test('what is older than deliveries are kept does not come back', async () => {
  const { token, client, at, webhook_id } = await paused();
  await decide(server, token, 3);
  expect(await client.getWebhook(at)).toMatchObject({ held: 3 });
  await client.resumeWebhook(at);
  const { environment_id } = await db('webhooks').where({ webhook_id }).first('environment_id');
  const count = () => countMissed(db, { environment_id, webhook_id }, 1_000);
  expect(await count()).toBe(3);
  const later = jest.spyOn(clock, 'now').mockReturnValue(Date.now() + 31 * 86_400_000);
  try {
    expect(await count()).toBe(0);
    await catchUpWithAll();
  } finally {
    later.mockRestore();
  }
  expect(await spansOf(webhook_id)).toEqual([]);
  expect(await stored(server, webhook_id)).toEqual([]);
});

test('a webhook is paused fifty times at most before what it missed is sent, each being read by itself', async () => {
  const { at, client, webhook_id } = await paused();
  for (let times = 1; times < 50; times += 1) {
    await client.resumeWebhook(at);
    await client.pauseWebhook(at);
  }
  await client.resumeWebhook(at);
  await expect(client.pauseWebhook(at)).rejects.toMatchObject({
    status: 409,
    message: expect.stringContaining('wait until its held deliveries are sent'),
  });
  expect(await spansOf(webhook_id)).toHaveLength(50);
  expect((await client.getWebhook(at)).status).toBe('active');
  await catchUpWithAll();
  expect((await client.pauseWebhook(at)).status).toBe('paused');
});
