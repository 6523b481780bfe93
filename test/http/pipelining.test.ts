import fs from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';

const server = useServer({ variables: { ROLE: 'api' }, timeLimits: { standstill: 1_500 } });

/** Sends a text as one piece, and resolves with what came until the connection ended or was quiet. */
function exchange(text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(text));
    socket.setTimeout(1_000, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

const answersIn = (text: string): number => text.split('HTTP/1.1 ').length - 1;
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

test.each(['/healthz', '/metrics', '/openapi.json', '/docs/', '/console', '/api/nothing'])(
  'thousands of requests for %s in one piece are not worked off at one stretch',
  async (path) => {
    const one = get(path);
    const answer = await exchange(one.repeat(Math.floor(65_536 / one.length)));
    expect(answersIn(answer)).toBeLessThanOrEqual(16);
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  },
);

test('a few requests in one piece are answered, all of them', async () => {
  expect(answersIn(await exchange(get('/healthz').repeat(10)))).toBe(10);
});

test('metrics are collected once for everybody who asks within a second', async () => {
  const { registry } = server.service.context.metrics;
  const collect = jest.spyOn(registry, 'metrics');
  await Promise.all(
    Array.from({ length: 20 }, () => fetch(`${server.url}/metrics`).then((one) => one.text())),
  );
  expect(collect.mock.calls.length).toBeLessThanOrEqual(2);
  collect.mockRestore();
});

test.each(['/console', '/console/icon.svg'])(
  'a range that ends before it begins gets an answer: %s',
  async (path) => {
    const response = await fetch(`${server.url}${path}`, { headers: { Range: 'bytes=5-1' } });
    expect(response.status).toBe(200);
    expect((await response.text()).length).toBeGreaterThan(0);
  },
);

/** Sends requests and takes nothing of their answers. */
function askAndNeverRead(text: string): Socket {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(text));
  socket.on('error', () => undefined);
  return socket.pause();
}

test('files that a client asks for in one piece are opened one by one, and closed when it leaves', async () => {
  const opened = jest.spyOn(fs, 'createReadStream');
  const files = () => opened.mock.results.map(({ value }) => value as fs.ReadStream);
  const socket = askAndNeverRead(get('/llms-full.txt').repeat(16));
  await until('a file is open', () => files().some(({ closed }) => !closed));
  // The buffers of the connection take the first ones whole.
  await delay(500);
  expect(files().filter(({ closed }) => !closed)).toHaveLength(1);
  socket.destroy();
  await until('all files are closed', () => files().every(({ closed }) => closed), 5_000);
  opened.mockRestore();
});

test('a client that takes nothing of its answer is not waited for', async () => {
  const opened = jest.spyOn(fs, 'createReadStream');
  const files = () => opened.mock.results.map(({ value }) => value as fs.ReadStream);
  const socket = askAndNeverRead(get('/llms-full.txt').repeat(16));
  await until('a file is open', () => files().some(({ closed }) => !closed));
  await until('its file is closed', () => files().every(({ closed }) => closed), 20_000);
  socket.destroy();
  opened.mockRestore();
});
