import { randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Connector } from '../net/connector';
import { Failure } from '../net/failure';
import { describeConnectError } from './failure';
import { fail, forward, tunnel } from './forward';
import type { Budget } from './limits';

/** The browser's only way out: it resolves names, vets every connection, and counts. */
export interface ScanProxy {
  server: string;
  username: string;
  password: string;
  /** Hosts that could not be connected to, and why. */
  failures: Map<string, string>;
  close(): void;
}

/**
 * A filtering HTTP proxy on the loopback interface, for one scan: other local programs do not know its
 * password.
 */
export async function startProxy(connect: Connector, budget: Budget): Promise<ScanProxy> {
  const password = randomBytes(24).toString('base64url');
  const expected = Buffer.from(`Basic ${Buffer.from(`scan:${password}`).toString('base64')}`);
  const sockets = new Set<Duplex>();
  const failures = new Map<string, string>();
  const keep = (socket: Duplex): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  };
  const reach = async (host: string, port: number): Promise<Socket> => {
    if (!budget.takeHost(host)) throw new Failure('STOPPED');
    try {
      const socket = await connect({ host, port, secure: false });
      keep(socket);
      return socket;
    } catch (error) {
      failures.set(host, describeConnectError(error));
      throw error;
    }
  };
  const server = createServer((incoming, response) => {
    if (!isOurs(incoming, expected))
      response.writeHead(407, { 'Proxy-Authenticate': 'Basic realm="scan"' }).end();
    else if (!budget.takeRequest()) response.destroy();
    else forward(incoming, response, reach, budget).catch(() => fail(response));
  });
  server.on('connection', keep);
  server.on('connect', (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    if (!isOurs(incoming, expected))
      client.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="scan"\r\nContent-Length: 0\r\n\r\n',
      );
    else if (!budget.takeTunnel()) client.destroy();
    else
      tunnel(incoming.url ?? '', client, head, reach, budget).catch(() =>
        client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'),
      );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = (): void => shut(server, sockets);
  if (budget.signal.aborted) close();
  budget.signal.addEventListener('abort', close, { once: true });
  const { port } = server.address() as AddressInfo;
  return { server: `http://127.0.0.1:${port}`, username: 'scan', password, failures, close };
}

function isOurs({ headers }: IncomingMessage, expected: Buffer): boolean {
  const given = Buffer.from(headers['proxy-authorization'] ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function shut(server: Server, sockets: Set<Duplex>): void {
  server.close();
  for (const socket of sockets) socket.destroy();
}
