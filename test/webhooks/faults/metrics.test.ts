import type { TestServer } from '../../helpers/server';
import { until } from '../../helpers/until';
import { decide, siteWithWebhooks, startService, untilState } from '../../helpers/webhooks/faults';
import { type Receiver, startReceiver } from '../../helpers/webhooks/receiver';

jest.setTimeout(60_000);

let server: TestServer;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  server = await startService({ WEBHOOK_RETRY_SECONDS: '600,600,600,600' });
});
afterAll(async () => {
  await server.stop();
  await receiver.stop();
});

async function read(url: string): Promise<(name: string) => number | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return (name) => {
    const line = text.split('\n').find((one) => one.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.slice(name.length + 1));
  };
}

test('/metrics tells the attempts by result and time, the age of what waits, what is held, and who is disabled', async () => {
  receiver.answer = ({ path }, response) => {
    response.writeHead({ '/hook/gone': 410, '/hook/bad': 500 }[path] ?? 200).end();
  };
  const quiet = (await read(server.url))('avow_webhooks_disabled');
  expect(quiet ?? 0).toBe(0);
  const urls = ['/gone', '/bad', '/good'].map((path) => receiver.url + path);
  const { token, webhooks } = await siteWithWebhooks(server, urls);
  await decide(server, token, 4);
  await untilState(server, webhooks[2] as string, 'delivered', 4);
  const value = await until('what waits was measured', async () => {
    const now = await read(server.url);
    return now('avow_webhook_held_deliveries') === 4 && now;
  });
  expect(value('avow_webhooks_disabled')).toBe(1);
  expect(value('avow_webhook_attempts_total{result="delivered"}')).toBe(4);
  expect(value('avow_webhook_attempts_total{result="failed"}')).toBe(2);
  expect(value('avow_webhook_attempt_duration_seconds_count')).toBe(6);
  const age = value('avow_webhook_oldest_pending_seconds') as number;
  expect(age).toBeGreaterThan(0);
  // It grows by itself, also between two measurements.
  await until(
    'it is older',
    async () => ((await read(server.url))('avow_webhook_oldest_pending_seconds') ?? 0) > age,
  );
});

test('a process that delivers nothing does not say that nothing waits', async () => {
  const api = await startService({ ROLE: 'api' });
  const value = await read(api.url);
  expect(value('avow_webhook_held_deliveries')).toBeUndefined();
  expect(value('avow_webhook_oldest_pending_seconds')).toBeUndefined();
  await api.stop();
});
