import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Context } from './context';
import type { Gate } from './gate';
import { createApp } from './http/app';
import { addressFinder } from './http/client';
import { loadContract } from './http/contract';
import { RateLimiter } from './http/rate-limit';
import { createVisitorHost } from './http/visitor-host';

/** How long requests in flight may take after SIGTERM, in milliseconds. */
const GRACE = 15_000;
/** Visitor requests a minute: from one address to one site, and to one site (for each process). */
const LIMITS = { perAddress: 600, perSite: 120_000 };

export interface ListenerOptions {
  /** Check every answer of Express against the contract. */
  validateResponses?: boolean;
  /** Off: Express answers visitors too; the contract's tests run over both. */
  visitorHost?: boolean;
  /** All metrics of all processes, where there are several. */
  collectMetrics?: () => Promise<string>;
  limits?: { perAddress: number; perSite: number };
}

/** The HTTP server of a process: behind one port the gate, the fast host of visitors, and Express for everything else. */
export class Listener {
  private readonly server: Server;

  constructor(
    private readonly context: Context,
    gate: Gate,
    private readonly options: ListenerOptions,
  ) {
    const { config } = context;
    const common = {
      context,
      addressOf: addressFinder(config.trustProxy),
      limiter: config.rateLimit ? new RateLimiter(options.limits ?? LIMITS) : undefined,
    };
    const probes = {
      notReady: () => gate.notReady(),
      metrics: () => this.collectMetrics(),
      metricsHere: config.metricsPort === undefined,
    };
    const app = createApp({ ...common, probes, validateResponses: options.validateResponses ?? false });
    const visitors =
      options.visitorHost === false ? undefined : createVisitorHost({ ...common, contract: loadContract() });
    this.server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 30_000 }, (request, response) => {
      if (gate.turnsAway(request, response)) return;
      if (visitors === undefined || !visitors(request, response)) app(request, response);
    });
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

  /** Takes no new connections, and waits for the requests in flight. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      // A kept-alive connection becomes idle only after its answer: look again until all are gone.
      const idle = setInterval(() => this.server.closeIdleConnections(), 50);
      const end = setTimeout(() => this.server.closeAllConnections(), GRACE);
      this.server.close(() => {
        clearInterval(idle);
        clearTimeout(end);
        resolve();
      });
      this.server.closeIdleConnections();
    });
  }

  private async collectMetrics(): Promise<{ contentType: string; text: string }> {
    const { registry } = this.context.metrics;
    const text = await (this.options.collectMetrics ?? (() => registry.metrics()))();
    return { contentType: registry.contentType, text };
  }
}
