import { setTimeout as delay } from 'node:timers/promises';
import { BundleFiles } from './bundles/files';
import { loadProgram } from './bundles/load-program';
import { VendorLists } from './bundles/vendor-lists';
import type { Config } from './config';
import { VERSION } from './config/version';
import type { Context } from './context';
import { databaseTime } from './db/clock';
import { Hosts } from './db/hosts';
import { connect, VISITOR_SILENCE, VISITORS } from './db/knex';
import { migrate } from './db/migrate';
import { ensurePartitions } from './db/partitions';
import { WriteProbe } from './db/write-probe';
import type { BannerProgram } from './domain/banner/sources';
import { clock } from './domain/clock';
import { TurnsOfEach } from './domain/fair-turns';
import { Ingest } from './ingest/ingest';
import { Sites } from './ingest/sites';
import { createJobs } from './jobs';
import type { Scheduler } from './jobs/scheduler';
import { inTurn } from './net/lookups';
import { createPolicy, type Lookup } from './net/policy';
import { createResolver } from './net/resolver';
import { createTransport } from './net/transport';
import { watchClock } from './observability/clock-watch';
import { endFailures } from './observability/failures';
import { createLogger, type Logger } from './observability/logger';
import { watchLoop } from './observability/loop-delay';
import { createMetrics } from './observability/metrics';
import { sampler } from './observability/sample';
import { awaitDatabase } from './runtime/await-database';
import { runBackgroundSteps } from './runtime/background-steps';
import { type FirstRun, prepareFirstRun } from './runtime/first-run';
import { Gate } from './runtime/gate';
import { Listener, type ListenerOptions } from './runtime/listener';
import { Presence } from './runtime/presence';
import type { ScanLimits } from './scan/limits';
import { createProver } from './scan/prove-domain';
import { ScanRunner } from './scan/runner';
import { PORTS } from './scan/target';
import { PublicTurns } from './security/public-turns';
import { loadSecrets } from './security/secrets';
import { Tokens } from './security/tokens';
import { Vault } from './security/vault';
import { checkSecretsKey } from './services/canary';
import { Dispatcher } from './webhooks/dispatcher';

const NOTHING: FirstRun = { setupCode: undefined, demoToken: undefined };

/**
 * Connections for sites, files and readiness: several, so that a lock on one table does not block the others.
 */
const VISITOR_POOL = 3;

/**
 * Concurrent DNS queries by purpose: public scans, deliveries, and owners who save a webhook never wait for
 * each other.
 */
/** The share of the owners' connections that the requests of one group of accounts take at once. */
const OF_ONE_GROUP = 0.4;
const QUESTIONS = { deliveries: 64, owners: 32, scans: 32, proofs: 32 };

