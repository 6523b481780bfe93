import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { boundInterim } from '../net/interim';
import { hostOf } from '../net/target';
import { watchWire } from '../net/wire';
import type { Budget } from './limits';
import { portOf } from './target';

/** Headers that belong to one connection (RFC 9110 §7.6.1). */
const HOP = new Set([
  'connection',
  'proxy-connection',
  'proxy-authorization',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** A vetted connection. */
export type Reach = (host: string, port: number) => Promise<Socket>;

/** One plain request, on a connection of its own. */
export async function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  reach: Reach,
  budget: Budget,
): Promise<void> {
  const url = new URL(incoming.url ?? '');
  if (url.protocol !== 'http:') throw new Error('not http');
  const socket = await reach(hostOf(url), portOf(url));
  const outgoing = boundInterim(
    httpRequest({
      createConnection: () => socket,
      method: incoming.method ?? 'GET',
      path: url.pathname + url.search,
      headers: withoutHop(incoming.rawHeaders),
    }),
  );
  outgoing.once('socket', () => watchWire(socket, (bytes) => budget.takeBytes(bytes)));
  let answered = false;
  outgoing.on('error', () => {
    answered = true;
    fail(response);
  });
  // What comes alone after an answer with an upgrade, which nobody asked for.
  outgoing.once('close', () => {
    if (!answered) fail(response);
  });
  outgoing.on('response', (answer) => {
    answered = true;
    try {
      response.writeHead(answer.statusCode ?? 502, withoutHop(answer.rawHeaders));
    } catch {
      fail(response);
      return;
    }
    answer.on('data', () => budget.takePiece());
    answer.on('error', () => response.destroy());
    answer.pipe(response);
  });
  incoming.on('data', (chunk: Buffer) => budget.takeBytes(chunk.length));
  incoming.pipe(outgoing);
}

/** TLS and WebSockets pass through as they are; only their end is ours to choose. */
export async function tunnel(
  authority: string,
  client: Duplex,
  head: Buffer,
  reach: Reach,
  budget: Budget,
): Promise<void> {
  const [, host = '', port = ''] = /^(\[[0-9a-f:.]+\]|[^:[\]/@]+):(\d{1,5})$/i.exec(authority) ?? [];
  if (host === '') throw new Error('not an authority');
  const socket = await reach(host.replace(/^\[|\]$/g, ''), Number(port));
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
  socket.write(head);
  const count = (chunk: Buffer): void => budget.takeBytes(chunk.length);
  socket.on('data', count).pipe(client);
  client.on('data', count).pipe(socket);
  socket.once('close', () => client.destroy());
  client.once('close', () => socket.destroy());
}

/** Flat name–value pairs, as they came, so that several Set-Cookie headers stay apart. */
function withoutHop(raw: string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name, value] = [raw[at] as string, raw[at + 1] as string];
    if (!HOP.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}

export function fail(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(502, { 'Content-Length': 0 }).end();
}
