import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describeFailure } from '../../../server/src/net/failure';
import type { TransportOptions } from '../../../server/src/net/transport';
import type { WebhookRequest } from '../../../server/src/webhooks/send';
import { until } from '../../helpers/until';
import {
  BODY,
  CERTIFICATE,
  closeAll,
  httpReceiver,
  httpsReceiver,
  type Receiver,
  rawReceiver,
  resolver,
  SHORT,
  sender,
} from './receivers';

afterEach(closeAll);

test.each(['POST', 'GET'] as const)(
  '%s sends the bytes as they are, with their length and our name',
  async (method) => {
    const seen: { method?: string; url?: string; headers?: IncomingHttpHeaders; body?: Buffer } = {};
    const receiver = await httpReceiver(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      Object.assign(seen, {
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: Buffer.concat(chunks),
      });
      response.writeHead(201).end('thank you');
    });
    const { send } = sender();
    const outcome = await send(`http://127.0.0.1:${receiver.port}/hook?token=t&ü=1#part`, {
      method,
      headers: { 'X-Service-Event': 'consent.accept_all' },
    });
    expect(outcome).toEqual({
      ok: true,
      status: 201,
      responseBody: 'thank you',
      gone: false,
      durationMs: expect.any(Number),
    });
    expect(seen).toMatchObject({ method, url: '/hook?token=t&%C3%BC=1', body: BODY });
    expect(seen.headers).toMatchObject({
      host: `127.0.0.1:${receiver.port}`,
      'content-type': 'application/json',
      'content-length': String(BODY.length),
      'user-agent': expect.stringMatching(/^Avow-Webhooks\/\d+\.\d+\.\d+/),
      'x-service-event': 'consent.accept_all',
    });
    expect(seen.headers).not.toHaveProperty('transfer-encoding');
  },
);

test('an IPv6 receiver is reached', async () => {
  const receiver = await httpReceiver((_request, response) => response.end(), '::1');
  expect(await sender().send(`http://[::1]:${receiver.port}/`)).toMatchObject({ ok: true, status: 200 });
});

test('204 is a success, 4xx and 5xx are failures with the answer kept', async () => {
  const receiver = await httpReceiver((request, response) => {
    response.writeHead(Number(request.url?.slice(1)), { 'Content-Type': 'text/plain' }).end('why');
  });
  const { send } = sender();
  const answer = (status: number) => send(`http://127.0.0.1:${receiver.port}/${status}`);
  expect(await answer(204)).toMatchObject({ ok: true, status: 204, responseBody: '' });
  expect(await answer(299)).toMatchObject({ ok: true });
  for (const status of [304, 400, 404, 500, 503, 600]) {
    const outcome = await answer(status);
    expect(outcome).toMatchObject({ ok: false, status, gone: false });
    expect(outcome.error).toMatch(`The receiver answered ${status}`);
    if (status !== 304) expect(outcome.responseBody).toBe('why');
  }
  expect(await answer(410)).toMatchObject({ ok: false, status: 410, gone: true });
});

const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toUTCString();

test.each([
  ['30', 30, 30],
  ['0', 0, 0],
  ['99999999', 3600, 3600],
  [inSeconds(120), 110, 121],
  [inSeconds(90_000), 3600, 3600],
  [inSeconds(-90), 0, 0],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 0, 0],
  ['Sun Nov  6 08:49:37 1994', 0, 0],
])('429 with Retry-After: %s', async (value, least, most) => {
  const receiver = await httpReceiver((_request, response) => {
    response.writeHead(429, { 'Retry-After': value }).end();
  });
  const { retryAfterSeconds } = await sender().send(`http://127.0.0.1:${receiver.port}/`);
  expect(retryAfterSeconds).toBeGreaterThanOrEqual(least);
  expect(retryAfterSeconds).toBeLessThanOrEqual(most);
});

test.each(['-5', '1.5', 'soon', '', '2026-12-01', 'tomorrow at noon'])(
  'a Retry-After that says nothing is left out: "%s"',
  async (value) => {
    const receiver = await httpReceiver((_request, response) => {
      response.writeHead(503, { 'Retry-After': value }).end();
    });
    expect(await sender().send(`http://127.0.0.1:${receiver.port}/`)).not.toHaveProperty('retryAfterSeconds');
  },
);

