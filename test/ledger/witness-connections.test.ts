import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWitnessServer } from '../../server/cli/witness/http';
import { Child, endChildren, freePort } from '../helpers/processes/child';
import { until } from '../helpers/until';

const lines: unknown[][] = [];
const log = { warn: (...line: unknown[]) => void lines.push(line) };
const servers: Server[] = [];
const sockets: Socket[] = [];
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
  await endChildren();
});

/** A witness that knows nothing, in this process. */
async function witness(bounds: Parameters<typeof createWitnessServer>[1]): Promise<number> {
  const server = createWitnessServer({ log } as never, bounds);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function open(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, localAddress });
  sockets.push(socket.on('error', () => undefined));
  await once(socket, 'connect');
  return socket;
}

const answers = async (socket: Socket): Promise<boolean> => {
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  const [chunk] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  return String(chunk).startsWith('HTTP/1.1 200');
};

test('one block of addresses cannot take all connections, and a proxy nearby can', async () => {
  const connections = { ofBlock: 2, all: 4 };
  const port = await witness({ connections, isProxy: (address) => address.endsWith('127.0.0.9') });
  for (let n = 0; n < 2; n += 1) await open(port, '127.0.0.3');
  const more = (await open(port, '127.0.0.3')).resume();
  await until('the third is ended', () => more.destroyed);
  expect(await answers(await open(port, '127.0.0.4'))).toBe(true);
  expect(lines).toEqual([
    [expect.objectContaining({ too_many_of_address: 1 }), expect.stringContaining('put a proxy before')],
  ]);
  expect(JSON.stringify(lines)).not.toContain('127.0.0');
  const proxied = await witness({ connections, isProxy: (address) => address.endsWith('127.0.0.9') });
  for (let n = 0; n < 3; n += 1) await open(proxied, '127.0.0.9');
  expect(await answers(await open(proxied, '127.0.0.9'))).toBe(true);
});

test('by itself it takes what is on the machine for a proxy', async () => {
  const port = await witness({ connections: { ofBlock: 1, all: 4 } });
  await open(port, '127.0.0.3');
  expect(await answers(await open(port, '127.0.0.3'))).toBe(true);
});

test('who asks and takes no answer is ended', async () => {
  const port = await witness({ standstill: 300 });
  const socket = (await open(port, '127.0.0.1')).pause();
  const requests = 'GET /none HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2_000);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const write = (): void => void (socket.destroyed || socket.write(requests, () => setImmediate(write)));
  write();
  await closed;
});

test('it listens on this machine alone, unless told otherwise', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'avow-witness-'));
  writeFileSync(join(folder, 'logs'), '');
  const port = await freePort();
  const args = ['witness', '--name', 'here.example', '--folder', folder, '--port', String(port)];
  const child = new Child('server/cli/main.js', args, {});
  const status = (host: string) =>
    fetch(`http://${host}:${port}/healthz`).then(
      (answer) => answer.status,
      () => undefined,
    );
  await until('it listens', async () => child.running && (await status('127.0.0.1')) === 200);
  expect(await status('127.0.0.2')).toBeUndefined();
});
