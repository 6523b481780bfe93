import { randomUUID } from 'node:crypto';
import { redeliverFailed } from '../../server/src/webhooks/redeliver-failed';
import { addTrigger, holdOnNodes, waitingForLocks } from '../helpers/cluster/instruments';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { startServer, type TestServer } from '../helpers/server';
import { breachInput, submit } from '../helpers/site/data-subject-requests';
import { until } from '../helpers/until';
import { answering, receive } from '../helpers/webhooks/receive';
import { INWARD } from '../helpers/webhooks/receiver';

const HOUR = 3_600_000;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ variables: { ...INWARD, WEBHOOK_RETRY_SECONDS: '0,0,0,0' } });
});
afterAll(() => server.stop());

type Site = Awaited<ReturnType<TestServer['site']>>;
type Asked = Partial<Parameters<Site['client']['redeliverFailed']>[0]['body']>;

const table = (name: string) => server.service.context.db(name);
const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
const hooked = async ({ client, token }: Site, url: string): Promise<string> =>
  (await client.createWebhook({ token, body: { url, events: '*' } })).webhook_id;

/** As if all of a webhook's deliveries had been given up a while ago. */
const giveUp = (webhook_id: string, at = ago(60_000)) =>
  table('deliveries')
    .where({ webhook_id })
    .update({ state: 'failed', attempts: 5, last_attempt_at: at, delivered_at: null });

/** A site with a webhook that got some requests, all of which were given up. */
async function failed(count = 3, given: Asked = {}) {
  const site = await server.site();
  const receiver = await receive();
  const webhook_id = await hooked(site, receiver.url);
  for (let n = 0; n < count; n += 1) await submit(server, site.token);
  await receiver.until(count);
  await settled(webhook_id, count);
  await giveUp(webhook_id);
  const ask = (more: Asked = {}) =>
    site.client.redeliverFailed({ token: site.token, body: { since: ago(HOUR), ...given, ...more } });
  return { site, receiver, webhook_id, ask };
}

const settled = (webhook_id: string, count: number, state = 'delivered') =>
  until(`${count} are ${state}`, async () => {
    const rows = await table('deliveries').where({ webhook_id, state });
    return rows.length === count && rows;
  });

const done = ({ client, token }: Site, redelivery_id: string) =>
  until('the redelivery is done', async () => {
    const one = await client.getRedelivery({ token, redelivery_id });
    return one.status === 'done' && one;
  });

test('everything that failed since an instant is sent again by one call, with new attempts', async () => {
  const { site, receiver, webhook_id, ask } = await failed();
  const since = ago(HOUR);
  const asked = await ask({ since });
  expect(asked).toMatchObject({ since, event: null, webhook_id: null, until: expect.any(String) });
  const after = await done(site, asked.redelivery_id);
  expect(after).toMatchObject({ deliveries: 3, finished_at: expect.any(String) });
  const received = await receiver.until(6);
  const ids = (from: number) => received.slice(from, from + 3).map(({ headers }) => headers['webhook-id']);
  expect([...ids(3)].sort()).toEqual([...ids(0)].sort());
  const rows = await settled(webhook_id, 3);
  expect(rows).toMatchObject(Array(3).fill({ kind: 'event', attempts: 1 }));
  const { items } = await site.client.listRedeliveries({ token: site.token });
  expect(items).toEqual([after]);
});

test('what failed before that instant stays as it is, and what fails later is no part of it', async () => {
  const { site, webhook_id, ask } = await failed(2);
  const [old] = await table('deliveries').where({ webhook_id });
  await table('deliveries')
    .where({ webhook_id, delivery_id: old.delivery_id })
    .update({ last_attempt_at: ago(2 * HOUR) });
  const { redelivery_id } = await ask();
  expect(await done(site, redelivery_id)).toMatchObject({ deliveries: 1 });
  expect(await settled(webhook_id, 1, 'failed')).toMatchObject([{ delivery_id: old.delivery_id }]);
  await giveUp(webhook_id, new Date(Date.now() + HOUR).toISOString());
  const again = await ask();
  expect(await done(site, again.redelivery_id)).toMatchObject({ deliveries: 0 });
});

test('only of one webhook, or of one event', async () => {
  const { site, receiver, webhook_id, ask } = await failed(1);
  const { client, token } = site;
  const other = await receive();
  const otherId = await hooked(site, other.url);
  await client.createBreach({ token, body: breachInput() });
  await Promise.all([receiver.until(2), other.until(1)]);
  await Promise.all([settled(webhook_id, 1), settled(otherId, 1)]);
  await giveUp(webhook_id);
  await giveUp(otherId);
  const byEvent = await ask({ event: 'dsar.created' });
  expect(await done(site, byEvent.redelivery_id)).toMatchObject({ deliveries: 1, event: 'dsar.created' });
  const byWebhook = await ask({ webhook_id: otherId.toUpperCase() });
  expect(await done(site, byWebhook.redelivery_id)).toMatchObject({ deliveries: 1, webhook_id: otherId });
  await other.until(2);
  expect(await settled(webhook_id, 1, 'failed')).toMatchObject([{ event: 'breach.created' }]);
});

