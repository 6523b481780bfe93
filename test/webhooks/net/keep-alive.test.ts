import type { Socket } from 'node:net';
import { until } from '../../helpers/until';
import { canary, closeAll, httpReceiver, rawReceiver, SHORT, sender } from './receivers';

afterEach(closeAll);

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

test('a connection is used again', async () => {
  const receiver = await httpReceiver((_request, response) => response.end('ok'));
  const { send } = sender();
  for (let i = 0; i < 5; i++)
    expect(await send(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({ ok: true });
  expect(receiver.connections).toBe(1);
});

test('a slow answer on a connection that was idle before is waited for', async () => {
  let requests = 0;
  const receiver = await httpReceiver((_request, response) => {
    setTimeout(() => response.end('ok'), ++requests === 1 ? 0 : 300);
  });
  const { send } = sender({}, { idleMs: 100 });
  for (let i = 0; i < 2; i++)
    expect(await send(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({ ok: true });
  expect([requests, receiver.connections]).toEqual([2, 1]);
});

/**
 * Answers the first request of a connection and treats the second as told; other connections are answered.
 */
async function staleReceiver(second: (socket: Socket) => void) {
  const bodies: string[] = [];
  let connections = 0;
  const receiver = await rawReceiver((socket) => {
    const first = ++connections === 1;
    socket.write(OK);
    socket.on('data', (chunk) => {
      bodies.push(chunk.toString());
      if (first) second(socket);
    });
  });
  return { receiver, bodies };
}

test('a request on a connection that had just gone is sent once more, with the same bytes', async () => {
  const { receiver } = await staleReceiver((socket) => socket.resetAndDestroy());
  const { send } = sender();
  const url = `http://127.0.0.1:${receiver.port}/`;
  expect(await send(url)).toMatchObject({ ok: true });
  expect(await send(url)).toMatchObject({ ok: true, responseBody: 'ok' });
  expect(receiver.connections).toBe(2);
});

test('a connection that the receiver closed while idle is not a failure', async () => {
  const sockets: Socket[] = [];
  const receiver = await rawReceiver((socket) => {
    sockets.push(socket);
    socket.write(OK);
  });
  const { send } = sender();
  for (let i = 0; i < 3; i++) {
    expect(await send(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({ ok: true });
    sockets.at(-1)?.destroy();
    await until('the connection is closed', () => receiver.open === 0);
  }
  expect(receiver.connections).toBe(3);
});

test('nothing is sent twice once a byte of the answer has come', async () => {
  const { receiver, bodies } = await staleReceiver((socket) => socket.end('HTTP/1.1 2'));
  const { send } = sender();
  const url = `http://127.0.0.1:${receiver.port}/`;
  expect(await send(url)).toMatchObject({ ok: true });
  expect(await send(url)).toMatchObject({ ok: false });
  expect([receiver.connections, bodies.length]).toEqual([1, 1]);
});

test('nothing is sent twice on a new connection, nor after a hang, nor more than once', async () => {
  const resetting = await rawReceiver((socket) => socket.resetAndDestroy());
  expect(await sender().send(`http://127.0.0.1:${resetting.port}/`)).toMatchObject({ ok: false });
  expect(resetting.connections).toBe(1);

  const { receiver: hanging } = await staleReceiver(() => undefined);
  const hung = sender({}, SHORT);
  await hung.send(`http://127.0.0.1:${hanging.port}/`);
  expect((await hung.send(`http://127.0.0.1:${hanging.port}/`)).error).toMatch(/TIMEOUT/);
  expect(hanging.connections).toBe(1);

  let accepted = 0;
  const dying = await rawReceiver((socket) => {
    if (++accepted > 1) return socket.resetAndDestroy();
    socket.write(OK);
    socket.on('data', () => socket.resetAndDestroy());
  });
  const { send } = sender();
  await send(`http://127.0.0.1:${dying.port}/`);
  expect((await send(`http://127.0.0.1:${dying.port}/`)).error).toMatch(/ECONNRESET/);
  expect(dying.connections).toBe(2);
});

test('the second sending passes the policy like the first', async () => {
  const { receiver } = await staleReceiver((socket) => socket.resetAndDestroy());
  const inward = await canary('127.0.0.2');
  let answers = 0;
  const lookup = async () => [{ address: ++answers === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }];
  const { send } = sender({ lookup });
  const url = `http://stale.example:${receiver.port}/`;
  expect(await send(url)).toMatchObject({ ok: true });
  expect((await send(url)).error).toMatch(/private, RFC 1918/);
  expect([answers, inward.connections]).toEqual([2, 0]);
});

test('an idle connection ends by itself, and all of them when the transport closes', async () => {
  const receiver = await httpReceiver((_request, response) => response.end('ok'));
  const url = `http://127.0.0.1:${receiver.port}/`;
  const short = sender({}, { idleMs: 100 });
  await short.send(url);
  expect(receiver.connections).toBe(1);
  await until('the idle connection ends', () => receiver.open === 0);
  const { send, transport } = sender();
  await send(url);
  expect([receiver.connections, receiver.open]).toEqual([2, 1]);
  transport.close();
  await until('the other one ends', () => receiver.open === 0);
});
