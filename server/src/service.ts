import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Config } from './config';
import type { Context } from './context';
import { connect } from './db/knex';
import { migrate, pendingMigrations } from './db/migrate';
import { ensurePartitions } from './db/partitions';
import { unavailable } from './errors';
import { type FirstRun, prepareFirstRun } from './first-run';
import { beginExchange, sendError } from './http/answer';
import { createApp } from './http/app';
import { addressFinder } from './http/client';
import { loadContract } from './http/contract';
import { finishExchange } from './http/finish';
import { RateLimiter } from './http/rate-limit';
import { createVisitorHost } from './http/visitor-host';
import { Ingest } from './ingest/ingest';
import { Sites } from './ingest/sites';
import { createJobs } from './jobs';
import type { Scheduler } from './jobs/scheduler';
import { createLogger, type Logger } from './logger';
import { createMetrics } from './metrics';
import { loadSecrets } from './secrets';
import { Tokens } from './tokens';
import { Vault } from './vault';
import { Dispatcher } from './webhooks/dispatcher';
import { createPolicy } from './webhooks/net/policy';
import { createTransport } from './webhooks/net/transport';

/** How long requests in flight may take after SIGTERM, in milliseconds. */
const GRACE = 15_000;
/** How often a process that does not migrate looks whether somebody has, in milliseconds. */
const MIGRATION_LOOK = 1_000;
/** Visitor requests a minute: from one address to one site, and to one site (for each process). */
const LIMITS = { perAddress: 600, perSite: 120_000 };

const NOTHING: FirstRun = { setupLink: undefined, demoToken: undefined };

/** What tests and tools may set besides the configuration. */
export interface ServiceOptions {
  log?: Logger;
  /** Check every answer of Express against the contract. */
  validateResponses?: boolean;
  /** Off: Express answers visitors too; the contract's tests run over both. */
  visitorHost?: boolean;
  /** All metrics of all processes, where there are several. */
  collectMetrics?: () => Promise<string>;
  /** Off: answers nothing, because other processes do. */
  listen?: boolean;
  /** Visitor entries that may wait, at most. */
  maxWaiting?: number;
  limits?: { perAddress: number; perSite: number };
}

/** One process of Avow: `create`, `start`, `destroy`. */
export class Service {
  private server: Server | undefined;
  private stopping = false;
  /** Why no request can be answered yet; undefined from then on. */
  private closedBy: string | undefined = 'the process is starting';

  private constructor(
    readonly context: Context,
    private readonly jobs: Scheduler,
    private readonly options: ServiceOptions,
  ) {}

  /** Wires everything; touches neither network nor database. `databaseUrl` must be set by now. */
  static create(config: Config & { databaseUrl: string }, options: ServiceOptions = {}): Service {
    const log = options.log ?? createLogger(config.logLevel);
    const db = connect(config.databaseUrl, config.databasePool);
    const secrets = loadSecrets(config);
    const metrics = createMetrics(() => ingest.waiting);
    const ingest = new Ingest({
      databaseUrl: config.databaseUrl,
      log,
      onGroup: metrics.group,
      onEvents: (webhookIds) => dispatcher.wake(webhookIds),
      onMissingPartition: () => ensurePartitions(db, new Date()),
      ...(options.maxWaiting === undefined ? {} : { maxWaiting: options.maxWaiting }),
    });
    const vault = new Vault(secrets.secretsKey);
    const networkPolicy = createPolicy({
      allowNetworks: config.webhookAllowNetworks,
      allowHttp: config.webhookAllowHttp,
    });
    const transport = createTransport(networkPolicy);
    const dispatcher = new Dispatcher({
      db,
      log,
      vault,
      transport,
      schedule: config.webhookRetrySeconds,
      onDelivery: metrics.delivery,
      onBacklog: metrics.backlog,
    });
    const context: Context = {
      config,
      log,
      db,
      ingest,
      sites: new Sites(db, log),
      tokens: new Tokens(secrets.jwtSecret),
      vault,
      dispatcher,
      networkPolicy,
      wake: (webhookIds) => dispatcher.wake(webhookIds),
      metrics,
      publicUrl: () => config.publicUrl ?? `http://localhost:${config.port}`,
    };
    return new Service(context, createJobs(context), options);
  }