test.each(['100 Continue', '103 Early Hints'])(
  'answers ahead of the final one are bounded: %s',
  async (status) => {
    let sent = 0;
    const receiver = await rawReceiver((socket) => {
      const pump = (): void => {
        if (socket.destroyed) return;
        sent += 1;
        if (socket.write(`HTTP/1.1 ${status}\r\n\r\n`)) setImmediate(pump);
        else socket.once('drain', pump);
      };
      pump();
    });
    const outcome = await sender().send(`http://127.0.0.1:${receiver.port}/`);
    expect(outcome.error).toBe(
      'The receiver sent more than 20 interim answers (1xx) and no final one (TOO_MANY_INTERIM).',
    );
    expect(sent).toBeGreaterThan(20);
  },
);

test('a few answers ahead of the final one are passed over', async () => {
  const receiver = await rawReceiver((socket) =>
    socket.end(
      `${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(20)}HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`,
    ),
  );
  expect((await sender().send(`http://127.0.0.1:${receiver.port}/`)).ok).toBe(true);
});

test.each([
  [200, 256],
  [500, 4_096],
])(
  'of an answer %i no more than %i bytes are kept, as text that PostgreSQL can store',
  async (status, kept) => {
    const receiver = await httpReceiver((_request, response) =>
      response.writeHead(status).end(`a\0b${'ü'.repeat(4_000)}`),
    );
    const { responseBody } = await sender().send(`http://127.0.0.1:${receiver.port}/`);
    // Three bytes fewer are left for two-byte letters; half a letter is dropped.
    expect(responseBody).toBe(`ab${'ü'.repeat(Math.floor((kept - 3) / 2))}`);
  },
);

test('an endless answer is a success, read for 16 KiB and then cut off, in bounded memory', async () => {
  const chunk = Buffer.alloc(256 * 1024, 'x');
  let written = 0;
  let cut = 0;
  const receiver = await rawReceiver((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n');
    const pump = (): void => {
      if (socket.destroyed) return;
      written += chunk.length;
      if (socket.write(chunk)) setImmediate(pump);
      else socket.once('drain', pump);
    };
    socket.on('close', () => cut++);
    pump();
  });
  const { send } = sender();
  const before = process.memoryUsage().rss;
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => send(`http://127.0.0.1:${receiver.port}/`)),
  );
  for (const outcome of outcomes) {
    expect(outcome).toMatchObject({ ok: true, status: 200, responseBody: 'x'.repeat(256) });
  }
  await until('all of them are cut off', () => cut === 20);
  expect(written).toBeLessThan(20 * 16 * 1024 * 1024);
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
});

test.each(['the first', 'a later'])(
  'an answer whose chunks have long extensions is cut off: %s on its connection',
  async (which) => {
    const chunk = `1;${'e'.repeat(15_000)}\r\nx\r\n`;
    let cut = 0;
    let taken = 0;
    const receiver = await rawReceiver((socket) => {
      if (which === 'a later' && taken === 0) {
        taken += 1;
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
        socket.once('data', () => endless(socket));
      } else endless(socket);
    });
    let written = 0;
    const endless = (socket: Socket): void => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      socket.on('close', () => cut++);
      // As much as 16 KiB in chunks of one byte would bring.
      const pump = (): void => {
        if (socket.destroyed || written > 20_000 * chunk.length) return;
        written += chunk.length * 10;
        if (socket.write(chunk.repeat(10))) setImmediate(pump);
        else socket.once('drain', pump);
      };
      pump();
    };
    const { send } = sender();
    const url = `http://127.0.0.1:${receiver.port}/`;
    if (which === 'a later') expect(await send(url)).toMatchObject({ ok: true, responseBody: '' });
    const outcome = await send(url);
    expect(outcome).toMatchObject({ ok: true, status: 200, responseBody: expect.stringMatching(/^x+$/) });
    expect(outcome.responseBody?.length).toBeLessThan(40);
    await until('it is cut off', () => cut === 1);
    expect(receiver.connections).toBe(1);
  },
);

