import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { AUTHORITY, certificate, madeUpKey, namesOf, randomNumber } from '../../helpers/net/certificates';
import { CERTIFICATE, closeAll, httpsReceiver, rawReceiver, resolver, sender } from './receivers';

afterEach(closeAll);

const NAMES = {
  'receiver.test': ['127.0.0.1'],
  'receiver.test.': ['127.0.0.1'],
  'other.test': ['127.0.0.1'],
};
const trusting = (limits = {}) =>
  sender({ allowHttp: false, lookup: resolver(NAMES) }, { ca: CERTIFICATE, ...limits });

test('a receiver with a certificate for its name or address is reached, and its connection used again', async () => {
  const asked: unknown[] = [];
  const receiver = await httpsReceiver((request, response) => {
    asked.push((request.socket as TLSSocket).servername);
    response.end('ok');
  });
  const { send } = trusting();
  for (const host of ['receiver.test', 'receiver.test', 'receiver.test.', '127.0.0.1']) {
    expect(await send(`https://${host}:${receiver.port}/`)).toMatchObject({ ok: true, responseBody: 'ok' });
  }
  expect(receiver.connections).toBe(3);
  // Server names hold no root dot and are never addresses (RFC 6066).
  expect(asked).toEqual(['receiver.test', 'receiver.test', 'receiver.test', false]);
});

test('requests that wait for a connection are sent one after the other on the one that there is', async () => {
  const receiver = await httpsReceiver((request, response) => {
    request.resume().once('end', () => response.end('ok'));
  });
  const { send } = trusting({ maxSockets: 1 });
  const url = `https://receiver.test:${receiver.port}/`;
  expect(await send(url)).toMatchObject({ ok: true });
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => send(url)));
  expect(outcomes.flatMap(({ error = [] }) => error)).toEqual([]);
  expect(receiver.connections).toBe(1);
});

test('a self-signed certificate, and one for another name, are refused before the request', async () => {
  let requests = 0;
  const receiver = await httpsReceiver((_request, response) => {
    requests++;
    response.end();
  });
  const unknown = await sender({ lookup: resolver(NAMES) }).send(`https://receiver.test:${receiver.port}/`);
  expect(unknown.error).toBe('The TLS handshake failed (DEPTH_ZERO_SELF_SIGNED_CERT).');
  const other = await trusting().send(`https://other.test:${receiver.port}/`);
  expect(other.error).toBe('The TLS handshake failed (ERR_TLS_CERT_ALTNAME_INVALID).');
  expect(requests).toBe(0);
});

test('certificates that take long to check are not checked, and the log says why', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const made = (subject: number, key: Buffer, extension: Buffer) =>
    certificate({
      ...{ subject: `${subject}`, issuer: `${subject + 1}`, key, signer: 3_072 },
      extensions: [extension],
    });
  const cert = [
    made(0, publicKey.export({ type: 'spki', format: 'der' }), namesOf('receiver.test')),
    ...[1, 2, 3].map((subject) => made(subject, madeUpKey(3_072, randomNumber(3_072)), AUTHORITY)),
  ].join('');
  const server = createServer({ cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }) });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const outcome = await trusting().send(`https://receiver.test:${port}/`);
  server.close();
  expect(outcome).toMatchObject({
    ok: false,
    error: expect.stringMatching(/certificates that cost too much .*\(CERTIFICATES_TOO_COSTLY\)\.$/),
  });
});

test.each<[string, Parameters<typeof rawReceiver>[0], RegExp]>([
  [
    'speaks plain HTTP',
    (socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'),
    /TLS handshake failed \((EPROTO|ERR_SSL_\w+)\)/,
  ],
  ['resets in the handshake', (socket) => socket.resetAndDestroy(), /ECONNRESET/],
  ['closes in the handshake', (socket) => socket.end(), /ECONNRESET/],
  ['hangs in the handshake', () => undefined, /connection was not made in time \(CONNECT_TIMEOUT\)/],
])('a TLS receiver that %s fails in time', async (_what, script, error) => {
  const receiver = await rawReceiver(script);
  const outcome = await trusting({ connectMs: 600 }).send(`https://receiver.test:${receiver.port}/`);
  expect(outcome).toMatchObject({ ok: false, error: expect.stringMatching(error) });
  expect(outcome.durationMs).toBeLessThan(3_000);
});

test.each(['end', 'destroy'] as const)(
  'a request on a TLS connection that had just gone is sent once more: %s',
  async (leave) => {
    let requests = 0;
    const receiver = await httpsReceiver((request, response) => {
      if (++requests === 2) request.socket[leave]();
      else response.end('ok');
    });
    const { send } = trusting();
    for (let i = 0; i < 2; i++) {
      expect(await send(`https://receiver.test:${receiver.port}/`)).toMatchObject({
        ok: true,
        responseBody: 'ok',
      });
    }
    expect([requests, receiver.connections]).toEqual([3, 2]);
  },
);
