import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createPolicy, type Lookup, type PolicyOptions } from '../../../server/src/net/policy';
import { createTransport, type TransportOptions } from '../../../server/src/net/transport';
import { type Outcome, sendWebhook, type WebhookRequest } from '../../../server/src/webhooks/send';

export const LOOPBACK = ['127.0.0.0/8', '::1/128'];

const fixture = (name: string): string => readFileSync(join(__dirname, 'fixtures', name), 'utf8');
export const CERTIFICATE = fixture('certificate.pem');
const KEY = fixture('key.pem');

const open: (() => void)[] = [];

/** Ends every receiver and transport of the test. */
export function closeAll(): void {
  for (const close of open.splice(0)) close();
}

export interface Receiver {
  port: number;
  /** Connections that were accepted, and bytes that came in. */
  connections: number;
  /** Of them, still open. */
  open: number;
  bytes: number;
}

async function listen(server: Server, host: string): Promise<Receiver> {
  const sockets = new Set<Socket>();
  const receiver: Receiver = { port: 0, connections: 0, open: 0, bytes: 0 };
  server.on('connection', (socket: Socket) => {
    receiver.connections++;
    receiver.open++;
    sockets.add(socket);
    socket.on('data', (chunk) => {
      receiver.bytes += chunk.length;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      receiver.open--;
      sockets.delete(socket);
    });
  });
  server.listen(0, host);
  await once(server, 'listening');
  open.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  receiver.port = (server.address() as AddressInfo).port;
  return receiver;
}

/** A receiver that speaks raw TCP: the script gets the socket when the first bytes of a request came. */
export const rawReceiver = (script: (socket: Socket) => void, host = '127.0.0.1'): Promise<Receiver> =>
  listen(
    createServer((socket) => socket.once('data', () => script(socket))),
    host,
  );

export const httpReceiver = (listener: RequestListener, host = '127.0.0.1'): Promise<Receiver> =>
  listen(createHttpServer(listener), host);

export const httpsReceiver = (listener: RequestListener): Promise<Receiver> =>
  listen(createHttpsServer({ key: KEY, cert: CERTIFICATE }, listener), '127.0.0.1');

/** Nothing may ever come here. */
export const canary = (host = '127.0.0.1'): Promise<Receiver> => rawReceiver((socket) => socket.end(), host);

/** A resolver that knows these names only. A function answers anew every time. */
export function resolver(names: Record<string, string[] | (() => string[])>): Lookup & { asked: string[] } {
  const asked: string[] = [];
  const lookup: Lookup = async (name) => {
    asked.push(name);
    const entry = names[name];
    if (entry === undefined) throw Object.assign(new Error(`ENOTFOUND ${name}`), { code: 'ENOTFOUND' });
    const addresses = typeof entry === 'function' ? entry() : entry;
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return Object.assign(lookup, { asked });
}

export const BODY = Buffer.from('{"event":"consent.accept_all","data":{"note":"Zürich ✓"}}', 'utf8');

/** For receivers that hang; elsewhere the real limits stand, so that a busy machine fails no test. */
export const SHORT: TransportOptions = { connectMs: 600, totalMs: 900 };

/** A transport over a policy that opens loopback and http unless told otherwise. */
export function sender(policy: Partial<PolicyOptions> = {}, options: TransportOptions = {}) {
  const transport = createTransport(
    createPolicy({ allowNetworks: LOOPBACK, allowHttp: true, lookup: resolver({}), ...policy }),
    options,
  );
  open.push(() => transport.close());
  const send = (url: string, request: Partial<WebhookRequest> = {}): Promise<Outcome> =>
    sendWebhook(transport, { url, method: 'POST', headers: {}, body: BODY, ...request });
  return { transport, send };
}
