import type { ServerResponse } from 'node:http';
import type { Client, TestServer } from '../../helpers/server';
import { until } from '../../helpers/until';
import {
  auditDisabling,
  decide,
  idOf,
  sessionOf,
  siteWithWebhooks,
  startService,
  stored,
  untilState,
  webhookRow,
} from '../../helpers/webhooks/faults';
import { type Received, type Receiver, startReceiver } from '../../helpers/webhooks/receiver';

jest.setTimeout(120_000);

let server: TestServer;
let receiver: Receiver;
let timesDisabled: (webhook_id: string) => Promise<number>;
beforeAll(async () => {
  server = await startService();
  timesDisabled = await auditDisabling(server);
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());
afterAll(() => server.stop());

/** Answers with these statuses, one after the other, and from then on with the last. */
function answerWith(...statuses: number[]): void {
  let at = 0;
  receiver.answer = (_request, response) => {
    response.writeHead(statuses[Math.min(at++, statuses.length - 1)] as number).end();
  };
}

const reached = (webhook_id: string, what: { status: string; consecutive_failures: number }) =>
  until(
    `the webhook is ${JSON.stringify(what)}`,
    async () => {
      const row = await webhookRow(server, webhook_id);
      return row.status === what.status && row.consecutive_failures === what.consecutive_failures && row;
    },
    30_000,
  );

const warningsOf = async (client: Client, token: string) =>
  (await client.listWarnings({ token })).items.filter(({ code }) => code.startsWith('webhook_'));

/** Makes a webhook that is disabled, by five failures of its first event. */
async function disabledWebhook() {
  const site = await siteWithWebhooks(server, [receiver.url]);
  answerWith(500);
  await decide(server, site.token);
  await reached(site.webhook_id, { status: 'disabled', consecutive_failures: 5 });
  return site;
}

test('four failures, a success, four failures: active; five: disabled once, with a warning, and everything is held', async () => {
  const { client, token, webhook_id } = await siteWithWebhooks(server, [receiver.url]);
  for (const round of [1, 2]) {
    answerWith(500, 500, 500, 500, 200);
    await decide(server, token);
    await reached(webhook_id, { status: 'failing', consecutive_failures: 4 });
    expect(await warningsOf(client, token)).toMatchObject([{ code: 'webhook_failing' }]);
    await untilState(server, webhook_id, 'delivered', round);
    await reached(webhook_id, { status: 'active', consecutive_failures: 0 });
    expect(await warningsOf(client, token)).toEqual([]);
  }
  answerWith(500);
  const [session] = await decide(server, token);
  await reached(webhook_id, { status: 'disabled', consecutive_failures: 5 });
  const attempts = receiver.received.filter((received) => sessionOf(received) === session);
  expect(attempts.map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2', '3', '4', '5']);
  expect(new Set(attempts.map(({ body, headers }) => `${headers['webhook-id']} ${body}`)).size).toBe(1);
  const before = receiver.received.length;
  const rest = await decide(server, token, 3);
  expect(rest).toHaveLength(3);
  const view = await client.getWebhook({ token, webhook_id });
  // The one whose fifth failure it was is held like those that came later.
  expect(view).toMatchObject({ status: 'disabled', held: 4, pending: 0, retry_at: null });
  expect(view.last_error).toContain('500');
  expect(view.disabled_reason).toContain('5 consecutive');
  const { items } = await client.listDeliveries({ token, webhook_id, state: 'held' });
  expect(items.map(({ state, attempts: n }) => [state, n])).toEqual([
    ...Array(3).fill(['held', 0]),
    ['held', 5],
  ]);
  expect(await warningsOf(client, token)).toMatchObject([
    { code: 'webhook_disabled', severity: 'critical', subject_id: webhook_id },
  ]);
  // A healthy webhook of the same site shows that the dispatcher is at work and leaves this one alone.
  const other = await startReceiver();
  await client.createWebhook({ token, body: { url: other.url, events: '*' } });
  await until('the new webhook is known', async () => {
    await decide(server, token);
    return other.received.length > 0;
  });
  expect(receiver.received).toHaveLength(before);
  expect(await timesDisabled(webhook_id)).toBe(1);
  await other.stop();
});

test('the attempts of a delivery follow the schedule; after the fifth it is held, and can be redelivered', async () => {
  const own = await startService({ WEBHOOK_RETRY_SECONDS: '0.3,0.6,0.9,1.2' });
  const at: number[] = [];
  receiver.answer = (_request, response) => {
    at.push(Date.now());
    response.writeHead(503).end('not now');
  };
  const { client, token, webhook_id } = await siteWithWebhooks(own, [receiver.url]);
  await decide(own, token);
  const [failed] = await until('the fifth attempt is written', async () => {
    const rows = await stored(own, webhook_id);
    return rows[0]?.attempts === 5 && rows;
  });
  expect(failed).toMatchObject({
    state: 'pending',
    attempts: 5,
    response_status: 503,
    error: 'The receiver answered 503.',
  });
  expect(at).toHaveLength(5);
  const gaps = at.slice(1).map((time, index) => time - (at[index] as number));
  // Ten percent of jitter, and timers of a millisecond.
  for (const [index, least] of [270, 540, 810, 1080].entries())
    expect(gaps[index]).toBeGreaterThanOrEqual(least - 2);
  expect(await webhookRow(own, webhook_id)).toMatchObject({ status: 'disabled', consecutive_failures: 5 });
  answerWith(200);
  const { delivery_id } = failed as { delivery_id: string };
  const again = await client.redeliver({ token, webhook_id, delivery_id });
  expect(again).toMatchObject({ kind: 'redelivery', state: 'delivered', attempts: 1, response_status: 200 });
  const [first, last] = [receiver.received[0], receiver.received.at(-1)] as [Received, Received];
  expect([idOf(last), last.body]).toEqual([idOf(first), first.body]);
  expect(await webhookRow(own, webhook_id)).toMatchObject({ status: 'disabled', consecutive_failures: 5 });
  expect((await stored(own, webhook_id)).map(({ state }) => state).sort()).toEqual(['delivered', 'pending']);
  await own.stop();
});

test('a failed test or redelivery counts for nothing', async () => {
  const { client, token, webhook_id } = await siteWithWebhooks(server, [receiver.url]);
  await decide(server, token);
  const [first] = await untilState(server, webhook_id, 'delivered', 1);
  const delivery_id = first?.delivery_id as string;
  answerWith(500);
  for (let n = 0; n < 3; n += 1) {
    expect(await client.testWebhook({ token, webhook_id })).toMatchObject({ kind: 'test', state: 'failed' });
    const again = await client.redeliver({ token, webhook_id, delivery_id });
    expect(again).toMatchObject({ state: 'failed', attempts: 1, response_status: 500 });
  }
  expect(await webhookRow(server, webhook_id)).toMatchObject({ status: 'active', consecutive_failures: 0 });
});

test('a burst of 100 events during a short outage counts once for each try, disables nothing, and all arrive', async () => {
  const { token, webhook_id } = await siteWithWebhooks(server, [receiver.url]);
  const open: ServerResponse[] = [];
  // The first answers earn it its eight places.
  receiver.answer = (_request, response, count) => {
    if (count <= 20) response.writeHead(200).end();
    else open.push(response);
  };
  await decide(server, token, 100);
  await until('eight are in flight', () => open.length === 8, 30_000);
  answerWith(500, 500, 200);
  for (const response of open) response.writeHead(500).end();
  await reached(webhook_id, { status: 'failing', consecutive_failures: 1 });
  await until('the eight failures are written', async () => {
    const rows = await stored(server, webhook_id);
    return (
      rows.filter(({ attempts, response_status }) => attempts > 0 && response_status === 500).length >= 8
    );
  });
  await untilState(server, webhook_id, 'delivered', 100, 60_000);
  await reached(webhook_id, { status: 'active', consecutive_failures: 0 });
  expect(await timesDisabled(webhook_id)).toBe(0);
});

test('held deliveries go out after one reactivation, oldest first and one by one; what had been tried and what comes meanwhile go after them', async () => {
  const { client, token, webhook_id } = await disabledWebhook();
  const tried = receiver.received.slice(0, 1).map(sessionOf);
  const held: string[] = [];
  for (let n = 0; n < 25; n += 1) held.push(...(await decide(server, token)));
  const before = receiver.received.length;
  let open = 0;
  let most = 0;
  receiver.answer = (request, response) => {
    open += 1;
    if (held.includes(sessionOf(request))) most = Math.max(most, open);
    setTimeout(() => {
      open -= 1;
      response.writeHead(200).end();
    }, 5);
  };
  await client.reactivateWebhook({ token, webhook_id });
  const later = await decide(server, token, 5);
  await untilState(server, webhook_id, 'delivered', 31, 60_000);
  const sessions = receiver.received.slice(before).map(sessionOf);
  expect(sessions.slice(0, 25)).toEqual(held);
  expect(sessions.slice(25).sort()).toEqual([...tried, ...later].sort());
  expect(most).toBe(1);
  expect(await webhookRow(server, webhook_id)).toMatchObject({ status: 'active', disabled_at: null });
  await expect(client.reactivateWebhook({ token, webhook_id })).rejects.toMatchObject({ status: 409 });
});

test('a receiver that fails again after the reactivation: five more attempts, one counter, disabled again', async () => {
  const { client, token, webhook_id } = await disabledWebhook();
  await decide(server, token, 2);
  const before = receiver.received.length;
  await client.reactivateWebhook({ token, webhook_id });
  await reached(webhook_id, { status: 'disabled', consecutive_failures: 5 });
  expect(receiver.received.length - before).toBe(5);
  expect(await timesDisabled(webhook_id)).toBe(2);
  expect(await client.getWebhook({ token, webhook_id })).toMatchObject({ held: 3 });
});

test('the row has changed since the event: what is sent is what happened', async () => {
  const { client, token, webhook_id } = await disabledWebhook();
  const { request_id } = await server.visitor.submitDsar({
    token,
    body: { request_type: 'erasure', email: 'before@example.com' },
  });
  const compiled = await server.service.context.db('events').where({ subject_id: request_id }).first();
  await client.extendDsar({ token, request_id, body: { reason: 'Two months more (Art. 12(3)).' } });
  await server.service.context
    .db('dsar_requests')
    .where({ request_id })
    .update({ email: 'after@example.com', due_at: new Date(0) });
  await server.service.context
    .db('environments')
    .where({ token })
    .update({ url: 'https://moved.example.com' });
  answerWith(200);
  await client.reactivateWebhook({ token, webhook_id });
  await untilState(server, webhook_id, 'delivered', 2);
  const [sent] = receiver.received.filter(({ headers }) => headers['x-service-event'] === 'dsar.created');
  expect(sent?.body).toBe(compiled.payload);
  expect(JSON.parse(sent?.body as string)).toMatchObject({ request_id, email: 'before@example.com' });
});
