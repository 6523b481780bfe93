import { randomUUID } from 'node:crypto';
import type { Input, Output } from '@avow/sdk';
import { onCluster } from '../helpers/database';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { type TestServer, useServer } from '../helpers/server';
import { breachInput, submit } from '../helpers/site/data-subject-requests';
import { rowsIn } from '../helpers/site/people';
import { eventually } from '../helpers/until';
import { answering, namesOf, receive } from '../helpers/webhooks/receive';
import { INWARD } from '../helpers/webhooks/receiver';

const server = useServer({ variables: { ...INWARD, WEBHOOK_RETRY_SECONDS: '0,0,0,0' } });

type Site = Awaited<ReturnType<TestServer['site']>>;
type Name = Output<'listEvents'>['items'][number]['event'];
const ALL: readonly Name[] = [
  ...(['consent.accept_all', 'consent.reject_all', 'consent.save_preferences'] as const),
  ...(['dsar.created', 'dsar.resolved', 'breach.created', 'breach.reported'] as const),
];

const subscribe = async ({ client, token }: Site, url: string, events: '*' | Name[] = '*') =>
  (await client.createWebhook({ token, body: { url, events } })).webhook_id;

const decide = (
  token: string,
  session_id = randomUUID(),
  decision: 'accept_all' | 'reject_all' = 'accept_all',
) => server.visitor.logConsent({ token, body: { session_id, decision } });

/** Each of the seven events, one after the other. */
async function everything({ client, token }: Site): Promise<void> {
  const session_id = randomUUID();
  await decide(token, session_id);
  await decide(token, session_id, 'reject_all');
  await server.visitor.savePreferences({ token, body: { session_id, categories: { analytics: true } } });
  const { request_id } = await submit(server, token);
  await client.resolveDsar({ token, request_id, body: { resolution: 'fulfilled' } });
  const { breach_id } = await client.createBreach({ token, body: breachInput() });
  await client.reportBreach({ token, breach_id, body: {} });
}

type Filters = Omit<Input<'listEvents'>, 'token'>;
const listed = async ({ client, token }: Site, filters: Filters = {}) =>
  (await client.listEvents({ token, ...filters })).items;
const names = (events: Output<'listEvents'>['items']) => events.map(({ event }) => event);

