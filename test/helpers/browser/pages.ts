import { request as ask, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client, TestServer } from '../server';
import { until } from '../until';

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

/** Passes a request on, as a reverse proxy does. */
export function passOn(request: IncomingMessage, response: ServerResponse, url: string): void {
  const { method = 'GET', headers } = request;
  const further = ask(url, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode as number, answer.headers);
    answer.pipe(response);
  });
  request.pipe(further);
}

export const html = (
  response: ServerResponse,
  body: string,
  headers: Record<string, string | string[]> = {},
): void =>
  void response
    .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', ...headers })
    .end(`<!doctype html><title>x</title>${body}`);

/** Starts a scan, as somebody of the site where it is for one, and waits until it is over. */
export async function scanToEnd(server: TestServer, url: string, site?: { client: Client; token: string }) {
  const body = { url, ...(site && { token: site.token }) };
  const { scan_id } = await (site?.client ?? server.visitor).startCookieScan({ body });
  return untilScanned(server, scan_id);
}

/** Waits until a scan is over, one way or the other. */
export const untilScanned = (server: TestServer, scan_id: string, limit = 60_000) =>
  until(
    'the scan is over',
    async () => {
      const scan = await server.visitor.getScan({ scan_id });
      return (scan.status === 'done' || scan.status === 'failed') && scan;
    },
    limit,
  );

/** Every name of a test's site leads to the loopback interface. */
export const loopbackNames = async () => [{ address: '127.0.0.1', family: 4 }];
