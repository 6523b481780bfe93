import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { useServer } from '../helpers/server';
import { until } from '../helpers/until';

const server = useServer({ timeLimits: { unasked: 400 } });
const PIECE = 65_536;
/** More than the fastest machine lets through in that time, and than the system buffers. */
const MUCH = 3_000_000_000;

/** A connection on which these bytes were sent and something came back. */
async function answered(sent: string): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(sent);
  await once(socket, 'data');
  socket.resume();
  return socket;
}

/** How much is taken of what is sent again and again. */
async function taken(socket: Socket, text: string): Promise<number> {
  const piece = Buffer.from(text.repeat(PIECE / text.length));
  let sent = 0;
  const pump = (): void => {
    if (socket.destroyed || sent >= MUCH) return;
    sent += piece.length;
    if (socket.write(piece)) setImmediate(pump);
    else socket.once('drain', pump);
  };
  pump();
  await until('it is ended, or all was taken', () => socket.destroyed || sent >= MUCH, 25_000);
  socket.destroy();
  return sent;
}

const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';

test('empty lines after an answered request end the connection', async () => {
  expect(await taken(await answered(HEALTH), '\r\n')).toBeLessThan(MUCH);
});

test('zeros before the size of a chunk end the connection', async () => {
  const { token } = await server.site();
  const socket = await answered(HEALTH);
  socket.write(
    `POST /api/v/${token}/ce HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
  );
  expect(await taken(socket, '0')).toBeLessThan(MUCH);
});

test('a few bytes now and then hold no connection open', async () => {
  const socket = await answered(HEALTH);
  let sent = 0;
  const timer = setInterval(() => {
    sent += 1;
    socket.write('\r\n');
  }, 100);
  await until('it is ended, or all were taken', () => socket.destroyed || sent >= 60);
  clearInterval(timer);
  expect(sent).toBeLessThan(60);
  socket.destroy();
});

test('a connection that rests, and one that asks again after an empty line, are left open', async () => {
  const [rests, asks] = [await answered(HEALTH), await answered(HEALTH)];
  for (let n = 0; n < 4; n += 1) {
    asks.write(`\r\n${HEALTH}`);
    await once(asks, 'data');
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  rests.write(HEALTH);
  await once(rests, 'data');
  for (const socket of [rests, asks]) socket.destroy();
});
