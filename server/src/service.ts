import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Knex } from 'knex';
import type { Config } from './config';
import type { Context } from './context';
import { connect } from './db/knex';
import { migrate, pendingMigrations } from './db/migrate';
import { ensurePartitions } from './db/partitions';
import { type FirstRun, prepareFirstRun } from './first-run';
import { createApp } from './http/app';
import { addressFinder } from './http/client';
import { loadContract } from './http/contract';
import { RateLimiter } from './http/rate-limit';
import { createVisitorHost } from './http/visitor-host';
import { Ingest } from './ingest/ingest';
import { Sites } from './ingest/sites';
import { createJobs } from './jobs';
import type { Scheduler } from './jobs/scheduler';
import { createLogger, type Logger } from './logger';
import { createMetrics } from './metrics';
import type { ScanLimits } from './scan/limits';
import { ScanRunner } from './scan/runner';
import { PORTS } from './scan/target';
import { loadSecrets } from './secrets';
import { Tokens } from './tokens';
import { Vault } from './vault';
import { Dispatcher } from './webhooks/dispatcher';
import { createPolicy, type Lookup } from './webhooks/net/policy';
import { createTransport } from './webhooks/net/transport';

/** How long requests in flight may take after SIGTERM, in milliseconds. */
const GRACE = 15_000;
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
  /** Of cookie scans: the resolver, smaller limits, and the engine. */
  scan?: { lookup?: Lookup; limits?: Partial<ScanLimits>; engine?: 'http' };
}

/** One process of Avow: `create`, `start`, `destroy`. */
export class Service {
  private server: Server | undefined;
  private stopping = false;
  private migrated = false;

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
    });
    const scanPolicy = createPolicy({
      allowNetworks: config.scanAllowNetworks,
      allowHttp: true,
      ports: PORTS,
      ...(options.scan?.lookup === undefined ? {} : { lookup: options.scan.lookup }),
    });
    const scans = new ScanRunner({
      db,
      log,
      policy: scanPolicy,
      chromiumPath: config.chromiumPath,
      limits: options.scan?.limits,
      engine: options.scan?.engine,
      onScan: metrics.scan,
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
      scans,
      scanPolicy,
      wake: (webhookIds) => dispatcher.wake(webhookIds),
      metrics,
      publicUrl: () => config.publicUrl ?? `http://localhost:${config.port}`,
    };
    return new Service(context, createJobs(context), options);
  }

  /** Migrates, makes what a first run needs, and begins to answer. Resolves with what the operator should be told. */
  async start(): Promise<FirstRun> {
    const { config, db, dispatcher, scans, sites } = this.context;
    if (config.role !== 'worker' && this.options.listen !== false) await this.listen();
    if (config.migrate) await migrate(db);
    const firstRun = config.migrate ? await prepareFirstRun(this.context) : NOTHING;
    sites.start();
    if (config.role !== 'api') {
      this.jobs.start();
      dispatcher.start();
      scans.start();
    }
    return firstRun;
  }

  /** Takes no new requests, finishes those in flight, stores what was taken, and closes. */
  async destroy(): Promise<void> {
    this.stopping = true;
    const { db, dispatcher, ingest, scans, sites, log } = this.context;
    await this.closeServer();
    await Promise.all([this.jobs.stop(), ingest.stop(), dispatcher.stop(), scans.stop()]);
    sites.stop();
    await (db as Knex).destroy();
    log.flush();
  }

  /** The port that the server listens on. */
  get port(): number {
    return ((this.server as Server).address() as AddressInfo).port;
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
      if (visitors === undefined || !visitors(request, response)) app(request, response);
    });
    this.server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(config.port, config.host, resolve);
    });
    config.port = this.port;
  }

  private async notReady(): Promise<string | undefined> {
    if (this.stopping) return 'the process is stopping';
    try {
      if (!this.migrated) {
        const pending = await pendingMigrations(this.context.db);
        if (pending.length > 0) return `${pending.length} migrations are pending`;
        this.migrated = true;
      }
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
