import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { contract, exampleRequest, ownedSite, visitorPath } from '../helpers/http/contract-requests';
import { raw } from '../helpers/http/raw';
import { useServer } from '../helpers/server';
import { rowsIn } from '../helpers/site/people';
import { until } from '../helpers/until';

const server = useServer({ timeLimits: { requestTimeout: 300, connectionsCheckingInterval: 50 } });

/** Sends bytes and reads until the server ends the connection. */
async function sendBytes(text: string): Promise<{ status: number; headers: Headers; body: string }> {
  const { hostname, port } = new URL(server.url);
  const answer = await new Promise<string>((resolve, reject) => {
    let read = '';
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(text));
    socket.on('data', (chunk) => {
      read += chunk.toString();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(read));
  });
  const [head = '', body = ''] = answer.split('\r\n\r\n', 2);
  const [first = '', ...lines] = head.split('\r\n');
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/, 2) as [string, string]));
  return { status: Number(first.split(' ')[1]), headers, body };
}

const UNREAD: [string, number, string, string][] = [
  ['no HTTP', 400, 'validation_failed', 'hello\r\n\r\n'],
  ['a broken header', 400, 'validation_failed', 'GET /healthz HTTP/1.1\r\nHost: a\r\nA b: c\r\n\r\n'],
  [
    'two lengths',
    400,
    'validation_failed',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
  ],
  [
    'a transfer coding in HTTP/1.0',
    400,
    'validation_failed',
    'POST /healthz HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n0\r\n\r\n',
  ],
  [
    'a transfer coding that is not known',
    501,
    'validation_failed',
    'POST /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
  ],
  ['no host', 400, 'validation_failed', 'GET /healthz HTTP/1.1\r\n\r\n'],
  ['two hosts', 400, 'validation_failed', 'GET /healthz HTTP/1.1\r\nHost: a\r\nhOST: b\r\n\r\n'],
  ['a host twice', 400, 'validation_failed', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n'],
  ['two hosts in 1.0', 400, 'validation_failed', 'GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n'],
  [
    'large headers',
    431,
    'payload_too_large',
    `GET / HTTP/1.1\r\nHost: a\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`,
  ],
  ['half a request', 408, 'unavailable', 'GET /healthz HTTP/1.1\r\nHost: a\r\n'],
  [
    'half a body',
    408,
    'unavailable',
    'POST /api/auth/console HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
  ],
  ['an expectation', 417, 'validation_failed', 'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\n\r\n'],
];

test.each(UNREAD)(
  '%s is refused with %i in the envelope, with a request id',
  async (_, status, code, text) => {
    const answer = await sendBytes(text);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('connection')).toBe('close');
    expect(JSON.parse(answer.body)).toEqual({
      status: 'error',
      data: { code, errors: expect.any(Array) },
      message: expect.stringMatching(/\.$/),
    });
  },
);

test('after a 408 the connection is gone, and what still comes of the request is not carried out', async () => {
  const { token } = await server.site();
  const body = JSON.stringify({ session_id: randomUUID(), decision: 'accept_all' });
  const { hostname, port } = new URL(server.url);
  // It keeps its own side open, as a client may.
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.on('error', () => undefined);
  const head = `POST /api/consents/${token}/log HTTP/1.1\r\nHost: a\r\nContent-Type: application/json`;
  socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`);
  let answer = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) answer += chunk;
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  socket.write(body.slice(10));
  const stored = () => rowsIn(server, 'consents', token);
  await until('the connection is gone, or the decision is stored', async () => {
    // Only a write tells that nobody is there any more.
    if (!socket.destroyed) socket.write(' ');
    return socket.destroyed || (await stored()).length > 0;
  });
  expect([socket.destroyed, await stored()]).toEqual([true, []]);
});

test('a request of HTTP/1.0 needs no host', async () => {
  expect((await sendBytes('GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200);
});

const ANSWERS: [string, string][] = [
  ...['/', '/console', '/console/nothing.js', '/console/preview', '/favicon.ico', '/docs', '/docs/'].map(
    (path): [string, string] => ['GET', path],
  ),
  ...['/docs/nothing', '/llms.txt', '/openapi.json', '/openapi.yaml', '/healthz', '/readyz', '/metrics'].map(
    (path): [string, string] => ['GET', path],
  ),
  ...['/nothing', '/api/nothing', '/api/auth/me', '/api/bundles/nothing.js'].map((path): [string, string] => [
    'GET',
    path,
  ]),
  ...[
    ['OPTIONS', '/api/auth/console'],
    ['OPTIONS', '/api/preferences/x'],
    ['OPTIONS', '/console'],
  ],
  ...[
    ['POST', '/console'],
    ['HEAD', '/docs/'],
    ['TRACE', '/'],
    ['DELETE', '/api/auth/console'],
  ],
] as [string, string][];

test.each(ANSWERS)('%s %s: no browser guesses what kind of answer it is', async (method, path) => {
  const { headers } = await raw(server.url, { method, path });
  expect(headers['x-content-type-options']).toBe('nosniff');
});

const RANGES = ['bytes=5-1', 'bytes=-0', 'bytes=0-0', 'bytes=9999999-', 'bytes=a-b', 'bytes=0-1,3-4', 'x=1'];

describe('every operation, whoever asks', () => {
  const patient = useServer();

  test.each(contract.operations)('$id: no browser guesses what kind of answer it is', async (operation) => {
    const site = await ownedSite(patient);
    const path = await visitorPath(patient, site, operation);
    const bearer = operation.bearer ? site.bearer : undefined;
    const requests = [
      exampleRequest(operation, path, bearer),
      // Refused for want of a login, or of a site.
      exampleRequest(operation, { ...path, token: 'env_0000000000000000000000' }),
    ];
    for (const request of requests) {
      const { status, headers } = await raw(patient.url, request);
      expect([status, headers['x-content-type-options']]).toEqual([status, 'nosniff']);
    }
  });
});

test.each(['/console', '/console/icon.svg', '/docs/', '/llms.txt', '/openapi.json', '/healthz'])(
  '%s answers whatever range is asked for',
  async (path) => {
    for (const Range of RANGES) {
      const { status } = await raw(server.url, { path, headers: { Range } });
      expect([Range, [200, 206, 416].includes(status)]).toEqual([Range, true]);
    }
  },
);
