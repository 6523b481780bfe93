import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { blockOf } from '../../server/src/domain/mask';
import { proxyTeller } from '../../server/src/http/client';
import { createMetrics } from '../../server/src/observability/metrics';
import { ConnectionLimits, mostConnections, openFiles } from '../../server/src/runtime/connection-limits';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';

const MOST = { ofBlock: 3, all: 6 };
const server = useServer({ variables: { ROLE: 'api' }, connections: MOST });
const crowded = useServer({ variables: { ROLE: 'api' }, connections: MOST });
const proxied = useServer({ variables: { ROLE: 'api', TRUST_PROXY: '127.0.0.2' }, connections: MOST });
const impatient = useServer({
  variables: { ROLE: 'api' },
  timeLimits: { headersTimeout: 300, connectionsCheckingInterval: 50 },
});

const sockets: Socket[] = [];
afterEach(async () => {
  const left = sockets.splice(0).filter((socket) => !socket.destroyed);
  await Promise.all(
    left.map((socket) => {
      socket.destroy();
      return once(socket, 'close');
    }),
  );
});

/** A connection from an address of this machine that says nothing. */
async function silent(localAddress: string, { url } = server): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port), localAddress });
  socket.on('error', () => undefined).resume();
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

const ask = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    socket.once('data', (chunk: Buffer) => resolve(chunk.toString('latin1').split('\r\n', 1)[0] as string));
    socket.once('close', () => resolve('closed'));
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  });

const refused = async (reason: string, { service } = server): Promise<number> => {
  const text = await service.context.metrics.registry.metrics();
  const line = text.split('\n').find((one) => one.includes(`refused_total{reason="${reason}"}`));
  return Number(line?.split(' ').at(-1) ?? 0);
};

test('silent connections of one address shut nobody else out, and end no one who was there before', async () => {
  const kept = [await silent('127.0.0.3'), await silent('127.0.0.3'), await silent('127.0.0.3')];
  const more = await silent('127.0.0.3');
  await until('the fourth is ended', () => more.destroyed);
  expect(await refused('address')).toBe(1);
  expect(await ask(await silent('127.0.0.4'))).toBe('HTTP/1.1 200 OK');
  expect(await ask(kept[0] as Socket)).toBe('HTTP/1.1 200 OK');
  // A place that becomes free is free.
  kept[1]?.destroy();
  await until('another gets in', async () => (await ask(await silent('127.0.0.3'))) !== 'closed');
});

test('a trusted proxy may open more than one address may', async () => {
  const of = (address: string) => silent(address, proxied);
  const all = await Promise.all(Array.from({ length: 5 }, () => of('127.0.0.2')));
  expect(await ask(all[4] as Socket)).toBe('HTTP/1.1 200 OK');
  expect(await refused('address', proxied)).toBe(0);
});

test('there is an end to all connections together', async () => {
  for (const address of ['127.0.0.3', '127.0.0.4'])
    for (let n = 0; n < 3; n += 1) await silent(address, crowded);
  const more = await silent('127.0.0.5', crowded);
  await until('the seventh is ended', () => more.destroyed);
  expect(await refused('full', crowded)).toBe(1);
});

test('who says nothing is told to go, before the time for a whole request is over', async () => {
  const socket = await silent('127.0.0.6', impatient);
  let answer = '';
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString('latin1');
  });
  await until('it ended', () => socket.destroyed);
  expect(answer).toContain('408 Request Timeout');
});

test('the log says once why, then how often, and names no address', () => {
  jest.useFakeTimers();
  try {
    const lines: unknown[][] = [];
    const log = { warn: (...line: unknown[]) => void lines.push(line) };
    const doors = new ConnectionLimits({
      ...{ ofBlock: 1, all: 10, isProxy: () => false, metrics: createMetrics(() => 0) },
      log: log as never,
    });
    const socket = (remoteAddress: string) =>
      ({ remoteAddress, destroy: () => undefined, once: () => undefined }) as unknown as Socket;
    const admitted = Array.from({ length: 101 }, () => doors.admit(socket('203.0.113.9')));
    expect(admitted.filter(Boolean)).toHaveLength(1);
    expect(lines).toEqual([
      [expect.objectContaining({ too_many_of_address: 1, too_many_in_all: 0 }), expect.any(String)],
    ]);
    jest.advanceTimersByTime(60_000);
    expect(lines[1]).toEqual([expect.objectContaining({ too_many_of_address: 99 }), expect.any(String)]);
    jest.advanceTimersByTime(600_000);
    expect(lines).toHaveLength(2);
    expect(JSON.stringify(lines)).not.toContain(blockOf('203.0.113.9'));
    // The first 48 bits of IPv6 are one customer's.
    expect(doors.admit(socket('2001:db8:1:1::1'))).toBe(true);
    expect(doors.admit(socket('2001:db8:1:2::2'))).toBe(false);
    expect(doors.admit(socket('2001:db8:2:1::1'))).toBe(true);
    doors.stop();
  } finally {
    jest.useRealTimers();
  }
});

test('a process keeps files for what else it opens', () => {
  for (const files of [256, 1_024, 65_536, 1_048_576]) {
    const most = mostConnections(files);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(files * 0.75);
  }
  expect(mostConnections(1_024)).toBe(768);
  expect(openFiles()).toBeGreaterThan(100);
});

test('a proxy is whom TRUST_PROXY names', () => {
  expect(proxyTeller(false)('127.0.0.1')).toBe(false);
  expect(proxyTeller(['10.0.0.0/8'])('10.1.2.3')).toBe(true);
  expect(proxyTeller(['10.0.0.0/8'])('::ffff:10.1.2.3')).toBe(true);
  expect(proxyTeller(['10.0.0.0/8'])('203.0.113.9')).toBe(false);
  expect(proxyTeller(['10.0.0.0/8'])('')).toBe(false);
});
