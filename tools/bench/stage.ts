import type { Embedded } from '../../server/src/db/embedded';
import { Avow } from './avow';
import { Child, type Starting } from './child';
import { type Database, makeDatabase, startPostgres } from './database';
import { consents, type Kind, KNOWN_SESSIONS } from './kinds';
import { Ledger } from './ledger';
import type { Answers, Job } from './load';

/** The number of sites in each database. */
const SITES = 16;

/** How long to send: for a time, or up to a number of requests. */
export type Extent = { seconds: number } | { count: number };

/** A server with a database of its own. */
export interface Host {
  avow: Avow;
  database: Database;
  ledger: Ledger;
  /** The number of requests so far, which is the number of the next one. */
  asked: number;
}

/** Everything that runs during the benchmark; `stop` ends all of it. */
export class Stage {
  private readonly ends: (() => Promise<void>)[] = [];
  private stopped = false;
  private referenceDatabase: Promise<Database> | undefined;

  private constructor(
    readonly embedded: Embedded,
    private readonly load: Child,
  ) {
    this.ends.push(
      () => embedded.stop(),
      () => load.stop(),
    );
  }

  static async start(): Promise<Stage> {
    const load = await Child.start('load');
    try {
      return new Stage(await startPostgres(), load);
    } catch (error) {
      await load.stop();
      throw error;
    }
  }

  /** Ends everything in reverse order. What is still starting is ended as soon as it has started. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const end of this.ends.splice(0).reverse()) await end();
  }

  /** Has something ended when the benchmark ends, before what was started earlier. */
  async atEnd(end: () => Promise<void>): Promise<void> {
    if (!this.stopped) this.ends.push(end);
    else {
      await end();
      throw new Error('The benchmark was stopped');
    }
  }

  async database(name: string): Promise<Database> {
    const database = await makeDatabase(this.embedded, name, SITES);
    await this.atEnd(() => database.close());
    return database;
  }

  /** The database that the references share. */
  reference(): Promise<Database> {
    this.referenceDatabase ??= this.database('avow_reference');
    return this.referenceDatabase;
  }

  async child(name: string, starting: Starting = {}): Promise<Child> {
    const child = await Child.start(name, starting);
    await this.atEnd(() => child.stop());
    return child;
  }

  /**
   * Starts a server with a database of this name, stores a decision for its first sessions, and so warms up
   * its code.
   */
  async host(name: string, settings: Record<string, string> = {}, kind = consents): Promise<Host> {
    return this.hostOf(await this.database(name), settings, kind, KNOWN_SESSIONS);
  }

  /** The same with a database that is there, and so many decisions. */
  async hostOf(
    database: Database,
    settings: Record<string, string>,
    kind: Kind,
    sessions: number,
  ): Promise<Host> {
    const avow = await Avow.start(database.url, settings);
    await this.atEnd(() => avow.stop());
    const host = { avow, database, ledger: new Ledger(database), asked: 0 };
    await this.ask(host, kind, 64, { count: sessions });
    return host;
  }

  /** Sends requests of a kind to Avow and counts the answers in the ledger. */
  async ask(host: Host, kind: Kind, connections: number, extent: Extent): Promise<Answers> {
    const templates = kind.templates(host.database.tokens);
    const answers = await this.send({
      port: host.avow.port,
      connections,
      templates,
      ...(kind.cycle === undefined ? { first: host.asked } : { first: 0, cycle: kind.cycle }),
      ...extent,
    });
    if (kind.cycle === undefined) host.asked += answers.answers;
    host.ledger.add(kind.promises, answers.answers);
    return answers;
  }

  /** Runs a job on the load generator. Throws if an answer is not a success. */
  async send(job: Job): Promise<Answers> {
    const answers = await this.load.call<Answers>(job);
    if (Object.keys(answers.byStatus).some((status) => !status.startsWith('2'))) {
      throw new Error(`Some answers are not successful: ${JSON.stringify(answers.byStatus)}`);
    }
    return answers;
  }
}
