import { randomUUID } from 'node:crypto';
import type { Output } from '@avow/sdk';
import { pathsOf, refusal } from '../helpers/http/refusal';
import { startServer, type TestServer } from '../helpers/server';
import { submit } from '../helpers/site/data-subject-requests';
import { member, rowsIn } from '../helpers/site/people';
import { eventually, until } from '../helpers/until';
import { answering, namesOf, receive } from '../helpers/webhooks/receive';
import { INWARD, type Receiver } from '../helpers/webhooks/receiver';

/** Tries five times without waiting. */
let impatient: TestServer;
/** Waits an hour after a failure. */
let patient: TestServer;
beforeAll(async () => {
  const schedule = (seconds: string) => ({ ...INWARD, WEBHOOK_RETRY_SECONDS: seconds });
  impatient = await startServer({ variables: schedule('0,0,0,0') });
  patient = await startServer({ variables: schedule('3600,3600,3600,3600') });
});
afterAll(() => Promise.all([impatient.stop(), patient.stop()]));

type Delivery = Output<'listDeliveries'>['items'][number];
type State = Delivery['state'];

/** A site of a server with a webhook to a receiver of its own. */
async function subscribed(server: TestServer, answer?: Receiver['answer']) {
  const site = await server.site();
  const { client, token } = site;
  const receiver = await receive(answer);
  const body = { url: receiver.url, events: '*' as const };
  const { webhook_id } = await client.createWebhook({ token, body });
  const webhook = () => client.getWebhook({ token, webhook_id });
  const deliveries = async (state?: State) =>
    (await client.listDeliveries({ token, webhook_id, ...(state && { state }) })).items;
  /** The deliveries, once each of them is in this state. */
  const settled = (count: number, state: State) =>
    eventually(deliveries, (all) => all.length === count && all.every((one) => one.state === state));
  const redeliver = (delivery_id: string) => client.redeliver({ token, webhook_id, delivery_id });
  const test = (event?: Delivery['event']) =>
    client.testWebhook({ token, webhook_id, ...(event && { body: { event } }) });
  return { site, client, token, receiver, webhook_id, webhook, deliveries, settled, redeliver, test };
}

/** What a webhook knows of its failures: what neither a test nor a redelivery may change. */
const countOf = ({ updated_at: _, ...webhook }: Output<'getWebhook'>) => webhook;

