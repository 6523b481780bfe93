import { BundleFiles } from './bundle/files';
import { loadProgram } from './bundle/load-program';
import type { Config } from './config';
import type { Context } from './context';
import { awaitDatabase } from './db/await-database';
import { connect } from './db/knex';
import { migrate } from './db/migrate';
import { ensurePartitions } from './db/partitions';
import type { BannerProgram } from './domain/bundle/program';
import { type FirstRun, prepareFirstRun } from './first-run';
import { Gate } from './gate';
import { Ingest } from './ingest/ingest';
import { Sites } from './ingest/sites';
import { createJobs } from './jobs';
import type { Scheduler } from './jobs/scheduler';
import { Listener, type ListenerOptions } from './listener';
import { createLogger, type Logger } from './logger';
import { createMetrics } from './metrics';
import { createPolicy, type Lookup } from './net/policy';
import { createTransport } from './net/transport';
import type { ScanLimits } from './scan/limits';
import { ScanRunner } from './scan/runner';
import { PORTS } from './scan/target';
import { loadSecrets } from './secrets';
import { Tokens } from './tokens';
import { Vault } from './vault';
import { Dispatcher } from './webhooks/dispatcher';

const NOTHING: FirstRun = { setupCode: undefined, demoToken: undefined };

/** What tests and tools may set besides the configuration. */
export interface ServiceOptions extends ListenerOptions {
  log?: Logger;
  /** Off: answers nothing, because other processes do. */
  listen?: boolean;
  /** Visitor entries that may wait, at most. */
  maxWaiting?: number;
  /** Another visitor script than the built one. */
  program?: BannerProgram;
  /** Of cookie scans: the resolver, smaller limits, and the engine. */
  scan?: { lookup?: Lookup; limits?: Partial<ScanLimits>; engine?: 'http' };
}

/** One process of Avow: `create`, `start`, `destroy`. */
export class Service {
  private listener: Listener | undefined;
  private readonly gate: Gate;

  private constructor(
    readonly context: Context,
    private readonly jobs: Scheduler,
    private readonly options: ServiceOptions,
  ) {
    this.gate = new Gate(context);
  }

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
      program: options.program ?? loadProgram(),
      files: new BundleFiles(db),
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
    const { config, db, log } = this.context;
    if (!config.migrate) return this.startAfterOthers();
    await this.listen();
    await awaitDatabase(db, log);
    await migrate(db);
    const firstRun = await prepareFirstRun(this.context);
    this.open();
    return firstRun;
  }

  /** Takes no new requests, finishes those in flight, stores what was taken, and closes. */
  async destroy(): Promise<void> {
    this.gate.stop();
    const { db, dispatcher, files, ingest, scans, sites, log } = this.context;
    dispatcher.pause();
    await this.listener?.close();
    await Promise.all([this.jobs.stop(), ingest.stop(), dispatcher.stop(), scans.stop(), files.stop()]);
    await sites.stop();
    await db.destroy();
    log.flush();
  }

  /** The port that the server listens on. */
  get port(): number {
    return this.context.config.port;
  }

  /** With MIGRATE=off: at once when the database is up to date, else when somebody has brought it there. */
  private async startAfterOthers(): Promise<FirstRun> {
    const isMigrated = await this.gate.isMigrated();
    if (isMigrated) this.open();
    await this.listen();
    if (!isMigrated) void this.gate.awaitMigrations(() => this.open());
    return NOTHING;
  }

  private open(): void {
    this.gate.open();
    this.context.sites.start();
    if (this.context.config.role === 'api') return;
    this.jobs.start();
    this.context.dispatcher.start();
    this.context.scans.start();
  }

  private async listen(): Promise<void> {
    const { config } = this.context;
    if (config.role === 'worker' || this.options.listen === false) return;
    this.listener = new Listener(this.context, this.gate, this.options);
    config.port = await this.listener.listen();
  }
}
