import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import { type Connector, createConnector } from './connector';
import { boundInterim } from './interim';
import type { Policy } from './policy';
import { hostOf } from './target';
import { boundWire } from './wire';

/**
 * How long a connection waits for its next request, in milliseconds: shorter than the 5 s after which many
 * servers close.
 */
const IDLE_MS = 4_000;
/**
 * Connections per host and port: as many as a process sends at once, so that webhooks on one host never wait
 * for each other.
 */
const MAX_SOCKETS = 64;
const MAX_IDLE = 8;

/** What a request may bring in all: headers, a body of which 16 KiB are read, and what frames it, in bytes. */
const WIRE_BYTES = 80 * 1024;

/** Times in milliseconds. */
export interface Limits {
  /** For name, TCP and TLS. */
  connectMs: number;
  /** For the whole attempt. */
  totalMs: number;
}

export interface TransportOptions extends Partial<Limits> {
  idleMs?: number;
  /** Connections per host and port. */
  maxSockets?: number;
  /** A certificate trusted besides the system's, in PEM. */
  ca?: string;
}

/** Outgoing requests of webhooks: pooled, vetted connections. No environment proxy is ever used. */
export interface Transport {
  readonly policy: Policy;
  readonly limits: Limits;
  /** Fires at `close`. */
  readonly closed: AbortSignal;
  /** Starts a request; `fresh` takes a new connection instead of one from the pool. */
  request(url: URL, options: RequestOptions): http.ClientRequest;
  /** Ends attempts in flight as failures, and all connections. */
  close(): void;
}

export interface RequestOptions {
  method: string;
  headers: Record<string, string | number>;
  fresh: boolean;
}

/** `connectMs` is 5 s and `totalMs` 15 s unless a test says otherwise. */
export function createTransport(policy: Policy, options: TransportOptions = {}): Transport {
  const limits = { connectMs: options.connectMs ?? 5_000, totalMs: options.totalMs ?? 15_000 };
  const closing = new AbortController();
  const connect = createConnector(policy, {
    connectMs: limits.connectMs,
    ca: options.ca,
    closed: closing.signal,
  });
  const settings = {
    keepAlive: true,
    maxSockets: options.maxSockets ?? MAX_SOCKETS,
    maxFreeSockets: MAX_IDLE,
    timeout: options.idleMs ?? IDLE_MS,
  };
  const plain = pooled(new http.Agent(settings), connect, false);
  const secure = pooled(new https.Agent(settings), connect, true);
  return {
    policy,
    limits,
    closed: closing.signal,
    request(url, { method, headers, fresh }) {
      const tls = url.protocol === 'https:';
      const agent = tls ? secure : plain;
      const request = (tls ? https : http).request({
        protocol: url.protocol,
        hostname: hostOf(url),
        port: url.port === '' ? (tls ? 443 : 80) : Number(url.port),
        path: url.pathname + url.search,
        method,
        headers,
        // Instead of the pool's own timeout, which is for idle connections.
        timeout: limits.totalMs,
        ...(fresh ? { createConnection: agent.createConnection } : { agent }),
      });
      request.once('socket', (socket) => boundWire(socket, WIRE_BYTES));
      return endEarly(boundInterim(request));
    },
    close() {
      closing.abort();
      plain.destroy();
      secure.destroy();
    },
  };
}

/**
 * Ends the connection of an answer that came before the request was written: its peer may never read the rest, and
 * neither the attempt, which is over, nor the pool would end it.
 */
function endEarly(request: http.ClientRequest): http.ClientRequest {
  request.once('response', (message) => {
    // Not at its close: the connection may be the next request's by then, and what it has to write is that one's.
    message.once('end', () => {
      if (!request.writableFinished) request.socket?.destroy();
    });
  });
  return request;
}

/** Makes an agent connect through the connector, whatever options reach it. */
function pooled<A extends http.Agent>(agent: A, connect: Connector, secure: boolean): A {
  agent.createConnection = (options, done) => {
    const finish = done as (error: Error | null, socket?: Socket) => void;
    connect({ host: options.host ?? '', port: Number(options.port), secure }).then(
      (socket) => finish(null, socket),
      (error) => finish(error),
    );
    return undefined;
  };
  return agent;
}
