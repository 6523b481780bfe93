import type { ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { TestServer } from '../../helpers/server';
import { until } from '../../helpers/until';
import { decide, siteWithWebhooks, startService, stored, webhookRow } from '../../helpers/webhooks/faults';
import { type Receiver, startReceiver } from '../../helpers/webhooks/receiver';

jest.setTimeout(90_000);

let server: TestServer;
let receiver: Receiver;
const raw: Server[] = [];
beforeAll(async () => {
  receiver = await startReceiver();
  server = await startService({ WEBHOOK_RETRY_SECONDS: '600,600,600,600' });
});
afterAll(async () => {
  await server.stop();
  await receiver.stop();
  for (const one of raw) one.close();
});

/** A receiver that speaks TCP only, once a request has begun. */
async function rawReceiver(answer: (socket: Socket) => void): Promise<string> {
  const one = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
  });
  raw.push(one);
  await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(one.address() as AddressInfo).port}/`;
}

/** A byte now and then, for as long as it is listened to. */
function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => socket.write(text[at++ % text.length] as string), 200);
  socket.once('close', () => clearInterval(timer));
}

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(code, headers).end(`answer ${code}`);

interface Case {
  name: string;
  url: string;
  /** What the delivery's log says. */
  delivery: { state: 'pending' | 'delivered'; response_status: number | null; error: RegExp | null };
  webhook: { status: string; consecutive_failures: number };
  /** Seconds until the next attempt: from, to. */
  retry?: [number, number];
}

const FAILED = { status: 'failing', consecutive_failures: 1 };
const SOON: [number, number] = [500, 665];

test('what becomes of a delivery and its webhook, by what the receiver does', async () => {
  const answers: Record<string, (response: ServerResponse) => void> = {
    '/500': status(500),
    '/302': status(302, { Location: `${receiver.url}/never` }),
    '/429': status(429, { 'Retry-After': '1800' }),
    '/429-long': status(429, { 'Retry-After': '86400' }),
    '/410': status(410),
    '/201': status(201),
  };
  receiver.answer = ({ path }, response) => answers[path.replace('/hook', '')]?.(response);
  const answered = (code: number, more = '') => new RegExp(`^The receiver answered ${code}${more}`);
  const http = (code: number, error = answered(code)): Case['delivery'] => ({
    state: 'pending',
    response_status: code,
    error,
  });
  const broken = (error: RegExp): Case['delivery'] => ({ state: 'pending', response_status: null, error });
  const at = (path: string): string => `${receiver.url}${path}`;
  const cases: Case[] = [
    { name: '500', url: at('/500'), delivery: http(500), webhook: FAILED, retry: SOON },
    {
      name: '302 to loopback',
      url: at('/302'),
      delivery: http(302, answered(302, '; redirects are not followed')),
      webhook: FAILED,
      retry: SOON,
    },
    { name: '429', url: at('/429'), delivery: http(429), webhook: FAILED, retry: [1700, 1801] },
    {
      name: '429 for a day: an hour',
      url: at('/429-long'),
      delivery: http(429),
      webhook: FAILED,
      retry: [3500, 3601],
    },
    {
      name: '410 disables at once',
      url: at('/410'),
      delivery: http(410),
      webhook: { status: 'disabled', consecutive_failures: 1 },
    },
    {
      name: 'hangs before headers',
      url: await rawReceiver(() => undefined),
      delivery: broken(/did not answer in time/),
      webhook: FAILED,
      retry: SOON,
    },
    {
      name: 'drips its headers',
      url: await rawReceiver((socket) => drip(socket, `HTTP/1.1 200 OK\r\nX-Slow: ${'very '.repeat(100)}`)),
      delivery: broken(/did not answer in time/),
      webhook: FAILED,
      retry: SOON,
    },
    {
      name: 'drips its body after 200: the status line counts',
      url: await rawReceiver((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n');
        drip(socket, 'slow');
      }),
      delivery: { state: 'delivered', response_status: 200, error: null },
      webhook: { status: 'active', consecutive_failures: 0 },
    },
    {
      name: 'resets the connection',
      url: await rawReceiver((socket) => socket.resetAndDestroy()),
      delivery: broken(/closed the connection/),
      webhook: FAILED,
      retry: SOON,
    },
    {
      name: 'is not there',
      url: 'http://127.0.0.1:9/',
      delivery: broken(/refused the connection/),
      webhook: FAILED,
      retry: SOON,
    },
    {
      name: '201',
      url: at('/201'),
      delivery: { state: 'delivered', response_status: 201, error: null },
      webhook: { status: 'active', consecutive_failures: 0 },
    },
  ];
  const { client, token, webhooks } = await siteWithWebhooks(
    server,
    cases.map(({ url }) => url),
  );
  await decide(server, token);
  for (const [index, { name, delivery, webhook, retry }] of cases.entries()) {
    const webhook_id = webhooks[index] as string;
    const row = await until(
      `${name} is settled`,
      async () => {
        const [first] = await stored(server, webhook_id);
        return first?.attempts === 1 && first.lease === null && first;
      },
      40_000,
    );
    const { error, ...rest } = delivery;
    expect({ name, ...row }).toMatchObject({ name, ...rest });
    if (error === null) expect(row.error).toBeNull();
    else expect(row.error).toMatch(error);
    const state = await webhookRow(server, webhook_id);
    expect({ name, ...state }).toMatchObject({ name, ...webhook });
    if (retry === undefined) expect(state.retry_at).toBeNull();
    else {
      const seconds = (state.retry_at - state.last_counted_at) / 1000;
      expect(seconds).toBeGreaterThan(retry[0]);
      expect(seconds).toBeLessThan(retry[1]);
    }
  }
  expect(receiver.received.filter(({ path }) => path.includes('never'))).toEqual([]);
  // Gone for good: said in the warnings, and what waits is held.
  const gone = webhooks[cases.findIndex(({ url }) => url.endsWith('/410'))] as string;
  const { items: warnings } = await client.listWarnings({ token });
  expect(warnings.filter(({ code }) => code === 'webhook_disabled')).toMatchObject([{ subject_id: gone }]);
  await decide(server, token, 2);
  const view = await client.getWebhook({ token, webhook_id: gone });
  expect(view).toMatchObject({ status: 'disabled', held: 3, pending: 0 });
  expect(view.disabled_reason).toContain('410');
  expect(receiver.received.filter(({ path }) => path.endsWith('/410'))).toHaveLength(1);
});