test('what has reached the receiver by another delivery is left out, and so are tests', async () => {
  const { site, receiver, webhook_id, ask } = await failed(2);
  const { client, token } = site;
  const [first] = await table('deliveries').where({ webhook_id });
  await client.redeliver({ token, webhook_id, delivery_id: first.delivery_id });
  receiver.answer = answering(500);
  await client.testWebhook({ token, webhook_id });
  receiver.answer = answering(200);
  const { redelivery_id } = await ask();
  expect(await done(site, redelivery_id)).toMatchObject({ deliveries: 1 });
  expect(await receiver.until(5)).toHaveLength(5);
});

test('of a disabled webhook it is held, and goes out once that is reactivated', async () => {
  const { site, receiver, webhook_id, ask } = await failed(2);
  const { client, token } = site;
  await table('webhooks').where({ webhook_id }).update({ status: 'disabled', consecutive_failures: 5 });
  const { redelivery_id } = await ask();
  expect(await done(site, redelivery_id)).toMatchObject({ deliveries: 2 });
  expect(await client.getWebhook({ token, webhook_id })).toMatchObject({ held: 2 });
  expect(receiver.received).toHaveLength(2);
  await client.reactivateWebhook({ token, webhook_id });
  await receiver.until(4);
});

test('a double click is one redelivery: while it runs the same, afterwards nothing is left', async () => {
  const { site, receiver, ask } = await failed(3);
  const since = ago(HOUR);
  const both = await Promise.all([ask({ since }), ask({ since }), ask({ since })]);
  for (const { redelivery_id } of both) await done(site, redelivery_id);
  const { items } = await site.client.listRedeliveries({ token: site.token });
  expect(items.reduce((sum, { deliveries }) => sum + deliveries, 0)).toBe(3);
  await receiver.until(6);
  const later = await ask({ since });
  expect(await done(site, later.redelivery_id)).toMatchObject({ deliveries: 0 });
  expect(receiver.received).toHaveLength(6);
});

