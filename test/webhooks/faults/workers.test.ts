import { endChildren, freePort } from '../../helpers/processes/child';
import type { TestServer } from '../../helpers/server';
import { until } from '../../helpers/until';
import {
  decide,
  idOf,
  siteWithWebhooks,
  startService,
  startWorker,
  stored,
} from '../../helpers/webhooks/faults';
import { type Received, type Receiver, startReceiver } from '../../helpers/webhooks/receiver';

jest.setTimeout(300_000);

const EVENTS = 500;
const WEBHOOKS = 20;

let api: TestServer;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  api = await startService({ ROLE: 'api' });
});
afterAll(async () => {
  await endChildren();
  await api.stop();
  await receiver.stop();
});

/** Answers after a few milliseconds; tells of deliveries that were on their way twice at the same time. */
function watchOverlaps(): { overlaps: string[]; most: Map<string, number> } {
  const open = new Map<string, Set<string>>();
  const seen = { overlaps: [] as string[], most: new Map<string, number>() };
  receiver.answer = (request, response) => {
    const ids = open.get(request.path) ?? new Set();
    open.set(request.path, ids);
    const id = idOf(request);
    if (ids.has(id)) seen.overlaps.push(id);
    ids.add(id);
    seen.most.set(request.path, Math.max(seen.most.get(request.path) ?? 0, ids.size));
    response.once('close', () => ids.delete(id));
    setTimeout(() => response.writeHead(200).end('ok'), 5);
  };
  return seen;
}

async function deliveredBy(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(/avow_webhook_attempts_total\{result="delivered"\} (\d+)/.exec(text)?.[1] ?? 0);
}

test('an API process and two workers: of 10,000 deliveries none is lost, and none is under two leases at once', async () => {
  const urls = Array.from({ length: WEBHOOKS }, (_, n) => `${receiver.url}/${n}`);
  const { token, webhooks } = await siteWithWebhooks(api, urls);
  const seen = watchOverlaps();
  const ports = [await freePort(), await freePort()];
  await Promise.all(ports.map((port) => startWorker(api.databaseUrl, { METRICS_PORT: String(port) })));
  await decide(api, token, EVENTS);
  await until('all have come', () => receiver.received.length >= EVENTS * WEBHOOKS, 240_000);
  const all = (): Promise<unknown[]> =>
    api.service.context.db('deliveries').whereIn('webhook_id', webhooks).where({ state: 'delivered' });
  await until('all are noted', async () => (await all()).length === EVENTS * WEBHOOKS);
  expect(receiver.received).toHaveLength(EVENTS * WEBHOOKS);
  expect(seen.overlaps).toEqual([]);
  expect(Math.max(...seen.most.values())).toBeLessThanOrEqual(8);
  const key = (received: Received): string => `${received.path} ${idOf(received)}`;
  expect(new Set(receiver.received.map(key)).size).toBe(EVENTS * WEBHOOKS);
  const shares = await Promise.all(ports.map(deliveredBy));
  expect(shares.every((share) => share > 0)).toBe(true);
  expect(shares.reduce((sum, share) => sum + share)).toBe(EVENTS * WEBHOOKS);
  const [first] = await stored(api, webhooks[0] as string);
  expect(first).toMatchObject({ attempts: 1, lease: null, lease_until: null });
});
