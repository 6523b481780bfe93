import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the stub saw of a request. */
export interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** How the stub answers: an envelope, raw text, or by hand. */
export type Answer =
  | { status?: number; headers?: Record<string, string>; data?: unknown; text?: string; message?: string }
  | ((response: ServerResponse, seen: Seen) => void);

/** A real HTTP server that gives the answers in turn, and the last one again and again. */
export async function startStub(...answers: Answer[]) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const one: Seen = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    const answer = answers[Math.min(seen.push(one), answers.length) - 1] ?? {};
    if (typeof answer === 'function') answer(response, one);
    else send(response, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    seen,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Stub = Awaited<ReturnType<typeof startStub>>;

export function send(response: ServerResponse, answer: Exclude<Answer, (...args: never) => void>) {
  const { status = 200, headers = {}, data = {}, text, message = 'Done.' } = answer;
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(text ?? JSON.stringify({ status: status < 400 ? 'success' : 'error', data, message }));
}

/** A refusal in the service's own form. */
export function refusal(status: number, code: string, headers: Record<string, string> = {}) {
  return { status, headers, data: { code, errors: [] }, message: 'Try something else.' };
}

/** Breaks the connection without an answer. */
export const reset: Answer = (response) => response.destroy();

/** Never answers. */
export const hang: Answer = () => {};
