import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a receiver got. */
export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** How it answers from now on; `count` is the number of this request, from 1. */
  answer: (request: Received, response: ServerResponse, count: number) => void;
  /** Resolves when so many requests have come in all. */
  until(count: number): Promise<Received[]>;
  stop(): Promise<void>;
}

/** A real receiver of webhooks on a free port of the loopback interface. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const waiting: { count: number; resolve(received: Received[]): void }[] = [];
  const receiver: Receiver = {
    url: '',
    received: [],
    answer: (_request, response) => response.writeHead(200).end('ok'),
    until: (count) =>
      new Promise((resolve) => {
        waiting.push({ count, resolve });
        notify();
      }),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const notify = (): void => {
    for (const entry of waiting.splice(0)) {
      if (receiver.received.length >= entry.count) entry.resolve([...receiver.received]);
      else waiting.push(entry);
    }
  };
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const received = {
        method: request.method as string,
        path: request.url as string,
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      receiver.received.push(received);
      receiver.answer(received, response, receiver.received.length);
      notify();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

/** Variables that let webhooks reach receivers of a test. */
export const INWARD = { WEBHOOK_ALLOW_HTTP: 'on', WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' };