/** What a connection may bring without a word to whoever reads it. */
const SILENT: [string, start: string, more: string, outcome: object][] = [
  [
    'lines before the answer',
    '',
    '\r\n',
    { ok: false, error: expect.stringMatching(/80 KiB.*\(TOO_LONG\)/) },
  ],
  [
    'spaces before a value',
    'HTTP/1.1 200 OK\r\nContent-Length:',
    ' ',
    { ok: false, error: expect.stringMatching(/\(TOO_LONG\)/) },
  ],
  [
    'zeros before the size of a chunk',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
    '0',
    { ok: true, status: 200, responseBody: '' },
  ],
];

/** Sends without end, or until so much was taken that nobody bounds it. */
function sendOn(socket: Socket, piece: string): void {
  const chunk = piece.repeat(65_536 / piece.length);
  let left = 1_000;
  const pump = (): void => {
    while (!socket.destroyed && left > 0) {
      left -= 1;
      if (!socket.write(chunk)) {
        socket.once('drain', pump);
        return;
      }
    }
    if (left === 0) untold += 1;
  };
  pump();
}
let untold = 0;

test.each(SILENT)(
  '%s end the attempt, though no parser tells of them',
  async (_what, start, more, expected) => {
    untold = 0;
    const receiver = await rawReceiver((socket) => {
      socket.write(start);
      sendOn(socket, more);
    });
    expect(await sender().send(`http://127.0.0.1:${receiver.port}/`)).toMatchObject(expected);
    await until('it is cut off', () => receiver.open === 0);
    expect(untold).toBe(0);
  },
);

test('a connection that waits for its next request brings nothing without end', async () => {
  untold = 0;
  const receiver = await rawReceiver((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    setTimeout(() => sendOn(socket, '\r\n'), 50);
  });
  expect((await sender().send(`http://127.0.0.1:${receiver.port}/`)).ok).toBe(true);
  await until('it is cut off', () => receiver.open === 0);
  expect(untold).toBe(0);
});

test('over TLS, too', async () => {
  untold = 0;
  const receiver = await httpsReceiver((request) => sendOn(request.socket, '\r\n'));
  const names = resolver({ 'receiver.test': ['127.0.0.1'] });
  const { send } = sender({ lookup: names }, { ca: CERTIFICATE });
  expect(await send(`https://receiver.test:${receiver.port}/`)).toMatchObject({ ok: false });
  await until('it is cut off', () => receiver.open === 0);
  expect(untold).toBe(0);
});

/**
 * A whole exchange with another receiver. Both ends of all connections share one event loop, so that what was
 * sent before it has been read when it is over.
 */
async function roundTrip(): Promise<void> {
  const { port } = await httpReceiver((_request, response) => response.end());
  expect(await sender().send(`http://127.0.0.1:${port}/`)).toMatchObject({ ok: true });
}

/**
 * Sends to a receiver that answers with these bytes; resolves with the attempt that goes on, once they have
 * been read.
 */
async function sendTo(bytes: string, options: TransportOptions = {}, request: Partial<WebhookRequest> = {}) {
  let answered: ((socket: Socket) => void) | undefined;
  const written = new Promise<Socket>((resolve) => {
    answered = resolve;
  });
  const { port } = await rawReceiver((socket) => socket.write(bytes, () => answered?.(socket)));
  const attempt = sender({}, options).send(`http://127.0.0.1:${port}/`, request);
  const socket = await written;
  await roundTrip();
  return { attempt, socket };
}

/** Answers with these bytes, and ends the connection if told to. */
const says = (text: string, finish?: 'end') =>
  rawReceiver((socket) => {
    socket.write(text, 'latin1');
    if (finish !== undefined) socket.end();
  });

/** Writes the text one byte at a time. */
const drip = (text: string, everyMs: number) =>
  rawReceiver((socket) => {
    let at = 0;
    const timer = setInterval(() => {
      socket.write(text[at++ % text.length] as string);
    }, everyMs);
    socket.on('close', () => clearInterval(timer));
  });