describe('the list of events', () => {
  test('can be read from its end', async () => {
    const site = await server.site();
    await everything(site);
    const oldest = await listed(site);
    expect(oldest.length).toBeGreaterThan(3);
    expect(await listed(site, { order: 'newest' })).toEqual([...oldest].reverse());
    const first = await site.client.listEvents({ token: site.token, order: 'newest', limit: 1 });
    const next = await site.client.listEvents({
      token: site.token,
      order: 'newest',
      cursor: first.next_cursor as string,
    });
    expect([...first.items, ...next.items]).toEqual([...oldest].reverse());
  });

  test('is oldest first, each with the payload that was sent', async () => {
    const site = await server.site();
    const receiver = await receive();
    await subscribe(site, receiver.url);
    await everything(site);
    const events = await listed(site);
    expect(names(events)).toEqual(ALL);
    const sent = new Map((await receiver.until(7)).map(({ headers, body }) => [headers['webhook-id'], body]));
    for (const { event_id, event, occurred_at, payload } of events) {
      expect(JSON.stringify(payload)).toBe(sent.get(event_id));
      expect([payload.event, Date.parse(payload.timestamp)]).toEqual([event, Date.parse(occurred_at)]);
    }
  });

  test('has requests and breaches also where nobody subscribes, decisions only where somebody does', async () => {
    const site = await server.site();
    await everything(site);
    expect(names(await listed(site))).toEqual(ALL.slice(3));
    const receiver = await receive();
    await subscribe(site, receiver.url, ['consent.reject_all']);
    await everything(site);
    expect(names(await listed(site))).toEqual([...ALL.slice(3), 'consent.reject_all', ...ALL.slice(3)]);
    expect(namesOf(await receiver.until(1))).toEqual(['consent.reject_all']);
  });

  test('is filtered by name and by time, from the first instant to before the last', async () => {
    const site = await server.site();
    await subscribe(site, (await receive()).url);
    await everything(site);
    for (const event of ALL) expect(names(await listed(site, { event }))).toEqual([event]);
    const events = await listed(site);
    const { db } = server.service.context;
    // A millisecond of its own for each.
    for (const [index, { event_id }] of events.entries()) {
      const occurred_at = new Date(Date.parse('2026-11-20T09:30:00.000Z') + index);
      await db('events').where({ event_id }).update({ occurred_at });
    }
    const from = '2026-11-20T09:30:00.002Z';
    const to = '2026-11-20T10:30:00.005+01:00';
    expect(names(await listed(site, { from }))).toEqual(ALL.slice(2));
    expect(names(await listed(site, { to }))).toEqual(ALL.slice(0, 5));
    expect(names(await listed(site, { from, to }))).toEqual(ALL.slice(2, 5));
    expect(names(await listed(site, { from, to, event: 'dsar.created' }))).toEqual(['dsar.created']);
    expect(await listed(site, { from: to, to: from })).toEqual([]);
  });

  test('an event that is stored later than a younger one is missed by nobody who reads on', async () => {
    const site = await server.site();
    const { db } = server.service.context;
    await submit(server, site.token);
    const seen = await listed(site);
    const ids = seen.map(({ event_id }) => event_id);
    // Long ago, for a transaction that begins now.
    const from = new Date(Date.now() - 60_000).toISOString();
    await db('events').whereIn('event_id', ids).update({ occurred_at: from });
    const slow = await db.transaction();
    const event_id = randomUUID();
    const older = await rowsIn(server, 'events', site.token).first();
    await slow('events').insert({ ...older, event_id, occurred_at: new Date() });
    const { request_id } = await submit(server, site.token);
    // From its end the list shows everything; whoever reads on is not led past what may still come.
    expect(await listed(site, { order: 'newest', limit: 1 })).toMatchObject([{ payload: { request_id } }]);
    expect((await listed(site, { from })).map((event) => event.event_id)).toEqual(ids);
    await slow.commit();
    const all = await listed(site, { from });
    expect(all.map((event) => event.event_id)).toEqual([...ids, event_id, expect.any(String)]);
    expect(all[2]).toMatchObject({ payload: { request_id } });
  });

  test('a transaction that only reads holds nothing up, and one that is taken back no longer', async () => {
    const site = await server.site();
    const { db } = server.service.context;
    const reading = await db.transaction();
    await reading('events').select('event_id').limit(1);
    await submit(server, site.token);
    expect(await listed(site)).toHaveLength(1);
    const writing = await db.transaction();
    await writing('consents').where({ consent_id: randomUUID() }).delete();
    await submit(server, site.token);
    expect(await listed(site, { order: 'newest' })).toHaveLength(2);
    expect((await listed(site)).length).toBeLessThan(2);
    await writing.rollback();
    expect(await listed(site)).toHaveLength(2);
    await reading.commit();
  });

  // A cluster waits for every transaction that writes.
  (onCluster() ? test.skip : test)('a transaction of another site holds nothing up', async () => {
    const [mine, theirs] = [await server.site(), await server.site()];
    const { db } = server.service.context;
    await submit(server, theirs.token);
    await listed(theirs);
    const slow = await db.transaction();
    await slow('environments').where({ token: theirs.token }).forUpdate().select('id');
    // It has begun to write, and waits for the row of its site.
    const waiting = submit(server, theirs.token);
    await eventually(
      () =>
        db.raw(
          "SELECT FROM pg_locks WHERE relation = 'dsar_requests'::regclass AND mode = 'RowExclusiveLock'",
        ),
      ({ rows }) => rows.length > 0,
    );
    const waited = new Promise((resolve) => setTimeout(resolve, 1_100));
    await submit(server, mine.token);
    await waited;
    expect(await listed(mine)).toHaveLength(1);
    await submit(server, mine.token);
    expect(await listed(mine)).toHaveLength(2);
    await slow.commit();
    await waiting;
    expect(await listed(theirs)).toHaveLength(2);
  });

  test('is read on by its cursor while new events occur, none missed, none twice', async () => {
    const site = await server.site();
    for (let count = 0; count < 4; count += 1) await submit(server, site.token);
    const before = (await listed(site)).map(({ event_id }) => event_id);
    const seen: string[] = [];
    let later = 3;
    for await (const { event_id } of site.client.listEvents.each({ token: site.token, limit: 2 })) {
      seen.push(event_id);
      if (later-- > 0) await submit(server, site.token);
    }
    expect(seen.slice(0, 4)).toEqual(before);
    expect(seen).toEqual((await listed(site)).map(({ event_id }) => event_id));
    expect(seen).toHaveLength(7);
  });

  test.each([
    ['event', { event: 'dsar.deleted' }],
    ['from', { from: 'yesterday' }],
    ['to', { to: '2026-02-30' }],
    ['cursor', { cursor: 'AAAA' }],
    ['limit', { limit: 0 }],
  ])('refuses a wrong %s', async (name, filters) => {
    const error = await refusal(listed(await server.site(), filters as Filters));
    expect([error.status, pathsOf(error)]).toEqual([400, [`query.${name}`]]);
  });

  test("shows nothing of somebody else's site, also not with a cursor of it", async () => {
    const [mine, theirs] = [await server.site(), await server.site()];
    for (let count = 0; count < 2; count += 1) await submit(server, theirs.token);
    const { next_cursor } = await theirs.client.listEvents({ token: theirs.token, limit: 1 });
    expect(await listed(mine, { cursor: next_cursor as string })).toEqual([]);
    expect((await refusal(mine.client.listEvents({ token: theirs.token }))).status).toBe(404);
  });
});

