import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { checkAnswer } from '../contract';

export interface RawRequest {
  method?: string;
  /** Sent as it is, whatever it holds. */
  path: string;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
  /** Sends the body without saying how long it is: in one chunk, or in chunks of so many bytes. */
  chunked?: boolean | number;
}

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: an answer that the contract's check has passed
  json: any;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
afterAll(() => agent.destroy());

function piecesOf(body: string | Buffer | undefined, chunked: boolean | number): (string | Buffer)[] {
  if (body === undefined || typeof chunked === 'boolean') return body === undefined ? [] : [body];
  const bytes = Buffer.from(body);
  return Array.from({ length: Math.ceil(bytes.length / chunked) }, (_, n) =>
    bytes.subarray(n * chunked, (n + 1) * chunked),
  );
}

/** Sends what no client would send; the answer is checked against the contract like any other. */
export async function raw(baseUrl: string, sent: RawRequest): Promise<RawAnswer> {
  const { method = 'GET', path, headers = {}, body, chunked = false } = sent;
  const { hostname, port } = new URL(baseUrl);
  const answer = await new Promise<Omit<RawAnswer, 'json'>>((resolve, reject) => {
    const framing = chunked
      ? { 'Transfer-Encoding': 'chunked' }
      : { 'Content-Length': String(Buffer.byteLength(body ?? '')) };
    const outgoing = request(
      { hostname, port, method, path, headers: { ...(body !== undefined && framing), ...headers }, agent },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.cork();
    for (const piece of piecesOf(body, chunked)) outgoing.write(piece);
    outgoing.end();
  });
  const isJson = answer.headers['content-type']?.startsWith('application/json') ?? false;
  const json = isJson && answer.text !== '' ? JSON.parse(answer.text) : undefined;
  check(baseUrl, method, path, answer);
  return { ...answer, json };
}

function check(baseUrl: string, method: string, path: string, answer: Omit<RawAnswer, 'json'>): void {
  const { status, headers, text } = answer;
  if (headers['x-request-id'] === undefined) throw new Error(`${method} ${path}: no X-Request-Id`);
  if (!path.startsWith('/api/') || ['OPTIONS', 'HEAD'].includes(method)) return;
  if (headers['content-disposition'] !== undefined) return;
  checkAnswer(method, new URL(path, baseUrl).href, status, headers['content-type'] ?? null, text);
}

/** Sends JSON by POST. */
export const post = (
  baseUrl: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<RawAnswer> =>
  raw(baseUrl, {
    method: 'POST',
    path,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
