import { randomInt } from 'node:crypto';
import { isDataError, isUnavailable, translateDatabaseError } from '../db/errors';
import type { Logger } from '../logger';
import { commitGroup } from './commit-group';
import { Connection } from './connection';
import type { Entry, Stored } from './entries';
import { GroupQueue, type Results } from './group-queue';
import { type Choice, type Question, readChoices } from './read-choices';

export type { Choice } from './read-choices';

/** Entries in one transaction, at most. */
const MAX_GROUP = 500;
/** Entries that may wait, at most: about 10 MB. */
const MAX_WAITING = 5_000;
/** How often a group is tried that lost against another transaction. */
const TRIES = 3;
/** Slots over which processes spread their counts. */
const SLOTS = 16;

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
  private readonly slot = randomInt(SLOTS);
  // One connection writes and one reads: the group, not the number of connections, makes it fast.
  private readonly writer: Connection;
  private readonly reader: Connection;
  private readonly writes: GroupQueue<Entry, Stored>;
  private readonly reads: GroupQueue<Question, Choice | undefined>;

  constructor(private readonly options: IngestOptions) {
    const { databaseUrl, log, maxWaiting = MAX_WAITING } = options;
    const onLost = (error: Error): void =>
      log.warn({ error }, 'a database connection of the visitor path was lost');
    this.writer = new Connection(databaseUrl, 'avow ingest', onLost);
    this.reader = new Connection(databaseUrl, 'avow choices', onLost);
    const bounds = { maxGroup: MAX_GROUP, maxWaiting };
    this.writes = new GroupQueue({ work: (entries) => this.store(entries), ...bounds });
    this.reads = new GroupQueue({ work: (questions) => this.read(questions), ...bounds });
  }

  /** Entries that wait to be stored. */
  get waiting(): number {
    return this.writes.length;
  }

  /** Stores an entry; resolves after the commit. Rejects with 503 when too many wait or the database is gone, 409 for a reused key. */
  record(entry: Entry): Promise<Stored> {
    return this.writes.add(entry);
  }

  /** The latest choice of a session; reads that arrive together share a query. Rejects with 503 like `record`. */
  choice(environmentId: string, sessionId: string): Promise<Choice | undefined> {
    return this.reads.add({ environmentId, sessionId });
  }

  /** Waits for everything that was taken, then closes. */
  async stop(): Promise<void> {
    await Promise.all([this.writes.drained(), this.reads.drained()]);
    await Promise.all([this.writer.close(), this.reader.close()]);
  }

  /** One bad row must not fail its neighbours: a group that holds one is halved until the row is alone. */
  private async store(entries: Entry[]): Promise<Results<Stored>> {
    try {
      return await this.transaction(entries);
    } catch (error) {
      if (entries.length === 1 || !canBeOneRow(error)) return entries.map(() => this.translate(error));
      const half = Math.ceil(entries.length / 2);
      const first = await this.store(entries.slice(0, half));
      return [...first, ...(await this.store(entries.slice(half)))];
    }
  }

  /** Tries again what can go well the second time: nothing of the first try was stored. */
  private async transaction(entries: Entry[], triesLeft = TRIES - 1): Promise<Results<Stored>> {
    try {
      const results = await this.commit(entries);
      this.announce(entries);
      return results;
    } catch (error) {
      if (triesLeft === 0 || !(isMissingPartition(error) || lostAgainstAnother(error))) throw error;
      if (isMissingPartition(error)) await this.options.onMissingPartition();
      return this.transaction(entries, triesLeft - 1);
    }
  }

  private async commit(entries: Entry[]): Promise<Results<Stored>> {
    const cost = { statements: 0 };
    try {
      return await this.writer.use((session) => commitGroup(session, entries, this.slot, cost));
    } finally {
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

  private async read(questions: Question[]): Promise<Results<Choice | undefined>> {
    try {
      return await this.reader.use((session) => readChoices(session, questions));
    } catch (error) {
      throw this.translate(error);
    }
  }

  private translate(error: unknown): Error {
    const translated = translateDatabaseError(error);
    if (translated !== error) this.options.log.warn({ error }, 'the visitor path could not use the database');
    return translated as Error;
  }
}

interface DatabaseError extends Error {
  code?: string;
  /** Only what PostgreSQL itself says has one. */
  severity?: string;
}

const isMissingPartition = (error: unknown): boolean => {
  const { code, message } = error as DatabaseError;
  return code === '23514' && /no partition/.test(message);
};

/** A deadlock, which retention or an erasure can cause, or a conflict of serialisation. */
const lostAgainstAnother = (error: unknown): boolean =>
  /^40(P01|001)$/.test((error as DatabaseError).code ?? '');

/** Whether the rest of the group may be good: PostgreSQL refused a value, or our own code could not handle it. */
const canBeOneRow = (error: unknown): boolean =>
  isDataError(error) || ((error as DatabaseError).severity === undefined && !isUnavailable(error));