describe('a subscription', () => {
  test('to some events gets those and no others', async () => {
    const site = await server.site();
    const [some, all] = [await receive(), await receive()];
    await subscribe(site, some.url, ['dsar.resolved', 'consent.save_preferences']);
    await subscribe(site, all.url);
    await everything(site);
    expect(namesOf(await all.until(7)).sort()).toEqual([...ALL].sort());
    expect(namesOf(await some.until(2)).sort()).toEqual(['consent.save_preferences', 'dsar.resolved']);
    expect(await rowsIn(server, 'deliveries', site.token)).toHaveLength(9);
  });

  test('is one delivery for each webhook, also of the same address', async () => {
    const site = await server.site();
    const receiver = await receive();
    for (let count = 0; count < 3; count += 1) await subscribe(site, receiver.url);
    await submit(server, site.token);
    const received = await receiver.until(3);
    const distinct = (name: string) => new Set(received.map(({ headers }) => headers[name])).size;
    expect([distinct('webhook-id'), distinct('x-service-delivery')]).toEqual([1, 3]);
    expect(distinct('x-service-signature')).toBe(3);
  });

  test('made just before a decision gets it, although visitors were there before', async () => {
    const site = await server.site();
    const receiver = await receive();
    for (let count = 1; count <= 10; count += 1) {
      // The site is in memory now, without this webhook.
      await decide(site.token);
      const webhook_id = await subscribe(site, receiver.url, ['consent.reject_all']);
      const session_id = randomUUID();
      await decide(site.token, session_id, 'reject_all');
      const received = await receiver.until(count);
      expect(JSON.parse(received[count - 1]?.body as string).data.session_id).toBe(session_id);
      await site.client.deleteWebhook({ token: site.token, webhook_id });
    }
  });

  test('is not that of another site', async () => {
    const [mine, theirs] = [await server.site(), await server.site()];
    const receiver = await receive();
    await subscribe(mine, receiver.url);
    await everything(theirs);
    await submit(server, mine.token);
    const [received] = await receiver.until(1);
    expect(JSON.parse(received?.body as string).environment).toBe(mine.token);
    expect(receiver.received).toHaveLength(1);
  });

  test('that is changed holds for what occurs from then on', async () => {
    const site = await server.site();
    const { client, token } = site;
    const receiver = await receive();
    const webhook_id = await subscribe(site, receiver.url, ['consent.accept_all']);
    await decide(token);
    await client.updateWebhook({
      token,
      webhook_id,
      body: { events: ['consent.reject_all', 'dsar.created'] },
    });
    await decide(token);
    await decide(token, randomUUID(), 'reject_all');
    await submit(server, token);
    await client.updateWebhook({ token, webhook_id, body: { events: '*' } });
    await decide(token);
    expect(namesOf(await receiver.until(4)).sort()).toEqual([
      ...['consent.accept_all', 'consent.accept_all', 'consent.reject_all', 'dsar.created'],
    ]);
    expect(await rowsIn(server, 'deliveries', token)).toHaveLength(4);
  });

  test('that is deleted gets nothing any more', async () => {
    const site = await server.site();
    const { client, token } = site;
    const receiver = await receive();
    const webhook_id = await subscribe(site, receiver.url);
    await decide(token);
    await receiver.until(1);
    await client.deleteWebhook({ token, webhook_id });
    await decide(token);
    await submit(server, token);
    // What it got is deleted in the background.
    await eventually(
      () => rowsIn(server, 'deliveries', token),
      (rows) => rows.length === 0,
    );
    expect(receiver.received).toHaveLength(1);
  });

  test('does not get twice what a visitor repeats with a key', async () => {
    const site = await server.site();
    const receiver = await receive();
    await subscribe(site, receiver.url);
    const body = { session_id: randomUUID(), decision: 'accept_all' as const };
    const options = { idempotencyKey: randomUUID() };
    for (let count = 0; count < 3; count += 1)
      await server.visitor.logConsent({ token: site.token, body }, options);
    await receiver.until(1);
    expect(await rowsIn(server, 'events', site.token)).toHaveLength(1);
    expect(await rowsIn(server, 'deliveries', site.token)).toHaveLength(1);
  });

  test('does not get what was refused', async () => {
    const site = await server.site();
    const { client, token } = site;
    await subscribe(site, (await receive()).url);
    const calls = [
      server.visitor.submitDsar({ token, body: { request_type: 'erasure', email: 'x' } }),
      server.visitor.savePreferences({ token, body: { session_id: randomUUID(), categories: { no: true } } }),
      client.createBreach({ token, body: breachInput({ aware_at: '2000-01-01T00:00:00+10:00' }) }),
    ];
    for (const { status } of await Promise.all(calls.map(refusal))) expect(status).toBe(400);
    expect(await rowsIn(server, 'events', token)).toEqual([]);
    expect(await rowsIn(server, 'deliveries', token)).toEqual([]);
  });
});

