import type { Embedded } from '../../server/src/db/embedded';
import { Avow } from './avow';
import { Child } from './child';
import { type Database, makeDatabase, startPostgres } from './database';
import { consents, type Kind, KNOWN_SESSIONS } from './kinds';
import { Ledger } from './ledger';
import type { Answers, Job } from './load';

/** Sites of each database. */
const SITES = 16;

/** How long to send: one of the two. */
export type Extent = { seconds: number } | { count: number };

/** An Avow with a database of its own. */
export interface Host {
  avow: Avow;
  database: Database;
  ledger: Ledger;
  /** Requests so far, which give the next one its number. */
  asked: number;
}

/** Everything that runs during the benchmark; `stop` ends whatever was started. */
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

  /** Ends everything, the last first; what is still being started is ended as soon as it is there. */
  async stop(): Promise<void> {
    this.stopped = true;
    for (const end of this.ends.splice(0).reverse()) await end();
  }

  private async atEnd(end: () => Promise<void>): Promise<void> {
    if (!this.stopped) this.ends.push(end);
    else {
      await end();
      throw new Error('the benchmark was stopped');
    }
  }

  async database(name: string): Promise<Database> {
    const database = await makeDatabase(this.embedded, name, SITES);
    await this.atEnd(() => database.close());
    return database;
  }

  /** The database of the references. */
  reference(): Promise<Database> {
    this.referenceDatabase ??= this.database('avow_reference');
    return this.referenceDatabase;
  }

  async child(name: string, ...args: string[]): Promise<Child> {
    const child = await Child.start(name, ...args);
    await this.atEnd(() => child.stop());
    return child;
  }

  /** A server with a database of that name, whose first sessions have a decision and whose code is warm. */
  async host(name: string, settings: Record<string, string> = {}, kind = consents): Promise<Host> {
    const database = await this.database(name);
    const avow = await Avow.start(database.url, settings);
    await this.atEnd(() => avow.stop());
    const host = { avow, database, ledger: new Ledger(database), asked: 0 };
    await this.ask(host, kind, 64, { count: KNOWN_SESSIONS });
    return host;
  }

  /** Sends requests of a kind to Avow and enters the answers into the ledger. */
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

  /** Has the generator do a job; every answer must be a success. */
  async send(job: Job): Promise<Answers> {
    const answers = await this.load.call<Answers>(job);
    if (Object.keys(answers.byStatus).some((status) => !status.startsWith('2'))) {
      throw new Error(`not every answer is a success: ${JSON.stringify(answers.byStatus)}`);
    }
    return answers;
  }
}
