import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

/** The web server of a shop: one page for each contestant, scripts, a picture, and a path that leads to Avow. */
export interface Host {
  port: number;
  stop(): Promise<void>;
}

/** Noise that does not compress: the picture weighs what a photograph of its size does. */
const picture = (): Buffer => {
  let seed = 1;
  const noise = Array.from({ length: 2_000 }, () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return `<rect x="${seed % 720}" y="${seed % 397}" width="9" height="9" fill="#${(seed % 4_096).toString(16).padStart(3, '0')}"/>`;
  });
  return gzipSync(`<svg xmlns="http://www.w3.org/2000/svg" width="720" height="400">${noise.join('')}</svg>`);
};

/** `heads` has what stands in the head of a page, by its name; `scripts` texts by path. */
export async function startHost(
  heads: Map<string, string>,
  scripts: Map<string, string>,
  avow: number,
): Promise<Host> {
  const files = new Map([...scripts].map(([path, text]) => [path, gzipSync(text, { level: 9 })]));
  const hero = picture();
  const server = createServer((asked, response) => {
    const path = asked.url as string;
    const head = heads.get(path.slice(1));
    const script = files.get(path);
    if (head !== undefined) send(response, 'text/html; charset=utf-8', gzipSync(pageWith(head)));
    else if (script) send(response, 'text/javascript', script);
    else if (path === '/hero.svg') send(response, 'image/svg+xml', hero);
    else if (path.startsWith('/privacy/')) forward(asked, response, avow);
    else response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function send(response: ServerResponse, type: string, body: Buffer): void {
  response.writeHead(200, { 'Content-Type': type, 'Content-Encoding': 'gzip', 'Cache-Control': 'no-store' });
  response.end(body);
}

/** What a reverse proxy does: the path below is the other server's own. */
function forward(asked: IncomingMessage, response: ServerResponse, port: number): void {
  const path = (asked.url as string).slice('/privacy'.length);
  const { method = 'GET', headers } = asked;
  const further = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
    response.writeHead(answer.statusCode as number, answer.headers);
    answer.pipe(response);
  });
  further.on('error', () => response.destroy());
  asked.pipe(further);
}

const TEXT = `<p>${'Fine things for a fine house, made to last and to be mended. '.repeat(6)}</p>`;

const pageWith = (head: string): string => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width">${head}<title>Shop</title>
<style>body{font:1rem/1.5 sans-serif;margin:0 auto;max-width:45rem;padding:1rem}img{width:100%;height:auto}</style>
</head><body><h1>Shop</h1><img src="/hero.svg" alt="" width="720" height="400">${TEXT.repeat(8)}</body></html>`;
