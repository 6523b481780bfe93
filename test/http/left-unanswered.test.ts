import { randomUUID } from 'node:crypto';
import { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { queryObjects } from 'node:v8';
import pino from 'pino';
import { startServer, type TestServer } from '../helpers/server';
import { until } from '../helpers/until';

// Counting what a process holds takes seconds on a busy machine.
jest.setTimeout(120_000);

const lines: string[] = [];
let server: TestServer;
let token: string;
beforeAll(async () => {
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  server = await startServer({ log, variables: { ROLE: 'api' } });
  ({ token } = await server.site());
});
afterAll(() => server.stop());

/** Sends requests as one piece and leaves at once, while all but the first wait behind its answer. */
async function sendAndLeave(text: string): Promise<void> {
  const trx = await server.service.context.db.transaction();
  await trx.raw('LOCK TABLE session_choices IN ACCESS EXCLUSIVE MODE');
  await new Promise<void>((resolve) => {
    const { port } = new URL(server.url);
    const socket = connect(Number(port), '127.0.0.1', () => socket.end(first() + text));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.resume();
  });
  await trx.rollback();
}

const first = () => `GET /api/preferences/${token}?session_id=${randomUUID()} HTTP/1.1\r\nHost: a\r\n\r\n`;
const decision = (body: string) =>
  `POST /api/consents/${token}/log HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const logged = (operation: string) =>
  lines.map((line) => JSON.parse(line)).filter((line) => line.operation === operation);

/** Requests of an operation that the metrics have counted. */
async function counted(operation: string): Promise<number> {
  const { registry } = server.service.context.metrics;
  const metric = registry.getSingleMetric('avow_http_requests_total') as {
    get(): Promise<{ values: { value: number; labels: { operation?: string } }[] }>;
  };
  const { values } = await metric.get();
  const own = values.filter(({ labels }) => labels.operation === operation);
  return own.reduce((sum, { value }) => sum + value, 0);
}

/** Answers that the process holds, after collecting its garbage. */
const held = (): number => queryObjects(ServerResponse, { format: 'count' }) as unknown as number;

test('requests whose sender leaves before their turn are logged, counted and forgotten', async () => {
  const before = held();
  await sendAndLeave(decision('{').repeat(14));
  await until('all are logged', () => logged('logConsent').length === 14);
  expect(await counted('logConsent')).toBe(14);
  await until('nothing is held', () => held() < before + 5);
});

test('decisions whose sender leaves before their turn are counted, stored or not', async () => {
  const before = await counted('logConsent');
  const body = () => JSON.stringify({ session_id: randomUUID(), decision: 'accept_all' });
  await sendAndLeave(Array.from({ length: 14 }, () => decision(body())).join(''));
  await until('they are counted', async () => (await counted('logConsent')) === before + 14);
});
