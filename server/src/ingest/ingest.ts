import { randomInt } from 'node:crypto';
import pg from 'pg';
import { isDataError, isUnavailable, translateDatabaseError } from '../db/errors';
import { connectionSettings } from '../db/knex';
import type { CategoryChoices, Decision } from '../domain/types';
import type { Logger } from '../logger';
import { commitGroup } from './commit-group';
import type { Entry, Stored } from './entries';
import { GroupQueue, type Results } from './group-queue';
import { READ_CHOICES } from './statements';

/** Entries in one transaction, at most. */
const MAX_GROUP = 500;
/** Entries that may wait, at most: about 10 MB. */
const MAX_WAITING = 5_000;
/** Slots over which processes spread their counts. */
const SLOTS = 16;

/** The latest choice of a session. */
export interface Choice {
  session_id: string;
  decision: Decision;
  categories: CategoryChoices;
  policy_version: string;
  recorded_at: Date;
  expires_at: Date;
}

export interface IngestOptions {
  databaseUrl: string;
  log: Logger;
  /** Called after each group: how many entries, how many statements. */
  onGroup?(entries: number, statements: number): void;
  /** Makes the partition for the present month, when the jobs did not. */
  onMissingPartition(): Promise<void>;
  /** Called after a commit with the webhooks that have something to send. */
  onEvents?(webhookIds: string[]): void;
  maxWaiting?: number;
}

/** The visitor write path: decisions and counts by group commit, and the reading of choices in groups. */
export class Ingest {
  private readonly pool: pg.Pool;
  private readonly slot = randomInt(SLOTS);
  private readonly writes: GroupQueue<Entry, Stored>;
  private readonly reads = new Map<string, GroupQueue<string, Choice | undefined>>();

  constructor(private readonly options: IngestOptions) {
    const maxWaiting = options.maxWaiting ?? MAX_WAITING;
    // One connection writes, two read: the group, not the number of connections, makes it fast.
    this.pool = new pg.Pool({ ...connectionSettings(options.databaseUrl, 'avow ingest'), max: 3 });
    this.pool.on('error', (error) =>
      options.log.warn({ error }, 'a database connection of the visitor path was lost'),
    );
    this.writes = new GroupQueue({ work: (entries) => this.store(entries), maxGroup: MAX_GROUP, maxWaiting });
  }

  /** Entries that wait to be stored. */
  get waiting(): number {
    return this.writes.length;
  }

  /** Stores an entry; resolves after the commit. Rejects with 503 when too many wait or the database is gone, 409 for a reused key. */
  record(entry: Entry): Promise<Stored> {
    return this.writes.add(entry);
  }

  /** The latest choice of a session; reads that arrive together share a query. */
  choice(environmentId: string, sessionId: string): Promise<Choice | undefined> {
    let queue = this.reads.get(environmentId);
    if (queue === undefined) {
      queue = new GroupQueue({
        work: (sessions) => this.readChoices(environmentId, sessions),
        maxGroup: MAX_GROUP,
        maxWaiting: this.options.maxWaiting ?? MAX_WAITING,
      });
      this.reads.set(environmentId, queue);
      void this.forgetWhenIdle(environmentId, queue);
    }
    return queue.add(sessionId);
  }

  /** Waits for everything that was taken, then closes. */
  async stop(): Promise<void> {
    await Promise.all([this.writes.drained(), ...[...this.reads.values()].map((queue) => queue.drained())]);
    await this.pool.end();
  }

  private async forgetWhenIdle(
    environmentId: string,
    queue: GroupQueue<string, Choice | undefined>,
  ): Promise<void> {
    await new Promise(setImmediate);
    await queue.drained();
    if (this.reads.get(environmentId) === queue) this.reads.delete(environmentId);
  }

  private async store(entries: Entry[]): Promise<Results<Stored>> {
    try {
      return await this.transaction(entries);
    } catch (error) {
      if (isMissingPartition(error)) {
        await this.options.onMissingPartition();
        return this.oneByOne(entries);
      }
      if (isDataError(error)) return this.oneByOne(entries);
      throw this.translate(error);
    }
  }

  /** One bad row must not fail its neighbours: each gets a transaction of its own. */
  private async oneByOne(entries: Entry[]): Promise<Results<Stored>> {
    const results: Results<Stored> = [];
    for (const entry of entries) {
      try {
        results.push(...(await this.transaction([entry])));
      } catch (error) {
        results.push(this.translate(error) as Error);
      }
    }
    return results;
  }

  private async transaction(entries: Entry[]): Promise<Results<Stored>> {
    const client = await this.pool.connect();
    const cost = { statements: 0 };
    let failure: Error | undefined;
    try {
      const results = await commitGroup(client, entries, this.slot, cost);
      this.announce(entries);
      return results;
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      // A connection that broke is thrown away; one whose statement was refused is fine after the rollback.
      client.release(failure !== undefined && isUnavailable(failure) ? failure : undefined);
      this.options.onGroup?.(entries.length, cost.statements);
    }
  }

  private announce(entries: readonly Entry[]): void {
    const webhooks = new Set<string>();
    for (const { outbox } of entries) {
      for (const { webhook_id } of outbox?.deliveries ?? []) webhooks.add(webhook_id);
    }
    if (webhooks.size > 0) this.options.onEvents?.([...webhooks]);
  }

  private async readChoices(environmentId: string, sessions: string[]): Promise<Results<Choice | undefined>> {
    try {
      const { rows } = await this.pool.query<Choice>({
        ...READ_CHOICES,
        values: [environmentId, [...new Set(sessions)]],
      });
      const bySession = new Map(rows.map((row) => [row.session_id, row]));
      return sessions.map((session) => bySession.get(session));
    } catch (error) {
      throw this.translate(error);
    }
  }

  private translate(error: unknown): unknown {
    const translated = translateDatabaseError(error);
    if (translated !== error) this.options.log.warn({ error }, 'the visitor path could not use the database');
    return translated;
  }
}

const isMissingPartition = (error: unknown): boolean =>
  (error as { code?: string }).code === '23514' && /no partition/.test((error as Error).message);