/** How long a stop waits until a background step has been broken off, in milliseconds. */
const BACKGROUND_END = 3_000;

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
  private drained = false;
  private unwatchLoop = (): void => undefined;
  private readonly gate: Gate;
  private readonly presence: Presence;
  private readonly ending = new AbortController();
  private background = Promise.resolve();

  private constructor(
    readonly context: Context,
    private readonly jobs: Scheduler,
    private readonly options: ServiceOptions,
  ) {
    this.gate = new Gate(context);
    this.presence = new Presence(context.visitorDb, context.log, (words) => this.withdraw(words));
  }

  /** Wires everything; touches neither network nor database. `databaseUrl` must be set by now. */
  static create(config: Config & { databaseUrl: string }, options: ServiceOptions = {}): Service {
    const log = options.log ?? createLogger(config.logLevel);
    const hosts = new Hosts(config.databaseUrl);
    const db = connect(hosts, config.databasePool);
    const visitorDb = connect(hosts, VISITOR_POOL, {
      name: 'avow sites',
      limits: VISITORS,
      silenceMs: VISITOR_SILENCE,
    });
    const secrets = loadSecrets(config);
    const metrics = createMetrics(() => ingest.waiting);
    const ingest = new Ingest({
      hosts,
      log,
      onGroup: metrics.group,
      onEvents: (webhooks) => dispatcher.wake(webhooks),
      onMissingPartition: () => ensurePartitions(db, clock.date()),
      ...(options.maxWaiting === undefined ? {} : { maxWaiting: options.maxWaiting }),
    });
    const vault = new Vault(secrets.secretsKey, secrets.secretsKeyOthers);
    const resolver = createResolver({ servers: config.dnsServers });
    const webhookRules = {
      allowNetworks: config.webhookAllowNetworks,
      allowHttp: config.webhookAllowHttp,
    };
    const lookupFor = (work: keyof typeof QUESTIONS): Lookup => inTurn(resolver.lookup, QUESTIONS[work]);
    const networkPolicy = createPolicy({ ...webhookRules, lookup: lookupFor('owners') });
    const transport = createTransport(createPolicy({ ...webhookRules, lookup: lookupFor('deliveries') }));
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
      lookup: options.scan?.lookup ?? lookupFor('scans'),
    });
    const scans = new ScanRunner({
      db,
      log,
      policy: scanPolicy,
      chromiumPath: config.chromiumPath,
      publicUrl: () => config.publicUrl ?? `http://localhost:${config.port}`,
      sandbox: config.scanSandbox,
      limits: { memoryMb: config.scanMemoryMb, ...options.scan?.limits },
      engine: options.scan?.engine,
      onScan: metrics.scan,
    });
    const context: Context = {
      program: options.program ?? loadProgram(),
      files: new BundleFiles(visitorDb),
      vendorLists: new VendorLists(visitorDb),
      config,
      log,
      db,
      visitorDb,
      turns: new PublicTurns(Math.ceil(config.databasePool / 2)),
      ownTurns: new TurnsOfEach(Math.max(1, Math.floor(config.databasePool * OF_ONE_GROUP))),
      writeProbe: new WriteProbe(visitorDb, hosts),
      ingest,
      sites: new Sites(visitorDb, log, watchClock(log)),
      tokens: new Tokens(secrets.jwtSecret, secrets.jwtSecretOthers),
      vault,
      dispatcher,
      networkPolicy,
      scans,
      scanPolicy,
      // With its own limit of queries, so that domain checks, scans and deliveries never wait for each other.
      proveDomain: createProver({
        policy: { ...scanPolicy, lookup: options.scan?.lookup ?? lookupFor('proofs') },
        texts: resolver.texts,
      }),
      wake: (webhooks) => dispatcher.wake(webhooks),
      metrics,
      sampled: sampler(config.logSample),
      publicUrl: () => config.publicUrl ?? `http://localhost:${config.port}`,
    };
    return new Service(context, createJobs(context), options);
  }

  /**
   * Migrates, creates what a first run needs, and starts to answer. Resolves with what to tell the operator.
   */
  async start(): Promise<FirstRun> {
    const { config, db, log, metrics } = this.context;
    this.unwatchLoop = watchLoop(metrics.loopDelay);
    if (!config.migrate) return this.startAfterOthers();
    await this.listen();
    await awaitDatabase(db, log);
    // The first reading of the database's clock; nothing is dated before it.
    await databaseTime(db);
    await migrate(db, {
      ...{ version: VERSION, signal: this.ending.signal },
      onWait: (migration, attempt) => {
        this.gate.close(`migration ${migration} waits for a table that is in use`);
        log.warn({ migration, attempt }, 'a migration waits for a table that is in use; retrying');
      },
      onDone: (migration) => log.info({ migration }, 'the database was migrated'),
      onMade: (migrations) => log.info({ migrations }, 'the database was made'),
    });
    await this.presence.begin();
    await checkSecretsKey(db, this.context.vault);
    const firstRun = await prepareFirstRun(this.context);
    this.open();
    return firstRun;
  }

  /**
   * Says that it is not ready, and answers everybody for DRAIN_SECONDS all the same, so that load balancers
   * can notice; not before it was ever ready. The signal ends it early. New deliveries are left to others.
   */
  async drain(hurried: AbortSignal): Promise<void> {
    this.gate.drain();
    this.context.dispatcher.pause();
    if (this.listener === undefined || !this.gate.isOpen) return;
    const milliseconds = this.context.config.drainSeconds * 1000;
    this.drained = await delay(milliseconds, true, { signal: hurried }).catch(() => false);
  }

  /** Takes no new requests, finishes those in flight, stores what was taken, and closes. */
  async destroy(): Promise<void> {
    this.gate.stop();
    this.unwatchLoop();
    const { db, visitorDb, dispatcher, files, ingest, scans, sites, log } = this.context;
    dispatcher.pause();
    await this.listener?.close(this.drained);
    this.ending.abort();
    await Promise.all([this.jobs.stop(), ingest.stop(), dispatcher.stop(), scans.stop(), files.stop()]);
    await sites.stop();
    await Promise.all([
      Promise.race([this.background, delay(BACKGROUND_END, undefined, { ref: false })]),
      this.presence.end(),
    ]);
    await Promise.all([db.destroy(), visitorDb.destroy()]);
    endFailures(log);
    log.flush();
  }

  /** The port that the server listens on. */
  get port(): number {
    return this.context.config.port;
  }

  /** With MIGRATE=off: at once when the database is up to date, else when somebody has brought it there. */
  private async startAfterOthers(): Promise<FirstRun> {
    const isMigrated = await this.gate.isMigrated();
    if (this.gate.refusal !== undefined) throw new Error(this.gate.refusal);
    if (isMigrated) await this.openWithKey();
    await this.listen();
    if (!isMigrated) void this.gate.awaitMigrations(() => this.openWithKey());
    return NOTHING;
  }

  private async openWithKey(): Promise<void> {
    await this.presence.begin();
    await checkSecretsKey(this.context.db, this.context.vault);
    this.open();
  }

  private open(): void {
    this.gate.open();
    const { config, db, log, sites } = this.context;
    sites.start();
    if (config.migrate) this.background = runBackgroundSteps(db, log, this.ending.signal);
    if (config.role === 'api') return;
    this.jobs.start();
    this.context.dispatcher.start();
    if (config.scans !== 'off') this.context.scans.start();
  }

  /** The database went beyond this program while it stood still: it does nothing more, and says why. */
  private withdraw(words: string): void {
    this.gate.close(words);
    this.context.dispatcher.pause();
    void this.jobs.stop();
    this.context.log.error(words);
  }

  private async listen(): Promise<void> {
    const { config } = this.context;
    if (config.role === 'worker' || this.options.listen === false) return;
    this.listener = new Listener(this.context, this.gate, this.options);
    config.port = await this.listener.listen();
  }
}