test('a body that drips or stops is a success, and holds no longer than the limit', async () => {
  const dripping = await rawReceiver((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
    const timer = setInterval(() => socket.write('x'), 20);
    socket.on('close', () => clearInterval(timer));
  });
  const outcome = await sender({}, SHORT).send(`http://127.0.0.1:${dripping.port}/`);
  expect(outcome).toMatchObject({ ok: true, status: 200, responseBody: expect.stringMatching(/^x+$/) });
  for (const end of [
    'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nzz',
  ]) {
    for (const finish of ['end', 'resetAndDestroy', 'pause'] as const) {
      const { attempt, socket } = await sendTo(end, SHORT);
      socket[finish]();
      expect(await attempt).toMatchObject({ ok: true, status: 200, responseBody: 'half' });
    }
  }
});

test.each<[string, () => Promise<Receiver>, RegExp]>([
  ['hangs', () => rawReceiver(() => undefined), /in time \(TIMEOUT\)/],
  ['drips the status line', () => drip('HTTP/1.1 200 OK\r\n\r\n', 100), /in time \(TIMEOUT\)/],
  [
    'drips a header for ever',
    () => drip(`HTTP/1.1 200 OK\r\nX-A: ${'a'.repeat(5_000)}`, 5),
    /in time \(TIMEOUT\)/,
  ],
  [
    'sends 100 Continue again and again',
    () => says('HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)),
    /TOO_MANY_INTERIM/,
  ],
  [
    'resets',
    () => rawReceiver((socket) => socket.resetAndDestroy()),
    /closed the connection .*\(ECONNRESET\)/,
  ],
  ['closes', () => rawReceiver((socket) => socket.end()), /closed the connection .*\(ECONNRESET\)/],
  ['closes amid the headers', () => says('HTTP/1.1 200 OK\r\nContent-Le', 'end'), /HPE_|ECONNRESET/],
  ['speaks SSH', () => says('SSH-2.0-OpenSSH_9.6\r\n'), /valid HTTP\/1.1 \(HPE_INVALID_CONSTANT\)/],
  ['speaks HTTP/0.9', () => says('<h1>hello</h1>', 'end'), /HPE_/],
  ['answers with the status 000', () => says('HTTP/1.1 000 Nothing\r\n\r\n', 'end'), /HPE_INVALID_STATUS/],
  ['speaks HTTP/2', () => says('\0\0\x12\x04\0\0\0\0\0'), /HPE_/],
  [
    'says two lengths',
    () => says('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'),
    /HPE_/,
  ],
  [
    'sends 1 MB of headers',
    () => says(`HTTP/1.1 200 OK\r\n${'X-A: aaaaaaaa\r\n'.repeat(70_000)}\r\n`),
    /HPE_HEADER_OVERFLOW/,
  ],
  [
    'switches protocols',
    () => says('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    /ECONNRESET/,
  ],
  ['answers TLS to plain HTTP', () => says('\x15\x03\x01\x00\x02\x02\x46'), /HPE_/],
])('a receiver that %s fails within the limit', async (_what, start, error) => {
  const receiver = await start();
  const outcome = await sender({}, SHORT).send(`http://127.0.0.1:${receiver.port}/`);
  expect(outcome).toMatchObject({
    ok: false,
    responseBody: '',
    gone: false,
    error: expect.stringMatching(error),
  });
  expect(outcome).not.toHaveProperty('status');
  expect(outcome.durationMs).toBeLessThan(3_000);
});

test('an unknown name, a hanging name server and a closed port fail with a reason', async () => {
  const { port } = await httpReceiver((_request, response) => response.end());
  closeAll();
  expect((await sender().send('http://unknown.example/')).error).toBe(
    'The name of the receiver does not resolve (ENOTFOUND).',
  );
  expect((await sender().send(`http://127.0.0.1:${port}/`)).error).toMatch(
    /refused the connection \(ECONNREFUSED\)/,
  );
  const both = sender({
    lookup: async () => [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ],
  });
  expect((await both.send(`http://closed.example:${port}/`)).error).toMatch(/ECONNREFUSED/);
  const hanging = sender({ lookup: () => new Promise(() => undefined) }, SHORT);
  const outcome = await hanging.send('http://slow.example/');
  expect(outcome.error).toMatch(/connection was not made in time \(CONNECT_TIMEOUT\)/);
  expect(outcome.durationMs).toBeLessThan(900);
});

test.each(['keep-alive', 'close'])(
  'an answer that comes before the request was written ends the connection: %s',
  async (connection) => {
    let received = 0;
    let resume = (): unknown => undefined;
    const ended: string[] = [];
    const receiver = await rawReceiver((socket) => {
      socket.on('error', () => undefined);
      socket.once('close', () => void ended.push('closed'));
      socket.once('data', () => {
        socket.pause();
        socket.write(`HTTP/1.1 200 OK\r\nConnection: ${connection}\r\nContent-Length: 0\r\n\r\n`);
        socket.on('data', ({ length }) => {
          received += length;
        });
        resume = () => socket.resume();
      });
    });
    const body = Buffer.alloc(2 ** 26, 32);
    const { send } = sender();
    expect((await send(`http://127.0.0.1:${receiver.port}/`, { body })).ok).toBe(true);
    // What the network holds is read at last; the rest never comes.
    resume();
    await until('the connection ends', async () => ended.length > 0);
    expect(received).toBeLessThan(body.length / 2);
  },
);

test('stopping ends an attempt at once: by the caller, by the transport, before it began', async () => {
  let arrived = (): void => undefined;
  const receiver = await rawReceiver(() => arrived());
  const url = `http://127.0.0.1:${receiver.port}/`;
  const stopped = { ok: false, error: 'The attempt was stopped before an answer came (STOPPED).' };
  const abort = new AbortController();
  arrived = () => abort.abort();
  expect(await sender().send(url, { signal: abort.signal })).toMatchObject(stopped);
  const { transport, send } = sender();
  arrived = () => transport.close();
  expect(await send(url)).toMatchObject(stopped);
  expect(await send(url)).toMatchObject(stopped);
  const plain = await sender().send(url, { signal: AbortSignal.abort() });
  expect(plain).toMatchObject(stopped);
});

test('stopping does not undo a success', async () => {
  const abort = new AbortController();
  const bytes = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf';
  const { attempt } = await sendTo(bytes, { totalMs: 600_000 }, { signal: abort.signal });
  abort.abort();
  expect(await attempt).toMatchObject({ ok: true, status: 200, responseBody: 'half' });
});

test('many attempts to one host do not wait for each other', async () => {
  // Nobody is answered before all are there.
  const waiting: ServerResponse[] = [];
  const receiver = await httpReceiver((_request, response) => {
    if (waiting.push(response) === 64) for (const one of waiting) one.end();
  });
  const { send } = sender();
  const outcomes = await Promise.all(
    Array.from({ length: 64 }, () => send(`http://127.0.0.1:${receiver.port}/`)),
  );
  expect(outcomes.every(({ ok }) => ok)).toBe(true);
});

test('an error line never quotes what it should not know', () => {
  const secret = 'https://u:p@host/?token=1 a@b.example\nline';
  expect(describeFailure(Object.assign(new Error(secret), { code: 'ECONNRESET' }))).not.toMatch(/token|@|\n/);
  expect(describeFailure(Object.assign(new Error(secret), { code: secret }))).toBe('The request failed.');
  expect(describeFailure(Object.assign(new Error(secret), { code: 'ERR_NEW' }))).toBe(
    'The request failed (ERR_NEW).',
  );
  expect(describeFailure(undefined)).toBe('The request failed.');
});

test('headers that HTTP cannot carry are a failure, not an exception', async () => {
  const { port } = await httpReceiver((_request, response) => response.end());
  const outcome = await sender().send(`http://127.0.0.1:${port}/`, { headers: { 'X-Bad': 'a\r\nb' } });
  expect(outcome).toMatchObject({ ok: false, error: 'The request failed (ERR_INVALID_CHAR).' });
});
