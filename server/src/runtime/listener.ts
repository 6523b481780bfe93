import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../context';
import { loadContract } from '../contract/operations';
import { createApp } from '../http/app';
import { addressFinder } from '../http/client';
import { lacksHost, noExpectation, noHost, refuse, refuseMalformed } from '../http/malformed';
import { RateLimiter, VISITOR_LIMITS } from '../http/rate-limit';
import { createVisitorHost } from '../http/visitor-host';
import { sharedFor } from '../observability/shared-for';
import type { Gate } from './gate';

/** How long requests in flight may take after SIGTERM, in milliseconds. */
const GRACE = 15_000;
/**
 * How long an idle connection is left open after the drain, in milliseconds: its next request may be on the
 * way. Longer where there was a drain, since then others wait for none of it.
 */
const LINGER = { atOnce: 500, afterDrain: 2_000 };
/** How long collected metrics are served, in milliseconds: anybody may ask, and collecting is costly. */
const METRICS_VALID = 1_000;
/** How long a connection may be idle, and a request may take to arrive, in milliseconds. */
const TIME_LIMITS = { keepAliveTimeout: 65_000, requestTimeout: 30_000 };
/**
 * How long a connection may stand still while it is answered, in milliseconds: longer than any answer is
 * worked on, and than a slow line takes to empty the system's buffers.
 */
const STANDSTILL = 120_000;
/** Requests that one connection may pipeline. More would block the process. */
const MAX_UNANSWERED = 16;
/** Requests on one connection until the client is told to open another. */
const MAX_REQUESTS = 1_000;
/** How often idle connections are then closed, in milliseconds. */
const LOOK = 50;

export interface ListenerOptions {
  /** Validate every answer of Express against the contract. */
  validateResponses?: boolean;
  /** Off: Express answers visitors too; the contract's tests run over both. */
  visitorHost?: boolean;
  /** All metrics of all processes, where there are several. */
  collectMetrics?: () => Promise<string>;
  limits?: { perAddress: number; perSite: number };
  /** Of Node's HTTP server; tests do not wait for half a minute. */
  timeLimits?: { requestTimeout?: number; connectionsCheckingInterval?: number; standstill?: number };
}

/**
 * The HTTP server of a process: behind one port the gate, the fast host of visitors, and Express for
 * everything else.
 */
export class Listener {
  private readonly server: Server;
  /** Every connection, with the answer to its latest request. */
  private readonly connections = new Map<Socket, ServerResponse | undefined>();

  private readonly unanswered = new WeakMap<Socket, number>();

  constructor(
    private readonly context: Context,
    gate: Gate,
    private readonly options: ListenerOptions,
  ) {
    const { config } = context;
    const common = {
      context,
      addressOf: addressFinder(config.trustProxy),
      limiter: config.rateLimit ? new RateLimiter(options.limits ?? VISITOR_LIMITS) : undefined,
    };
    const probes = {
      notReady: () => gate.notReady(),
      metrics: sharedFor(METRICS_VALID, () => this.collectMetrics()),
      metricsHere: config.metricsPort === undefined,
    };
    const app = createApp({ ...common, probes, validateResponses: options.validateResponses ?? false });
    const visitors =
      options.visitorHost === false ? undefined : createVisitorHost({ ...common, contract: loadContract() });
    const { standstill = STANDSTILL, ...timeLimits } = options.timeLimits ?? {};
    const limits = { ...TIME_LIMITS, ...timeLimits, requireHostHeader: false };
    this.server = createServer(limits, (request, response) => {
      const before = this.connections.get(request.socket);
      this.connections.set(request.socket, response);
      if (this.sendsTooFarAhead(request.socket, response)) return;
      if (lacksHost(request)) {
        refuse(context, request, response, noHost());
        return;
      }
      if (gate.turnsAway(request, response)) return;
      if (visitors?.(request, response)) return;
      afterAnswer(before, request.socket, () => app(request, response));
    });
    // A client that takes nothing of its answer would keep it in memory, and its files open, for ever.
    this.server.timeout = standstill;
    this.server.maxRequestsPerSocket = MAX_REQUESTS;
    this.server.on('clientError', (error, socket) => refuseMalformed(context, error, socket));
    this.server.on('checkExpectation', (request, response) =>
      refuse(context, request, response, noExpectation()),
    );
    this.server.on('connection', (socket) => {
      this.connections.set(socket, undefined);
      socket.once('close', () => this.connections.delete(socket));
    });
  }

  /** Ends a connection that sends many requests without waiting for an answer; browsers and proxies do not. */
  private sendsTooFarAhead(socket: Socket, response: ServerResponse): boolean {
    if (socket.destroyed) return true;
    const unanswered = (this.unanswered.get(socket) ?? 0) + 1;
    if (unanswered > MAX_UNANSWERED) {
      socket.destroy();
      return true;
    }
    this.unanswered.set(socket, unanswered);
    response.once('close', () => this.unanswered.set(socket, (this.unanswered.get(socket) ?? 1) - 1));
    return false;
  }

  /** Resolves with the port. */
  async listen(): Promise<number> {
    const { host, port } = this.context.config;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, resolve);
    });
    return (this.server.address() as AddressInfo).port;
  }

  /**
   * Tells every client to go elsewhere, takes no new connections, and waits for the requests in flight. The
   * gate marks the answers to what comes from now on.
   */
  async close(drained: boolean): Promise<void> {
    for (const response of this.connections.values()) {
      if (response !== undefined && !response.headersSent) response.setHeader('Connection', 'close');
    }
    await this.closeConnections(delay(drained ? LINGER.afterDrain : LINGER.atOnce));
    // For its timer.
    this.server.close();
  }

  private closeConnections(lingered: Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      let look: NodeJS.Timeout | undefined;
      const end = setTimeout(() => this.server.closeAllConnections(), GRACE);
      // Not the HTTP server's own close, which would cut idle connections at once, with requests on the way.
      NetServer.prototype.close.call(this.server, () => {
        clearInterval(look);
        clearTimeout(end);
        resolve();
      });
      void lingered.then(() => {
        // After arrived data has been read, because timers run before it.
        if (this.connections.size > 0) look = setInterval(() => setImmediate(() => this.closeIdle()), LOOK);
      });
    });
  }

  private closeIdle(): void {
    this.server.closeIdleConnections();
    // Node calls a connection that never said anything busy.
    for (const socket of this.connections.keys()) if (socket.bytesRead === 0) socket.destroy();
  }

  private async collectMetrics(): Promise<{ contentType: string; text: string }> {
    const { registry } = this.context.metrics;
    const text = await (this.options.collectMetrics ?? (() => registry.metrics()))();
    return { contentType: registry.contentType, text };
  }
}

/**
 * Begins once the connection's answer before is out, and never if that was the last. Node tells an answer that
 * waits behind another nothing of the connection's end: what it has open, such as a file, would stay open.
 */
function afterAnswer(before: ServerResponse | undefined, socket: Socket, begin: () => void): void {
  if (before === undefined || before.closed) begin();
  else before.once('close', () => socket.destroyed || begin());
}