test('a payload stays as it was compiled, whatever becomes of its record and its site', async () => {
  const site = await server.site();
  const { client, token } = site;
  const receiver = await receive(answering(410));
  const webhook_id = await subscribe(site, receiver.url);
  const { request_id } = await submit(server, token, { email: 'before@example.com' });
  await eventually(
    () => client.getWebhook({ token, webhook_id }),
    ({ status }) => status === 'disabled',
  );
  const { breach_id } = await client.createBreach({ token, body: breachInput({ title: 'Before' }) });
  const session_id = randomUUID();
  await decide(token, session_id);
  const before = (await rowsIn(server, 'events', token)).map(({ event_id, payload }) => [event_id, payload]);
  expect(before).toHaveLength(3);

  const { db } = server.service.context;
  await db('dsar_requests')
    .where({ request_id })
    .update({ email: 'after@example.com', due_at: new Date('2031-01-01') });
  await client.updateBreach({ token, breach_id, body: { title: 'After', affected_subjects: 7 } });
  await client.updateEnvironment({
    token,
    body: { url: 'https://after.example.com', domain: 'after.example.com' },
  });
  await db('consents').where({ session_id }).update({ ip_masked: '9.9.***.***' });

  receiver.answer = answering(200);
  await client.reactivateWebhook({ token, webhook_id });
  const received = (await receiver.until(4)).slice(1);
  expect(received.map(({ headers, body }) => [headers['webhook-id'], body]).sort()).toEqual(before.sort());
  const { items } = await client.listDeliveries({ token, webhook_id });
  for (const { delivery_id } of items) await client.redeliver({ token, webhook_id, delivery_id });
  expect(
    (await receiver.until(7))
      .slice(4)
      .map(({ body }) => body)
      .sort(),
  ).toEqual(before.map(([, payload]) => payload).sort());
});