test('however often it is asked for, a process does one part at a time', async () => {
  const { db, dispatcher } = server.service.context;
  const gate = await db.transaction();
  // A failure, too, gives the table back to the tests that follow.
  try {
    await gate.raw('LOCK TABLE redeliveries IN ACCESS EXCLUSIVE MODE');
    // Whoever looks for a part: not what keeps the table clean.
    const waiting = async (): Promise<string[]> => {
      const { rows } = await gate.raw(
        `SELECT query FROM pg_locks JOIN pg_stat_activity USING (pid)
         WHERE NOT granted AND relation = 'redeliveries'::regclass AND query ILIKE 'select%'
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      return rows.map(({ query }: { query: string }) => query);
    };
    for (let n = 0; n < 5; n += 1) dispatcher.choresSoon();
    await until('it waits for the table', async () => (await waiting()).length > 0);
    // Each look asks for a part, too.
    const looks = jest.spyOn(dispatcher, 'choresSoon');
    await until('two more looks', () => looks.mock.calls.length >= 2);
    looks.mockRestore();
    const [, ...more] = await waiting();
    expect(more).toEqual([]);
  } finally {
    await gate.rollback();
  }
});

describe('with a worker elsewhere', () => {
  let api: TestServer;
  beforeAll(async () => {
    api = await startServer({ variables: { ...INWARD, ROLE: 'api' } });
  });
  afterAll(() => api.stop());

  test('a call only notes what is asked for: the same is one, and eleven are too many', async () => {
    const { client, token } = await api.site();
    const ask = (hours: number) => client.redeliverFailed({ token, body: { since: ago(hours * HOUR) } });
    const since = ago(HOUR);
    const one = await client.redeliverFailed({ token, body: { since } });
    expect(one).toMatchObject({ status: 'running', deliveries: 0, finished_at: null });
    expect(await client.redeliverFailed({ token, body: { since } })).toEqual(one);
    for (let n = 2; n <= 10; n += 1) await ask(n);
    const error = await refusal(ask(11));
    expect([error.status, error.message]).toEqual([
      409,
      expect.stringMatching(/: 10 redeliveries .* wait until/),
    ]);
    expect((await client.listRedeliveries({ token })).items).toHaveLength(10);
  });

  test('two of one site at once: neither passes over what the other one has in its hands', async () => {
    const { client, token } = await api.site();
    const { db } = api.service.context;
    const body = { url: 'http://127.0.0.1:9/', events: '*' as const };
    const ids: string[] = [];
    for (let n = 0; n < 2; n += 1) ids.push((await client.createWebhook({ token, body })).webhook_id);
    await submit(api, token);
    await db('deliveries')
      .whereIn('webhook_id', ids)
      .update({ state: 'failed', last_attempt_at: ago(60_000) });
    // Those of the test before.
    await redeliverFailed(db);
    const since = ago(HOUR);
    const [first] = [
      await client.redeliverFailed({ token, body: { since, webhook_id: ids[0] as string } }),
      await client.redeliverFailed({ token, body: { since, webhook_id: ids[1] as string } }),
    ];
    // The first stands still at its end, with all rows of the stretch of time locked.
    const release = await holdOnNodes(api.databaseUrl, 'SELECT pg_advisory_xact_lock(42)');
    const remove = await addTrigger(api.databaseUrl, {
      ...{ name: 'linger', table: 'redeliveries', event: 'BEFORE UPDATE' },
      condition: `OLD.redelivery_id = '${first.redelivery_id}'`,
      body: 'PERFORM pg_advisory_xact_lock(42); RETURN NEW;',
    });
    const one = redeliverFailed(db);
    await until('the first stands still', async () => (await waitingForLocks(api.databaseUrl)) > 0);
    await redeliverFailed(db);
    await release();
    await one;
    await redeliverFailed(db);
    await remove();
    const { items } = await client.listRedeliveries({ token });
    expect(items.map(({ status, deliveries }) => [status, deliveries])).toEqual([
      ['done', 1],
      ['done', 1],
    ]);
  });

  test('whoever has hundreds running does not keep others from theirs', async () => {
    const { db } = api.service.context;
    const [rival, victim] = [await api.site(), await api.site()];
    const sites = [rival.token];
    for (let n = 0; n < 5; n += 1)
      sites.push(
        (await rival.client.createEnvironment({ body: { name: 'S', domain: `s${n}.example.com` } })).token,
      );
    for (const token of sites)
      for (let n = 1; n <= 10; n += 1)
        await rival.client.redeliverFailed({
          token,
          body: { since: ago(n * HOUR), event: 'breach.created' },
        });
    const { redelivery_id } = await victim.client.redeliverFailed({
      ...{ token: victim.token, body: { since: ago(HOUR) } },
    });
    await redeliverFailed(db);
    const { status } = await victim.client.getRedelivery({ token: victim.token, redelivery_id });
    expect(status).toBe('done');
    const done = await db('redeliveries')
      .whereNotNull('finished_at')
      .whereIn('environment_id', db('environments').select('id').where({ made_by: rival.userId }));
    expect(done).toHaveLength(1);
    while ((await redeliverFailed(db)).more);
  });

  test('thousands are taken up in parts, each in a transaction of its own, by any number of processes', async () => {
    const site = await api.site();
    const { client, token } = site;
    const body = { url: 'http://127.0.0.1:9/', events: '*' as const };
    const { webhook_id } = await client.createWebhook({ token, body });
    const { db } = api.service.context;
    await db.raw(
      `INSERT INTO deliveries (environment_id, delivery_id, webhook_id, event_id, event, event_at, kind, state, attempts,
         due_at, created_at, last_attempt_at)
       SELECT environment_id, gen_random_uuid(), webhook_id, gen_random_uuid(), 'dsar.created', now(), 'event', 'failed', 5,
         now(), now(), now() - (n % 7) * interval '1 minute' FROM webhooks, generate_series(1, 1800) n WHERE webhook_id = ?`,
      [webhook_id],
    );
    // Those of the test before.
    await redeliverFailed(db);
    await client.redeliverFailed({ token, body: { since: ago(HOUR) } });
    const parts: number[] = [];
    const pending = async () =>
      Number((await db('deliveries').where({ webhook_id, state: 'pending' }).count())[0]?.count);
    while (parts.at(-1) !== 1800 && parts.length < 6) {
      await Promise.all([redeliverFailed(db), redeliverFailed(db), redeliverFailed(db)]);
      parts.push(await pending());
    }
    expect(parts[0]).toBeGreaterThanOrEqual(500);
    expect(parts[0]).toBeLessThanOrEqual(1500);
    expect(parts.at(-1)).toBe(1800);
    await redeliverFailed(db);
    expect((await client.listRedeliveries({ token })).items[0]).toMatchObject({
      status: 'done',
      deliveries: 1800,
    });
  });
});

test('an operator may ask for it, a viewer not; what is wrong is said at its field', async () => {
  const { site, ask } = await failed(1);
  const { token } = site;
  const future = await refusal(ask({ since: new Date(Date.now() + HOUR).toISOString() }));
  expect([future.status, pathsOf(future)]).toEqual([400, ['body.since']]);
  expect((await refusal(ask({ webhook_id: randomUUID() }))).status).toBe(404);
  const stranger = await server.site();
  const { redelivery_id } = await ask();
  const calls = [
    stranger.client.getRedelivery({ token, redelivery_id }),
    stranger.client.getRedelivery({ token: stranger.token, redelivery_id }),
    stranger.client.redeliverFailed({ token, body: { since: ago(HOUR) } }),
  ];
  for (const { status } of await Promise.all(calls.map(refusal))) expect(status).toBe(404);
  for (const [role, status] of [
    ['operator', undefined],
    ['viewer', 403],
  ] as const) {
    const person = await server.person();
    await table('members').insert({
      environment_id: (await table('environments').where({ token }).first('id')).id,
      ...{ user_id: person.userId, role, added_at: new Date() },
    });
    const call = person.client.redeliverFailed({ token, body: { since: ago(HOUR) } });
    expect(status === undefined ? (await call).status : (await refusal(call)).status).toBe(
      status ?? 'running',
    );
    await person.client.listRedeliveries({ token });
  }
});
