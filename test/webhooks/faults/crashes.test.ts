import type { ServerResponse } from 'node:http';
import { addTrigger } from '../../helpers/cluster/instruments';
import { endChildren, ServerProcess } from '../../helpers/processes/child';
import type { TestServer } from '../../helpers/server';
import { until } from '../../helpers/until';
import {
  decide,
  expireLeases,
  freeze,
  idOf,
  onDatabase,
  sessionOf,
  siteWithWebhooks,
  startService,
  startWorker,
  stored,
  untilState,
  webhookRow,
  whileLocked,
} from '../../helpers/webhooks/faults';
import { type Receiver, startReceiver } from '../../helpers/webhooks/receiver';

jest.setTimeout(120_000);

let api: TestServer;
let receiver: Receiver;
beforeAll(async () => {
  api = await startService({ ROLE: 'api' });
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await endChildren();
  await receiver.stop();
});
afterAll(() => api.stop());

/** Keeps the answers of a receiver open, for the test to give. */
function hold(to: Receiver): ServerResponse[] {
  const open: ServerResponse[] = [];
  to.answer = (_request, response) => void open.push(response);
  return open;
}

const ok = (to: Receiver): void => {
  to.answer = (_request, response) => void response.writeHead(200).end('ok');
};

test('a change that is rolled back leaves no event and no delivery', async () => {
  const { db } = api.service.context;
  const { token, webhook_id } = await siteWithWebhooks(api, [receiver.url]);
  const removals = [];
  for (const table of ['consents', 'dsar_requests']) {
    const body = "RAISE EXCEPTION 'refused at the commit';";
    removals.push(
      await addTrigger(api.databaseUrl, {
        ...{ name: `refuse_${table}`, table, event: 'AFTER INSERT', deferred: true, body },
      }),
    );
  }
  const dsar = { request_type: 'access' as const, email: 'visitor@example.com' };
  await expect(decide(api, token)).rejects.toMatchObject({ status: 500 });
  await expect(api.visitor.submitDsar({ token, body: dsar })).rejects.toMatchObject({ status: 500 });
  for (const remove of removals) await remove();
  expect(await stored(api, webhook_id)).toEqual([]);
  expect(await db('events').join('environments', 'id', 'environment_id').where({ token })).toEqual([]);
  // What is committed next is the first thing that the receiver hears of.
  await startWorker(api.databaseUrl);
  const [session] = await decide(api, token);
  const [first] = await receiver.until(1);
  expect(sessionOf(first as never)).toBe(session);
});

test('a process that is killed after the commit and before the POST: the next one delivers', async () => {
  const { token, webhook_id } = await siteWithWebhooks(api, [receiver.url]);
  const variables = { ...onDatabase(api.databaseUrl), ROLE: 'all' };
  const server = await ServerProcess.start(variables);
  // While its webhook is locked nothing is claimed, as in the instant after a commit.
  await whileLocked(api, webhook_id, async () => {
    const answer = await fetch(`${server.url}/api/consents/${token}/log`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ session_id: '0b6f1d9e-2f5c-4d3a-9a53-6a5c0c3f7e11', decision: 'reject_all' }),
    });
    expect(answer.status).toBe(201);
    await server.kill('SIGKILL');
  });
  expect(await stored(api, webhook_id)).toMatchObject([{ state: 'pending', lease: null, attempts: 0 }]);
  expect(receiver.received).toEqual([]);
  await ServerProcess.start(variables);
  const [received] = await receiver.until(1);
  expect(received?.headers['x-service-event']).toBe('consent.reject_all');
  await untilState(api, webhook_id, 'delivered', 1);
});

test('a worker that is killed during the POST: after its lease the same id and bytes are sent again', async () => {
  const { token, webhook_id } = await siteWithWebhooks(api, [receiver.url]);
  hold(receiver);
  const killed = await startWorker(api.databaseUrl);
  await decide(api, token);
  await receiver.until(1);
  await killed.kill('SIGKILL');
  ok(receiver);
  await startWorker(api.databaseUrl);
  // The lease keeps the first one back while the next worker is long at work.
  const [later] = await decide(api, token);
  const [first, second] = await receiver.until(2);
  expect(sessionOf(second as never)).toBe(later);
  expect((await stored(api, webhook_id))[0]).toMatchObject({ state: 'pending', attempts: 0 });
  await expireLeases(api);
  const [, , again] = await receiver.until(3);
  expect(again?.body).toBe(first?.body);
  for (const header of ['webhook-id', 'x-service-delivery', 'x-service-signature', 'x-service-attempt']) {
    expect(again?.headers[header]).toBe(first?.headers[header]);
  }
  await untilState(api, webhook_id, 'delivered', 2);
});

test('the result of a worker that was held up beyond its lease is fenced out', async () => {
  const { token, webhook_id } = await siteWithWebhooks(api, [receiver.url]);
  const open = hold(receiver);
  const late = await startWorker(api.databaseUrl);
  await decide(api, token);
  await receiver.until(1);
  // The whole process stands still, as when a virtual machine is moved.
  await freeze(api, late);
  ok(receiver);
  await expireLeases(api);
  await startWorker(api.databaseUrl);
  const [before] = await untilState(api, webhook_id, 'delivered', 1);
  open[0]?.writeHead(500).end('too late');
  late.process.kill('SIGCONT');
  const line = await until('the late worker logs its result', () =>
    late.log().find(({ msg, delivery_id }) => msg === 'delivery' && delivery_id === before?.delivery_id),
  );
  expect(line).toMatchObject({ fenced: true });
  expect(await stored(api, webhook_id)).toEqual([before]);
  expect(before).toMatchObject({ attempts: 1, response_status: 200, error: null });
  const webhook = await webhookRow(api, webhook_id);
  expect(webhook).toMatchObject({ status: 'active', consecutive_failures: 0, last_error: null });
  const [first, second] = receiver.received;
  expect(idOf(second as never)).toBe(idOf(first as never));
});

test('SIGTERM: what is in flight is finished, the rest stays free for others, and the process ends with 0', async () => {
  const urls = ['/1', '/2', '/3'].map((path) => receiver.url + path);
  const { token, webhooks } = await siteWithWebhooks(api, urls);
  const open = hold(receiver);
  const worker = await startWorker(api.databaseUrl);
  await decide(api, token, 10);
  await receiver.until(3);
  const ended = worker.kill('SIGTERM');
  await until('it says that it stops', () => worker.output.includes('"stopping"'));
  for (const response of open) response.writeHead(200).end('ok');
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(receiver.received).toHaveLength(3);
  for (const webhook_id of webhooks) {
    const rows = await stored(api, webhook_id);
    expect(rows.filter(({ state }) => state === 'delivered')).toHaveLength(1);
    const rest = rows.filter(({ state }) => state === 'pending');
    expect(rest).toHaveLength(9);
    expect(rest.every(({ lease, attempts }) => lease === null && attempts === 0)).toBe(true);
  }
  // Nobody has to wait for a lease.
  ok(receiver);
  await startWorker(api.databaseUrl);
  await receiver.until(30);
});
