import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '../context';
import { type Contract, loadContract } from '../contract/operations';
import { maskAddress } from '../domain/mask';
import { createApp } from '../http/app';
import { addressFinder, proxyTeller } from '../http/client';
import { framingFault, hostFault, noExpectation, refuse, refuseMalformed } from '../http/malformed';
import { RateLimiter, VISITOR_LIMITS } from '../http/rate-limit';
import { toOriginForm } from '../http/request-target';
import { createVisitorHost } from '../http/visitor-host';
import type { Logger } from '../observability/logger';
import { sharedFor } from '../observability/shared-for';
import { type ConnectionCounts, ConnectionLimits, STANDSTILL } from './connection-limits';
import type { Gate } from './gate';
import { QUIET, UnaskedBytes } from './unasked-bytes';

/** How long requests in flight may take after SIGTERM, in milliseconds. */
const GRACE = 15_000;
/**
 * How long an idle connection is left open after the drain, in milliseconds: its next request may be on the
 * way. Longer where there was a drain, since then others wait for none of it.
 */
const LINGER = { atOnce: 500, afterDrain: 2_000 };
/** How long collected metrics are served, in milliseconds: anybody may ask, and collecting is costly. */
const METRICS_VALID = 1_000;
/**
 * How long a connection may be idle, and a request and its headers may take to arrive, in milliseconds, and how often
 * that is looked at. A connection that never said anything waits for headers.
 */
const TIME_LIMITS = {
  ...{ keepAliveTimeout: 65_000, requestTimeout: 30_000, headersTimeout: 10_000 },
  connectionsCheckingInterval: 2_500,
};
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
  /** How many may be open at once. */
  connections?: Partial<ConnectionCounts>;
  /** Of Node's HTTP server; tests do not wait for half a minute. */
  timeLimits?: {
    requestTimeout?: number;
    headersTimeout?: number;
    connectionsCheckingInterval?: number;
    standstill?: number;
    /** How long the beginning of a further request may take. */
    unasked?: number;
  };
}

/**
 * The HTTP server of a process: behind one port the gate, the fast host of visitors, and Express for
 * everything else.
 */
export class Listener {
  private readonly server: Server;
  /** Every connection, with the answers that it waits for, the earliest first. */
  private readonly connections = new Map<Socket, ServerResponse[]>();
  private readonly doors: ConnectionLimits;
  private readonly unasked: UnaskedBytes;

  constructor(
    private readonly context: Context,
    gate: Gate,
    private readonly options: ListenerOptions,
  ) {
    const { config } = context;
    const contract = loadContract();
    const common = {
      context,
      addressOf: addressFinder(config.trustProxy, tellOnce(context.log)),
      limiter: config.rateLimit ? new RateLimiter(options.limits ?? VISITOR_LIMITS) : undefined,
    };
    const probes = {
      notReady: () => gate.notReady(),
      metrics: sharedFor(METRICS_VALID, () => this.collectMetrics()),
      metricsHere: config.metricsPort === undefined,
    };
    const app = createApp({ ...common, probes, validateResponses: options.validateResponses ?? false });
    const visitors = options.visitorHost === false ? undefined : createVisitorHost({ ...common, contract });
    const { standstill = STANDSTILL, unasked = QUIET.longest, ...timeLimits } = options.timeLimits ?? {};
    this.unasked = new UnaskedBytes(mostBytes(contract), {
      look: Math.min(QUIET.look, unasked),
      longest: unasked,
    });
    const times = { ...TIME_LIMITS, ...timeLimits };
    const limits = {
      ...times,
      // Node refuses to begin with more time for a part than for the whole.
      headersTimeout: Math.min(times.headersTimeout, times.requestTimeout),
      requireHostHeader: false,
    };
    this.server = createServer(limits, (request, response) => {
      this.unasked.begins(request);
      const before = this.connections.get(request.socket)?.at(-1);
      if (this.sendsTooFarAhead(request.socket, response)) return;
      const fault = hostFault(request) ?? framingFault(request);
      if (fault !== undefined) {
        refuse(context, request, response, fault);
        return;
      }
      toOriginForm(request);
      if (gate.turnsAway(request, response)) return;
      if (visitors?.(request, response)) return;
      afterAnswer(before, request.socket, () => app(request, response));
    });
    // A client that takes nothing of its answer would keep it in memory, and its files open, for ever.
    this.server.timeout = standstill;
    this.server.maxRequestsPerSocket = MAX_REQUESTS;
    this.server.on('clientError', (error, socket) => refuseMalformed(context, error, socket));
    this.server.on('checkExpectation', (request, response) => {
      this.unasked.begins(request);
      if (!this.sendsTooFarAhead(request.socket, response))
        refuse(context, request, response, noExpectation());
    });
    this.doors = new ConnectionLimits({
      ...options.connections,
      isProxy: proxyTeller(config.trustProxy),
      log: context.log,
      metrics: context.metrics,
    });
    this.server.on('connection', (socket) => {
      if (!this.doors.admit(socket)) return;
      this.unasked.watch(socket);
      const unanswered: ServerResponse[] = [];
      this.connections.set(socket, unanswered);
      socket.once('close', () => {
        this.connections.delete(socket);
        for (const response of unanswered.splice(0)) endUnsent(response);
      });
    });
  }

  /** Ends a connection that sends many requests without waiting for an answer; browsers and proxies do not. */
  private sendsTooFarAhead(socket: Socket, response: ServerResponse): boolean {
    const unanswered = this.connections.get(socket);
    if (socket.destroyed || unanswered === undefined) return true;
    if (unanswered.length >= MAX_UNANSWERED) {
      socket.destroy();
      return true;
    }
    unanswered.push(response);
    // They end in their order.
    response.once('close', () => unanswered.shift());
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
    for (const unanswered of this.connections.values()) {
      const last = unanswered.at(-1);
      if (last !== undefined && !last.headersSent) last.setHeader('Connection', 'close');
    }
    await this.closeConnections(delay(drained ? LINGER.afterDrain : LINGER.atOnce));
    this.doors.stop();
    this.unasked.stop();
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

/** Of one request with the largest body, where each chunk may be small, in bytes: twice, and a few readings of a connection. */
const mostBytes = ({ operations }: Contract): number =>
  2 * Math.max(...operations.map(({ bodyLimit }) => bodyLimit)) + 256 * 1024;

/** Anybody can cause the line, so there is one of it; the likeliest cause is a proxy that nobody named. */
function tellOnce(log: Logger): (peer: string) => void {
  let isTold = false;
  return (peer) => {
    if (isTold) return;
    isTold = true;
    const what = 'the X-Forwarded-For of a peer that TRUST_PROXY does not trust is ignored';
    log.warn({ peer: maskAddress(peer) }, `${what}: name your proxy's address there if this is it`);
  };
}

/**
 * Ends an answer of a connection that has ended. Node tells only the answer whose turn it was: whatever is held for
 * those that waited behind it would be held for ever, and they would be missing in the log and the metrics.
 */
function endUnsent(response: ServerResponse): void {
  if (response.socket !== null) return;
  response.destroy();
  response.emit('close');
}

/**
 * Begins once the connection's answer before is out, and never if that was the last: what it opens, such as a file,
 * nobody waits for.
 */
function afterAnswer(before: ServerResponse | undefined, socket: Socket, begin: () => void): void {
  if (before === undefined || before.closed) begin();
  else before.once('close', () => socket.destroyed || begin());
}