  /** Migrates, makes what a first run needs, and begins to answer. Resolves with what the operator should be told. */
  async start(): Promise<FirstRun> {
    const { config, db } = this.context;
    if (!config.migrate) await this.lookForMigrations();
    if (config.role !== 'worker' && this.options.listen !== false) await this.listen();
    if (!config.migrate) {
      void this.awaitMigrations();
      return NOTHING;
    }
    await migrate(db);
    const firstRun = await prepareFirstRun(this.context);
    this.open();
    return firstRun;
  }

  /** Takes no new requests, finishes those in flight, stores what was taken, and closes. */
  async destroy(): Promise<void> {
    this.stopping = true;
    const { db, dispatcher, ingest, sites, log } = this.context;
    dispatcher.pause();
    await this.closeServer();
    await Promise.all([this.jobs.stop(), ingest.stop(), dispatcher.stop()]);
    sites.stop();
    await (db as Knex).destroy();
    log.flush();
  }

  /** The port that the server listens on. */
  get port(): number {
    return ((this.server as Server).address() as AddressInfo).port;
  }

  private open(): void {
    this.closedBy = undefined;
    this.context.sites.start();
    if (this.context.config.role === 'api') return;
    this.jobs.start();
    this.context.dispatcher.start();
  }

  /** With MIGRATE=off somebody else migrates: waits until they have. */
  private async awaitMigrations(): Promise<void> {
    while (this.closedBy !== undefined) {
      await delay(MIGRATION_LOOK);
      if (this.stopping) return;
      await this.lookForMigrations();
    }
  }

  private async lookForMigrations(): Promise<void> {
    try {
      const pending = await pendingMigrations(this.context.db);
      if (pending.length === 0) this.open();
      else this.closedBy = `${pending.length} migrations are pending: run npm run migrate`;
    } catch {
      this.closedBy = 'the database cannot be reached';
    }
  }

  private async listen(): Promise<void> {
    const { config } = this.context;
    const common = {
      context: this.context,
      addressOf: addressFinder(config.trustProxy),
      limiter: config.rateLimit ? new RateLimiter(this.options.limits ?? LIMITS) : undefined,
    };
    const probes = {
      notReady: () => this.notReady(),
      metrics: () => this.collectMetrics(),
      metricsHere: config.metricsPort === undefined,
    };
    const app = createApp({ ...common, probes, validateResponses: this.options.validateResponses ?? false });
    const visitors =
      this.options.visitorHost === false
        ? undefined
        : createVisitorHost({ ...common, contract: loadContract() });
    const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 30_000 }, (request, response) => {
      // A busy connection is never idle: told so, the client opens its next one elsewhere.
      if (this.stopping) response.setHeader('Connection', 'close');
      if (this.closedBy !== undefined && this.turnAway(request, response)) return;
      if (visitors === undefined || !visitors(request, response)) app(request, response);
    });
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(config.port, config.host, resolve);
    });
    config.port = this.port;
  }

  /** Probes, pages and pre-flights need no database; everything else must wait for it. */
  private turnAway(request: IncomingMessage, response: ServerResponse): boolean {
    if (!request.url?.startsWith('/api/') || request.method === 'OPTIONS') return false;
    const exchange = beginExchange(request, response);
    exchange.open = true;
    finishExchange(exchange, this.context);
    sendError(exchange, unavailable(`Not ready, ${this.closedBy}: try again shortly.`), this.context.log);
    return true;
  }

  private async notReady(): Promise<string | undefined> {
    if (this.stopping) return 'the process is stopping';
    if (this.closedBy !== undefined) return this.closedBy;
    try {
      await this.context.db.raw('SELECT 1');
      return undefined;
    } catch {
      return 'the database cannot be reached';
    }
  }

  private async collectMetrics(): Promise<{ contentType: string; text: string }> {
    const { registry } = this.context.metrics;
    const text =
      this.options.collectMetrics === undefined
        ? await registry.metrics()
        : await this.options.collectMetrics();
    return { contentType: registry.contentType, text };
  }

  private closeServer(): Promise<void> {
    const { server } = this;
    if (server === undefined) return Promise.resolve();
    return new Promise((resolve) => {
      // A kept-alive connection becomes idle only after its answer: look again until all are gone.
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      const end = setTimeout(() => server.closeAllConnections(), GRACE);
      server.close(() => {
        clearInterval(idle);
        clearTimeout(end);
        resolve();
      });
      server.closeIdleConnections();
    });
  }
}
