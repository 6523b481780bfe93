import { until } from '../../helpers/child';
import { type Receiver, startReceiver } from '../../helpers/receiver';
import type { TestServer } from '../../helpers/server';
import { decide, siteWithWebhooks, startService } from './support';

jest.setTimeout(120_000);

let server: TestServer;
let healthy: Receiver;
let dead: Receiver;
/** Requests that hang, by path, and those that ended, for whatever reason. */
let hanging: Map<string, number>;
let ended: number;
beforeEach(async () => {
  hanging = new Map();
  ended = 0;
  healthy = await startReceiver();
  dead = await startReceiver();
  dead.answer = ({ path }, response) => {
    hanging.set(path, (hanging.get(path) ?? 0) + 1);
    response.once('close', () => {
      ended += 1;
    });
  };
  server = await startService();
});
afterEach(async () => {
  await dead.stop();
  await healthy.stop();
  await server.stop();
});

test('a healthy webhook gets everything while the dead one of the same site hangs in its first attempt', async () => {
  const { token } = await siteWithWebhooks(server, [dead.url, healthy.url]);
  await decide(server, token, 40);
  await healthy.until(40);
  expect(ended).toBe(0);
  expect([...hanging.values()]).toEqual([1]);
});

test('forty dead webhooks hang at once, each with many events: a healthy one of another site gets everything meanwhile', async () => {
  const urls = Array.from({ length: 40 }, (_, n) => `${dead.url}/${n}`);
  const { token } = await siteWithWebhooks(server, urls, ['consent.accept_all']);
  const other = await siteWithWebhooks(server, [healthy.url]);
  await decide(server, token, 10);
  await until('all forty hang', () => hanging.size === 40);
  await decide(server, other.token, 40);
  await healthy.until(40);
  expect(ended).toBe(0);
  // One place for each, so that some are left.
  expect([...hanging.values()]).toEqual(Array(40).fill(1));
});