describe('the list of deliveries', () => {
  test('shows what was sent and what was answered', async () => {
    const { token, receiver, webhook_id, webhook, settled } = await subscribed(
      impatient,
      answering(201, 'Danke'),
    );
    const { request_id } = await submit(impatient, token);
    const [received] = await receiver.until(1);
    const [delivery] = await settled(1, 'delivered');
    expect(delivery).toEqual({
      delivery_id: received?.headers['x-service-delivery'],
      webhook_id,
      event_id: received?.headers['webhook-id'],
      event: 'dsar.created',
      kind: 'event',
      state: 'delivered',
      attempts: 1,
      created_at: expect.any(String),
      next_attempt_at: null,
      last_attempt_at: expect.any(String),
      delivered_at: expect.any(String),
      duration_ms: expect.any(Number),
      response_status: 201,
      response_body: 'Danke',
      error: null,
      payload: JSON.parse(received?.body as string),
    });
    expect(delivery?.payload).toMatchObject({ request_id });
    expect(await webhook()).toMatchObject({ status: 'active', last_success_at: expect.any(String) });
  });

  test('shows why an attempt failed and when the next one is due', async () => {
    const { token, receiver, webhook, settled } = await subscribed(patient, answering(503, 'Closed'));
    const before = Date.now();
    await submit(patient, token);
    await receiver.until(1);
    const [delivery] = await eventually(
      () => settled(1, 'pending'),
      ([one]) => one?.attempts === 1,
    );
    expect(delivery).toMatchObject({
      attempts: 1,
      response_status: 503,
      response_body: 'Closed',
      error: 'The receiver answered 503.',
      delivered_at: null,
    });
    const wait = Date.parse(delivery?.next_attempt_at as string) - before;
    expect(wait).toBeGreaterThanOrEqual(3_600_000 * 0.9);
    expect(wait).toBeLessThanOrEqual(3_600_000 * 1.1 + 10_000);
    expect(await webhook()).toMatchObject({
      status: 'failing',
      consecutive_failures: 1,
      retry_at: expect.any(String),
      last_error: 'The receiver answered 503.',
      pending: 1,
      held: 0,
    });
  });

  test('is newest first, by pages and by state', async () => {
    const { client, token, webhook_id, deliveries, settled, receiver } = await subscribed(impatient);
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      await submit(impatient, token);
      ids.unshift(String((await receiver.until(count + 1))[count]?.headers['x-service-delivery']));
    }
    await settled(5, 'delivered');
    expect((await deliveries()).map(({ delivery_id }) => delivery_id)).toEqual(ids);
    const seen: string[] = [];
    for await (const one of client.listDeliveries.each({ token, webhook_id, limit: 2 }))
      seen.push(one.delivery_id);
    expect(seen).toEqual(ids);
    for (const state of ['pending', 'held', 'failed'] as const) expect(await deliveries(state)).toEqual([]);
    expect(await deliveries('delivered')).toHaveLength(5);
    const error = await refusal(deliveries('lost' as State));
    expect([error.status, pathsOf(error)]).toEqual([400, ['query.state']]);
  });

  test('holds only those of its own webhook', async () => {
    const { client, token, receiver, webhook_id, settled } = await subscribed(impatient);
    const body = { url: receiver.url, events: ['breach.created' as const] };
    const other = await client.createWebhook({ token, body });
    await submit(impatient, token);
    await settled(1, 'delivered');
    expect((await client.listDeliveries({ token, webhook_id: other.webhook_id })).items).toEqual([]);
    const shouting = await client.listDeliveries({ token, webhook_id: webhook_id.toUpperCase() });
    expect(shouting.items).toHaveLength(1);
  });

  test.each([
    [200, 'delivered', 256],
    [410, 'held', 4096],
  ] as const)(
    'keeps of an answer %i (%s) no more than %i bytes, and nothing that cannot be stored',
    async (status, state, limit) => {
      const { token, settled } = await subscribed(impatient, answering(status, `a\0b${'🦉'.repeat(5000)}`));
      await submit(impatient, token);
      const [delivery] = await settled(1, state);
      const body = delivery?.response_body as string;
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(limit);
      expect(Buffer.byteLength(body)).toBeGreaterThan(limit - 8);
      expect(body).toMatch(/^ab🦉+$/u);
    },
  );
});

