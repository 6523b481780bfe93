import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Exchange } from '../../server/src/http/exchange';
import { sendContent } from '../../server/src/http/files';
import { endUnread, READING, watchReader } from '../../server/src/http/reading';
import type { Logger } from '../../server/src/observability/logger';
import { until } from '../helpers/until';

const LIMITS = { ...READING, look: 20, longest: 60_000, slow: { within: 300, bytes: 1_000 } };
const PATIENT = { ...LIMITS, slow: READING.slow, awaited: LIMITS.slow };

let server: Server;
const sockets: Socket[] = [];
const ends: string[] = [];
let awaited = false;
let answer: (response: ServerResponse) => void;
beforeEach(async () => {
  ends.length = 0;
  awaited = false;
  server = createServer((_, response) => answer(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/** Asks for an answer; reads it or not. */
function ask(reads: boolean): void {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  if (reads) socket.resume();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
}

const watched = (limits: typeof READING, send: (response: ServerResponse) => void) => {
  answer = (response) => {
    const stop = watchReader(response, { end: (why) => ends.push(why), isAwaited: () => awaited }, limits);
    response.once('close', stop);
    send(response);
  };
};
/** More than the system buffers. */
const much = Buffer.alloc(32_000_000);
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test.each([
  ['whose end is not there yet', (response: ServerResponse) => void response.write(much)],
  ['that is whole', (response: ServerResponse) => void response.end(much)],
])('a reader who takes nothing of an answer %s is told of once', async (_, send) => {
  watched(LIMITS, send);
  ask(false);
  await until('it ends', () => ends.length > 0);
  await wait(500);
  expect(ends).toEqual(['its reader took too little of it']);
});

test('a reader who waits for us, or goes on taking, is left alone until the longest time has passed', async () => {
  watched({ ...LIMITS, longest: 1_500 }, (response) => {
    response.write('a little');
    const timer = setInterval(() => response.write(Buffer.alloc(2_000)), 400);
    response.once('close', () => clearInterval(timer));
  });
  ask(true);
  await wait(1_200);
  expect(ends).toEqual([]);
  await until('it ends', () => ends.length > 0);
  expect(ends).toEqual(['it took too long']);
});

test('a reader who takes nothing gives way, but only when somebody waits', async () => {
  watched(PATIENT, (response) => void response.write(much));
  ask(false);
  await wait(600);
  expect(ends).toEqual([]);
  awaited = true;
  await until('it ends', () => ends.length > 0);
});

test('a download ends at the pace that is asked of its reader', async () => {
  const log = { info: jest.fn(), error: jest.fn() };
  answer = (response) => {
    const exchange = {
      request: { httpVersion: '1.1' },
      response,
      requestId: 'r',
      operationId: 'saveReceipt',
    };
    response.writeHead(200);
    void sendContent(exchange as unknown as Exchange, [Readable.from([much], { objectMode: false })], {
      ...{ log: log as unknown as Logger, check: async () => undefined, isAwaited: () => false },
      pace: LIMITS,
    });
  };
  ask(false);
  await until('it ends', () => log.info.mock.calls.length > 0);
  expect(log.info.mock.calls).toMatchObject([
    [{ why: 'its reader took too little of it' }, expect.anything()],
  ]);
});

describe('an answer that is held whole', () => {
  const log = { info: jest.fn() };
  const held = (bytes: number, limits: typeof READING = LIMITS): void => {
    answer = (response) => {
      const exchange = { response, requestId: 'r', operationId: 'getScan' } as unknown as Exchange;
      endUnread(exchange, bytes, log as unknown as Logger, limits);
      response.end(Buffer.alloc(bytes));
    };
  };
  const open = async (): Promise<number> =>
    new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
  beforeEach(() => log.info.mockClear());

  test('ends with its connection when its reader takes too little, if it is large', async () => {
    held(much.length);
    ask(false);
    await until('it is asked for', async () => (await open()) > 0);
    await until('it ends', async () => (await open()) === 0);
    expect(log.info).toHaveBeenCalledTimes(1);
  });

  test('is sent whole to a reader who takes it', async () => {
    // Reader and server share a process, which may stand still for longer than a strict pace allows.
    held(much.length, { ...LIMITS, slow: { within: 5_000, bytes: 1_000 } });
    ask(true);
    await until('it is there', () => (sockets.at(-1)?.bytesRead ?? 0) > much.length);
    expect(log.info).not.toHaveBeenCalled();
  });
});
