import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import proxyAddr from 'proxy-addr';
import { MOST_BYTES, SIZE_TYPE } from '../../src/domain/ledger/add-checkpoint';
import type { Logger } from '../../src/observability/logger';
import { type ConnectionCounts, ConnectionLimits, STANDSTILL } from '../../src/runtime/connection-limits';
import type { CheckpointStore } from './store';
import type { Verdict, Witness } from './witness';

const TEXT = 'text/plain; charset=utf-8';
/** In milliseconds, for a whole request. */
const REQUEST_MS = 10_000;
/** Connections at once: of one block of addresses, and in all. */
const CONNECTIONS = { ofBlock: 50, all: 200 };
/** Where a proxy is, which speaks for many. */
const PROXIES = ['loopback', 'linklocal', 'uniquelocal'];

/** By log and answer: when it was told last, in milliseconds, and of which size where that says something new. */
type Told = Map<string, { at: number; size: number }>;

/** Strangers repeat what they send: a refusal of a log's checkpoints has a line a minute at most. */
const TOLD_AGAIN = 60_000;
const MOST_TOLD = 1_000;

function isDue(told: Told, what: string, size = 0): boolean {
  const at = performance.now();
  const last = told.get(what);
  if (last?.size === size && at - last.at < TOLD_AGAIN) return false;
  // Of a pattern of origins there may be any number.
  if (told.size >= MOST_TOLD) told.clear();
  told.set(what, { at, size });
  return true;
}

interface Parts {
  witness: Witness;
  store: CheckpointStore;
  log: Logger;
}

interface Bounds {
  isProxy?: (address: string) => boolean;
  connections?: ConnectionCounts;
  /** In milliseconds. */
  standstill?: number;
}

/** The HTTP interface of a witness (C2SP tlog-witness); lines of its log hold no address. */
export function createWitnessServer(
  parts: Parts,
  { isProxy = nearBy(), connections = CONNECTIONS, standstill = STANDSTILL }: Bounds = {},
): Server {
  const options = {
    requestTimeout: REQUEST_MS,
    headersTimeout: REQUEST_MS,
    connectionsCheckingInterval: 1_000,
  };
  const told: Told = new Map();
  const server = createServer(options, (request, response) => {
    route({ ...parts, told }, request, response).catch((error: unknown) => {
      parts.log.error({ error }, 'a request failed');
      if (!response.headersSent) send(response, 500, 'The witness cannot answer: its log says why.\n');
    });
  });
  // Who takes nothing of an answer would keep the connection for ever.
  server.timeout = standstill;
  const doors = new ConnectionLimits({
    ...connections,
    ...{ isProxy, log: parts.log, metrics: { refusedConnection: () => undefined } },
    advice: 'put a proxy before the witness, and bound there what one address may open',
  });
  server.on('connection', (socket) => void doors.admit(socket));
  server.once('close', () => doors.stop());
  return server;
}

function nearBy(): (address: string) => boolean {
  const isNear = proxyAddr.compile(PROXIES);
  return (address) => address !== '' && isNear(address, 0);
}

async function route(
  parts: Parts & { told: Told },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '').split('?', 1)[0] as string;
  const [, hash] = /^\/([0-9a-f]{64})\/checkpoint$/.exec(path) ?? [];
  const method =
    path === '/add-checkpoint' ? 'POST' : path === '/healthz' || hash !== undefined ? 'GET' : undefined;
  if (method === undefined) return send(response, 404, 'There is nothing here.\n');
  if (request.method !== method) {
    return send(response.setHeader('Allow', method), 405, `Only ${method} is allowed here.\n`);
  }
  if (path === '/healthz') return send(response, 200, 'ok\n');
  if (hash !== undefined) {
    const known = parts.store.byHash(hash);
    return known === undefined
      ? send(response, 404, 'This witness has signed nothing of this log.\n')
      : send(response, 200, known.note);
  }
  const body = await readBody(request);
  if (body === 'broken off') return;
  if (body === 'too long') return refuse(request, response);
  answer(parts, body.text, response);
}

function answer(
  { witness, log, told }: Parts & { told: Told },
  body: string,
  response: ServerResponse,
): void {
  const verdict = witness.answer(body);
  const { status, origin, submitted } = verdict;
  // Of logs that it does not know, and of what is no request, it keeps no line for each.
  if (status === 507) {
    // Of these there may be any number, each another.
    if (isDue(told, 'no room'))
      log.warn({ origin, status }, 'a new log was refused, for which there is no room');
  } else if (origin !== undefined && isDue(told, `${origin} ${status}`, status === 200 ? submitted : 0))
    log.info({ origin, size: submitted, status }, 'a checkpoint was submitted');
  // Anybody can send a checkpoint that a log published, with a wrong proof.
  if (status === 422 && verdict.isProven && isDue(told, `${origin} contradiction`))
    log.warn({ origin, size: submitted }, 'a log has signed a tree that contradicts its former one');
  send(response, status, textOf(verdict), status === 409 ? SIZE_TYPE : TEXT);
}

function textOf(verdict: Verdict): string {
  if (verdict.status === 200) return `${verdict.line}\n`;
  return verdict.status === 409 ? `${verdict.size}\n` : `${verdict.why}\n`;
}

function send(response: ServerResponse, status: number, text: string, type = TEXT): void {
  begin(response, status, text, type);
  response.end();
}

/** The whole answer; the connection stays as it is. */
function begin(response: ServerResponse, status: number, text: string, type = TEXT): void {
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) });
  response.write(text);
}

/** Of a body that is too long so much is read and dropped: a connection that ends meanwhile may lose the answer. */
const MOST_DROPPED = 2 ** 20;

function refuse(request: IncomingMessage, response: ServerResponse): void {
  begin(response.setHeader('Connection', 'close'), 413, 'The body is too long.\n');
  let size = 0;
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MOST_DROPPED) request.destroy();
  });
  request.on('error', () => undefined);
  request.on('close', () => response.end());
}

type Body = { text: string } | 'too long' | 'broken off';

async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // The connection must last for the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MOST_BYTES) return 'too long';
      chunks.push(chunk);
    }
  } catch (error) {
    // Nobody waits for an answer any more, which is no fault of this program.
    if (request.complete) throw error;
    return 'broken off';
  }
  // Whatever is not UTF-8 becomes a character that no signature fits.
  return { text: Buffer.concat(chunks).toString('utf8') };
}
