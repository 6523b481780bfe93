import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestServer } from './server';

export interface Pages {
  port: number;
  /** Paths that were asked for. */
  asked: string[];
  /** Connections that were made, whatever came over them. */
  connections(): number;
  stop(): Promise<void>;
}

/** A web server of a test's own on the loopback interface; `answer` gets every request. */
export async function startPages(
  answer: (path: string, response: ServerResponse, request: IncomingMessage) => void,
  host = '127.0.0.1',
): Promise<Pages> {
  let connections = 0;
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url as string);
    answer(request.url as string, response, request);
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    connections: () => connections,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const html = (
  response: ServerResponse,
  body: string,
  headers: Record<string, string | string[]> = {},
): void =>
  void response
    .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...headers })
    .end(`<!doctype html><title>x</title>${body}`);

/** Starts a scan and waits until it is over. */
export async function scanToEnd(server: TestServer, url: string, token?: string) {
  const { scan_id } = await server.visitor.startCookieScan({ body: { url, ...(token && { token }) } });
  return waitFor(server, scan_id);
}

export async function waitFor(server: TestServer, scan_id: string, milliseconds = 60_000) {
  const end = Date.now() + milliseconds;
  for (;;) {
    const scan = await server.visitor.getScan({ scan_id });
    if (scan.status === 'done' || scan.status === 'failed' || Date.now() > end) return scan;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Every name of a test's site leads to the loopback interface. */
export const loopbackNames = async () => [{ address: '127.0.0.1', family: 4 }];
