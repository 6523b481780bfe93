import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from './config';
import { VERSION } from './config/version';
import type { Context } from './context';
import { type ContextOptions, createContext } from './create-context';
import { databaseTime } from './db/clock';
import { migrate } from './db/migrate';
import { createJobs } from './jobs';
import type { Scheduler } from './jobs/scheduler';
import { openGroupKey } from './ledger/group-secret';
import { endFailures } from './observability/failures';
import { watchLoop } from './observability/loop-delay';
import { awaitDatabase } from './runtime/await-database';
import { runBackgroundSteps } from './runtime/background-steps';
import { type FirstRun, prepareFirstRun } from './runtime/first-run';
import { Gate } from './runtime/gate';
import { Listener, type ListenerOptions } from './runtime/listener';
import { Presence } from './runtime/presence';
import { checkSecretsKey } from './services/canary';

const NOTHING: FirstRun = { setupCode: undefined, demoToken: undefined };

/** How long a stop waits until a background step has been broken off, in milliseconds. */
const BACKGROUND_END = 3_000;

/** What tests and tools may set besides the configuration. */
export interface ServiceOptions extends ContextOptions, ListenerOptions {
  /** Off: answers nothing, because other processes do. */
  listen?: boolean;
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
    const context = createContext(config, options);
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
    await openGroupKey(db, this.context.vault);
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
    this.context.mailSender.pause();
    if (this.listener === undefined || !this.gate.isOpen) return;
    const milliseconds = this.context.config.drainSeconds * 1000;
    this.drained = await delay(milliseconds, true, { signal: hurried }).catch(() => false);
  }

  /** Takes no new requests, finishes those in flight, stores what was taken, and closes. */
  async destroy(): Promise<void> {
    this.gate.stop();
    this.unwatchLoop();
    const { db, visitorDb, dispatcher, files, ingest, mailSender, scans, sites, log } = this.context;
    dispatcher.pause();
    mailSender.pause();
    await this.listener?.close(this.drained);
    this.ending.abort();
    await Promise.all([this.jobs.stop(), ingest.stop(), dispatcher.stop(), scans.stop(), files.stop()]);
    await mailSender.stop();
    await Promise.all([sites.stop(), this.context.words.stop(), this.context.keys.stop()]);
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
    await openGroupKey(this.context.db, this.context.vault);
    this.open();
  }

  private open(): void {
    this.gate.open();
    const { config, db, log, sites, words, keys } = this.context;
    sites.start();
    words.start();
    keys.start();
    if (config.migrate) this.background = runBackgroundSteps(db, log, this.ending.signal);
    if (config.role === 'api') return;
    this.jobs.start();
    this.context.dispatcher.start();
    this.context.mailSender.start();
    if (config.scans !== 'off') this.context.scans.start();
  }

  /** The database went beyond this program while it stood still: it does nothing more, and says why. */
  private withdraw(words: string): void {
    this.gate.close(words);
    this.context.dispatcher.pause();
    this.context.mailSender.pause();
    void this.jobs.stop();
    void this.context.scans.stop();
    this.context.log.error(words);
  }

  private async listen(): Promise<void> {
    const { config } = this.context;
    if (config.role === 'worker' || this.options.listen === false) return;
    this.listener = new Listener(this.context, this.gate, this.options);
    config.port = await this.listener.listen();
  }
}