describe('a receiver that fails five times in a row', () => {
  /** A disabled webhook: the delivery that failed five times is held, and two that came later. */
  async function disabled() {
    const all = await subscribed(impatient, answering(500, 'Broken'));
    const first = (await submit(impatient, all.token)).request_id;
    await eventually(all.webhook, ({ status }) => status === 'disabled');
    const later = [
      (await submit(impatient, all.token)).request_id,
      (await submit(impatient, all.token)).request_id,
    ];
    return { ...all, first, later };
  }
  const requestsOf = (all: Delivery[]) =>
    all.map(({ payload }) => ('request_id' in payload ? payload.request_id : undefined));

  test('gets the same event each time, then nothing; it is held, and what comes later too', async () => {
    const { receiver, webhook, deliveries, first, later } = await disabled();
    expect(receiver.received).toHaveLength(5);
    const distinct = (name: string) => new Set(receiver.received.map(({ headers }) => headers[name])).size;
    expect([distinct('webhook-id'), distinct('x-service-delivery')]).toEqual([1, 1]);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(receiver.received.map(({ headers }) => headers['x-service-attempt'])).toEqual([
      ...['1', '2', '3', '4', '5'],
    ]);
    expect(await webhook()).toMatchObject({
      status: 'disabled',
      consecutive_failures: 5,
      retry_at: null,
      last_error: 'The receiver answered 500.',
      disabled_at: expect.any(String),
      disabled_reason: '5 consecutive deliveries failed.',
      held: 3,
      pending: 0,
    });
    expect(await deliveries('failed')).toEqual([]);
    expect(await deliveries('pending')).toEqual([]);
    // What comes in the second after the last failure has a delivery already, what comes later gets one when it is sent.
    const held = await deliveries('held');
    expect(requestsOf(await deliveries())).toEqual(requestsOf(held));
    expect([...later].reverse().concat(first)).toEqual(expect.arrayContaining(requestsOf(held)));
    expect(held.map(({ attempts, next_attempt_at }) => [attempts, next_attempt_at])).toEqual([
      ...held.slice(1).map(() => [0, null]),
      [5, null],
    ]);
    expect(requestsOf(held).at(-1)).toBe(first);
    expect(held.at(-1)).toMatchObject({ response_status: 500, error: 'The receiver answered 500.' });
  });

  test('is told all that was held, oldest first, once it is reactivated: the one that disabled it last', async () => {
    const { client, token, receiver, webhook_id, webhook, deliveries, first, later } = await disabled();
    receiver.answer = answering(200);
    const reactivated = await client.reactivateWebhook({ token, webhook_id });
    expect(reactivated).toMatchObject({
      status: 'active',
      consecutive_failures: 0,
      ...{ retry_at: null, disabled_at: null, disabled_reason: null, held: 0, pending: 3 },
    });
    const received = (await receiver.until(8)).slice(5);
    expect(received.map(({ body }) => JSON.parse(body).request_id)).toEqual([...later, first]);
    // It has four new attempts.
    expect(received.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '1', '2']);
    expect(received[2]?.headers['webhook-id']).toBe(receiver.received[0]?.headers['webhook-id']);
    await eventually(
      () => deliveries('delivered'),
      (all) => all.length === 3,
    );
    expect(await webhook()).toMatchObject({ status: 'active', held: 0, pending: 0 });
    expect((await refusal(client.reactivateWebhook({ token, webhook_id }))).status).toBe(409);
    expect(receiver.received).toHaveLength(8);
  });

  test('is disabled once more by five more failures, with new attempts for each delivery', async () => {
    const { client, token, receiver, webhook_id, webhook, deliveries } = await disabled();
    await client.reactivateWebhook({ token, webhook_id });
    await eventually(webhook, ({ status }) => status === 'disabled');
    expect(receiver.received).toHaveLength(10);
    const all = await deliveries('held');
    expect(all).toHaveLength(3);
    // The one that had been tried keeps one of its attempts.
    expect(all.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(1 + 5);
  });

  test('stays disabled while its address is changed, and goes on there once reactivated', async () => {
    const { client, token, webhook_id, webhook } = await disabled();
    const mended = await receive();
    await client.updateWebhook({ token, webhook_id, body: { url: mended.url } });
    expect(await webhook()).toMatchObject({ status: 'disabled', held: 3 });
    await client.reactivateWebhook({ token, webhook_id });
    expect(await mended.until(3)).toHaveLength(3);
  });

  test('can be deleted, with all that was held', async () => {
    const { client, token, webhook_id } = await disabled();
    await client.deleteWebhook({ token, webhook_id });
    await until('they are deleted', async () => (await rowsIn(impatient, 'deliveries', token)).length === 0);
  });

  test('of two owners who reactivate it at once one succeeds', async () => {
    const { client, token, webhook_id } = await disabled();
    const both = await Promise.allSettled([
      client.reactivateWebhook({ token, webhook_id }),
      client.reactivateWebhook({ token, webhook_id }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

test('a receiver that is gone (410) is disabled at once, and its delivery held', async () => {
  const { token, receiver, webhook, settled } = await subscribed(impatient, answering(410));
  await submit(impatient, token);
  await eventually(webhook, ({ status }) => status === 'disabled');
  expect(await webhook()).toMatchObject({
    consecutive_failures: 1,
    held: 1,
    disabled_reason: 'The receiver answered 410 Gone.',
  });
  await settled(1, 'held');
  expect(receiver.received).toHaveLength(1);
});

test('what a receiver answers after its URL was replaced does not count against the new one', async () => {
  let answer: (() => void) | undefined;
  const held: Receiver['answer'] = (...asked) => {
    answer = () => answering(410)(...asked);
  };
  const { client, token, webhook, webhook_id, settled } = await subscribed(patient, held);
  await submit(patient, token);
  await until('the old receiver has the request', () => answer !== undefined);
  const other = await receive();
  await client.updateWebhook({ token, webhook_id, body: { url: other.url } });
  answer?.();
  // Nor against the delivery: the new one is asked, without the wait after a failure.
  const [delivery] = await settled(1, 'delivered');
  expect([delivery?.attempts, other.received.length]).toEqual([1, 1]);
  expect(await webhook()).toMatchObject({ status: 'active', consecutive_failures: 0 });
});

test('a failing webhook can be reactivated by hand: the next attempt is made at once', async () => {
  const { client, token, receiver, webhook_id, webhook } = await subscribed(patient, answering(500));
  await submit(patient, token);
  await eventually(webhook, ({ status }) => status === 'failing');
  receiver.answer = answering(200);
  await client.reactivateWebhook({ token, webhook_id });
  await receiver.until(2);
  await eventually(webhook, ({ status, pending }) => status === 'active' && pending === 0);
});

describe('a test', () => {
  const NAMES = [
    ...(['consent.accept_all', 'consent.reject_all', 'consent.save_preferences'] as const),
    ...(['dsar.created', 'dsar.resolved', 'breach.created', 'breach.reported'] as const),
  ];

  test.each(NAMES)('sends an example of %s and answers with what came of it', async (event) => {
    const { client, token, receiver, test } = await subscribed(impatient, answering(202, 'Seen'));
    const delivery = await test(event);
    const [received] = await receiver.until(1);
    expect(delivery).toMatchObject({
      event,
      kind: 'test',
      state: 'delivered',
      attempts: 1,
      response_status: 202,
      response_body: 'Seen',
      error: null,
      delivered_at: expect.any(String),
      payload: JSON.parse(received?.body as string),
    });
    expect(received?.headers).toMatchObject({
      'x-service-event': event,
      'x-service-delivery': delivery.delivery_id,
      'webhook-id': delivery.event_id,
      'x-service-test': 'true',
      'content-type': 'application/json',
    });
    expect(delivery.payload).toMatchObject({ event, environment: token });
    expect((await client.listEvents({ token })).items).toEqual([]);
  });

  test('sends the first event that is subscribed to, or dsar.created of all', async () => {
    const { client, token, receiver, webhook_id, test } = await subscribed(impatient);
    expect((await test()).event).toBe('dsar.created');
    const events = ['breach.reported' as const, 'dsar.created' as const];
    await client.updateWebhook({ token, webhook_id, body: { events } });
    expect((await test()).event).toBe('breach.reported');
    expect((await test('consent.accept_all')).event).toBe('consent.accept_all');
    expect(namesOf(receiver.received)).toEqual(['dsar.created', 'breach.reported', 'consent.accept_all']);
  });

  test('uses the method of the webhook', async () => {
    const { client, token, receiver, webhook_id, test } = await subscribed(impatient);
    await client.updateWebhook({ token, webhook_id, body: { method: 'GET' } });
    const { payload } = await test();
    expect(receiver.received).toMatchObject([{ method: 'GET', body: JSON.stringify(payload) }]);
  });

  test.each([
    ['400', answering(400, 'Bad'), 'The receiver answered 400.', 400],
    ['a redirect', answering(302), /302; redirects are not followed/, 302],
    ['410', answering(410), 'The receiver answered 410.', 410],
    ['nothing', ((_, response) => response.destroy()) as Receiver['answer'], /closed the connection/, null],
  ])('that is answered with %s failed, and counts for nothing', async (_, answer, error, status) => {
    const { receiver, webhook, test } = await subscribed(impatient, answer);
    const before = countOf(await webhook());
    for (let count = 0; count < 7; count += 1) {
      expect(await test()).toMatchObject({
        kind: 'test',
        state: 'failed',
        attempts: 1,
        response_status: status,
        error: typeof error === 'string' ? error : expect.stringMatching(error),
        next_attempt_at: null,
        delivered_at: null,
      });
    }
    expect(countOf(await webhook())).toEqual(before);
    expect(receiver.received).toHaveLength(7);
  });

  test('of a receiver that cannot be reached says so', async () => {
    const { receiver, webhook, test } = await subscribed(impatient);
    await receiver.stop();
    const delivery = await test();
    expect(delivery).toMatchObject({ state: 'failed', response_status: null });
    expect(delivery.error).toMatch(/refused the connection/);
    expect(delivery.error).not.toContain('127.0.0.1');
    expect((await webhook()).status).toBe('active');
  });

  test('that succeeds does not make a failing webhook active again', async () => {
    const { token, receiver, webhook, test } = await subscribed(patient, answering(500));
    await submit(patient, token);
    await eventually(webhook, ({ consecutive_failures }) => consecutive_failures === 1);
    const before = countOf(await webhook());
    receiver.answer = answering(200);
    expect((await test()).state).toBe('delivered');
    expect(countOf(await webhook())).toEqual(before);
  });

  test('of a disabled webhook is sent, and the webhook stays disabled', async () => {
    const { token, receiver, webhook, test } = await subscribed(impatient, answering(410));
    await submit(impatient, token);
    await eventually(webhook, ({ status }) => status === 'disabled');
    const before = countOf(await webhook());
    receiver.answer = answering(200);
    expect((await test()).state).toBe('delivered');
    expect(countOf(await webhook())).toEqual(before);
  });

  test('is in the list of deliveries and can be sent again with the same bytes', async () => {
    const { receiver, deliveries, redeliver, test } = await subscribed(impatient);
    const tested = await test('breach.created');
    expect(await deliveries()).toEqual([tested]);
    expect(await redeliver(tested.delivery_id)).toMatchObject({
      kind: 'redelivery',
      event_id: tested.event_id,
      payload: tested.payload,
    });
    const [first, second] = await receiver.until(2);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['x-service-test']).toBe('true');
  });

  test('of an unknown event is refused, and nothing is sent', async () => {
    const { receiver, test } = await subscribed(impatient);
    const error = await refusal(test('dsar.deleted' as 'dsar.created'));
    expect([error.status, pathsOf(error)]).toEqual([400, ['body.event']]);
    expect(receiver.received).toEqual([]);
  });
});

describe('a redelivery', () => {
  test('sends the same id and bytes once more, under a new delivery', async () => {
    const { token, receiver, settled, deliveries, redeliver } = await subscribed(impatient);
    await submit(impatient, token, { email: 'ümläut+🦉@example.com' });
    const [original] = await settled(1, 'delivered');
    receiver.answer = answering(202, 'Again');
    const again = await redeliver(original?.delivery_id as string);
    expect(again).toMatchObject({
      event_id: original?.event_id,
      event: 'dsar.created',
      kind: 'redelivery',
      state: 'delivered',
      attempts: 1,
      response_status: 202,
      response_body: 'Again',
      payload: original?.payload,
    });
    expect(again.delivery_id).not.toBe(original?.delivery_id);
    const [first, second] = await receiver.until(2);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers).toMatchObject({
      'webhook-id': first?.headers['webhook-id'],
      'x-service-signature': first?.headers['x-service-signature'],
      'x-service-delivery': again.delivery_id,
      'x-service-attempt': '1',
    });
    for (const one of [first, second]) expect(one?.headers).not.toHaveProperty('x-service-test');
    expect(await deliveries()).toEqual([again, original]);
  });

  test('of a redelivery is still the same event', async () => {
    const { token, receiver, settled, redeliver } = await subscribed(impatient);
    await submit(impatient, token);
    const [original] = await settled(1, 'delivered');
    const again = await redeliver(original?.delivery_id as string);
    const third = await redeliver(again.delivery_id);
    expect([again.event_id, third.event_id]).toEqual([original?.event_id, original?.event_id]);
    expect(new Set((await receiver.until(3)).map(({ body }) => body)).size).toBe(1);
  });

  test('that fails counts for nothing, however often', async () => {
    const { token, receiver, webhook, settled, redeliver } = await subscribed(impatient);
    await submit(impatient, token);
    const [original] = await settled(1, 'delivered');
    const before = countOf(await webhook());
    receiver.answer = answering(500, 'Broken');
    for (let count = 0; count < 7; count += 1) {
      expect(await redeliver(original?.delivery_id as string)).toMatchObject({
        kind: 'redelivery',
        state: 'failed',
        attempts: 1,
        response_status: 500,
        next_attempt_at: null,
      });
    }
    expect(countOf(await webhook())).toEqual(before);
    expect(receiver.received).toHaveLength(8);
  });

  test('to a disabled webhook is sent; neither the webhook nor the original changes', async () => {
    const { token, receiver, webhook, deliveries, redeliver } = await subscribed(impatient, answering(500));
    await submit(impatient, token);
    await eventually(webhook, ({ status }) => status === 'disabled');
    const before = countOf(await webhook());
    const [held] = await deliveries('held');
    receiver.answer = answering(200);
    const again = await redeliver(held?.delivery_id as string);
    expect(again.state).toBe('delivered');
    expect(countOf(await webhook())).toEqual(before);
    expect(await deliveries('held')).toEqual([held]);
    expect((await receiver.until(6))[5]?.body).toBe(receiver.received[0]?.body);
  });

  test('of a held delivery leaves it held', async () => {
    const { token, receiver, webhook, settled, redeliver, deliveries } = await subscribed(
      impatient,
      answering(410),
    );
    await submit(impatient, token);
    await eventually(webhook, ({ status }) => status === 'disabled');
    const [held] = await settled(1, 'held');
    receiver.answer = answering(200);
    expect((await redeliver(held?.delivery_id as string)).state).toBe('delivered');
    expect(await deliveries('held')).toEqual([held]);
  });

  test('may be made by an operator', async () => {
    const { site, token, webhook_id, settled } = await subscribed(impatient);
    const { client } = await member(impatient, site, 'operator');
    await submit(impatient, token);
    const [original] = await settled(1, 'delivered');
    const delivery_id = original?.delivery_id as string;
    expect((await client.redeliver({ token, webhook_id, delivery_id })).state).toBe('delivered');
  });

  test('of what does not exist here is 404, and nothing is sent', async () => {
    const { client, token, webhook_id, settled, redeliver } = await subscribed(impatient);
    const stranger = await subscribed(impatient);
    await submit(impatient, token);
    const [original] = await settled(1, 'delivered');
    const delivery_id = original?.delivery_id as string;
    const sibling = await client.createWebhook({
      token,
      body: { url: stranger.receiver.url, events: '*' },
    });
    const calls = [
      redeliver(randomUUID()),
      client.redeliver({ token, webhook_id: sibling.webhook_id, delivery_id }),
      stranger.redeliver(delivery_id),
      stranger.client.redeliver({ token: stranger.token, webhook_id, delivery_id }),
      stranger.client.redeliver({ token, webhook_id, delivery_id }),
    ];
    for (const { status } of await Promise.all(calls.map(refusal))) expect(status).toBe(404);
    expect(stranger.receiver.received).toEqual([]);
  });
});