describe('erasing a session', () => {
  test('erases its events and their deliveries, sent, repeated or held, and nothing else', async () => {
    const site = await server.site();
    const { client, token } = site;
    const receiver = await receive();
    const webhook_id = await subscribe(site, receiver.url);
    const [gone, kept] = [randomUUID(), randomUUID()];
    await decide(token, gone);
    await decide(token, kept);
    await receiver.until(2);
    const { items } = await eventually(
      () => client.listDeliveries({ token, webhook_id, state: 'delivered' }),
      (page) => page.items.length === 2,
    );
    for (const { delivery_id } of items) await client.redeliver({ token, webhook_id, delivery_id });
    receiver.answer = answering(410);
    await decide(token, gone, 'reject_all');
    await eventually(
      () => client.getWebhook({ token, webhook_id }),
      ({ status }) => status === 'disabled',
    );
    await decide(token, gone);
    await decide(token, kept, 'reject_all');
    await submit(server, token);
    expect(await client.eraseSession({ token, session_id: gone.toUpperCase() })).toEqual({
      session_id: gone,
      complete: true,
      consents: 3,
      form_consents: 0,
    });

    const text = JSON.stringify([
      await rowsIn(server, 'events', token),
      await rowsIn(server, 'deliveries', token),
      await client.listEvents({ token }),
      await client.listDeliveries({ token, webhook_id }),
    ]);
    expect(text).not.toContain(gone);
    expect(names(await listed(site))).toEqual(['consent.accept_all', 'consent.reject_all', 'dsar.created']);
    // What a disabled webhook misses is a delivery that waits, or a span until it is active again: held, either way.
    const delivered = (await rowsIn(server, 'deliveries', token)).filter(
      ({ state }) => state === 'delivered',
    );
    expect(delivered).toHaveLength(2);
    expect(await client.getWebhook({ token, webhook_id })).toMatchObject({ held: 2 });

    const before = receiver.received.length;
    receiver.answer = answering(200);
    await client.reactivateWebhook({ token, webhook_id });
    const received = (await receiver.until(before + 2)).slice(before);
    expect(namesOf(received)).toEqual(['consent.reject_all', 'dsar.created']);
    expect(JSON.stringify(received)).not.toContain(gone);
  });

  test('of another site erases nothing of this one', async () => {
    const [mine, theirs] = [await server.site(), await server.site()];
    const receiver = await receive();
    await subscribe(theirs, receiver.url);
    const session_id = randomUUID();
    await decide(theirs.token, session_id);
    await mine.client.eraseSession({ token: mine.token, session_id });
    expect(await rowsIn(server, 'events', theirs.token)).toHaveLength(1);
    expect(await rowsIn(server, 'deliveries', theirs.token)).toHaveLength(1);
  });
});
