import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Child, endChildren, freePort, ServerProcess } from '../../helpers/processes/child';
import type { TestServer } from '../../helpers/server';
import { until } from '../../helpers/until';
import {
  expireLeases,
  idOf,
  onDatabase,
  sessionOf,
  siteWithWebhooks,
  startService,
  startWorker,
  untilState,
} from '../../helpers/webhooks/faults';
import { type Received, type Receiver, startReceiver } from '../../helpers/webhooks/receiver';

jest.setTimeout(300_000);

const EVENTS = 2_000;
const CONNECTIONS = 8;
const KILLS = 6;

let owner: TestServer;
let receiver: Receiver;
/** The test has ended, however. */
let over = false;
beforeAll(async () => {
  receiver = await startReceiver();
  owner = await startService({ ROLE: 'api' });
});
afterAll(async () => {
  over = true;
  await endChildren();
  await owner.stop();
  await receiver.stop();
});

/**
 * Visitors who decide until so many decisions are acknowledged; broken connections are tried again as a new
 * visitor.
 */
function visitors(url: string, token: string): { acknowledged: string[]; done: Promise<void> } {
  const acknowledged: string[] = [];
  const visit = async (): Promise<void> => {
    while (acknowledged.length < EVENTS && !over) {
      const session_id = randomUUID();
      try {
        const answer = await fetch(`${url}/api/consents/${token}/log`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ session_id, decision: 'accept_all' }),
          signal: AbortSignal.timeout(20_000),
        });
        if (answer.status === 201) acknowledged.push(session_id);
        await answer.arrayBuffer();
      } catch {
        await delay(50);
      }
    }
  };
  const all = Array.from({ length: CONNECTIONS }, visit);
  return { acknowledged, done: Promise.all(all).then(() => undefined) };
}

test('kill -9 of server and worker at random moments: every event arrives, each time with the same id and bytes', async () => {
  const { token, webhook_id } = await siteWithWebhooks(owner, [receiver.url]);
  const variables = { ...onDatabase(owner.databaseUrl), ROLE: 'all' };
  const port = await freePort();
  let server = await ServerProcess.start(variables, port);
  let worker: Child = await startWorker(owner.databaseUrl);
  receiver.answer = (_request, response) =>
    void setTimeout(() => response.writeHead(200).end('ok'), randomInt(20));
  const { acknowledged, done } = visitors(server.url, token);
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const enough = acknowledged.length + randomInt(50, Math.floor(EVENTS / KILLS));
    await until('more is acknowledged', () => acknowledged.length >= Math.min(enough, EVENTS), 60_000);
    await delay(randomInt(20));
    if (kill % 2 === 1) {
      await server.kill('SIGKILL');
      server = await ServerProcess.start(variables, port);
    } else {
      await worker.kill('SIGKILL');
      worker = await startWorker(owner.databaseUrl);
    }
    // Also those of the process that lives: its results are fenced out now and then.
    await expireLeases(owner);
  }
  await done;
  await expireLeases(owner);
  const { db } = owner.service.context;
  const events: { event_id: string; payload: string }[] = await db('events').select('event_id', 'payload');
  await untilState(owner, webhook_id, 'delivered', events.length, 120_000);
  const bodies = new Map<string, Set<string>>();
  const note = (received: Received): unknown =>
    bodies.set(idOf(received), (bodies.get(idOf(received)) ?? new Set()).add(received.body));
  receiver.received.forEach(note);
  expect(events.length).toBeGreaterThanOrEqual(EVENTS);
  expect(bodies.size).toBe(events.length);
  for (const { event_id, payload } of events) expect([...(bodies.get(event_id) ?? [])]).toEqual([payload]);
  const arrived = new Set(receiver.received.map(sessionOf));
  expect(acknowledged.filter((session) => !arrived.has(session))).toEqual([]);
  const webhook = await owner.service.context.db('webhooks').where({ webhook_id }).first();
  expect(webhook.status).toBe('active');
});
