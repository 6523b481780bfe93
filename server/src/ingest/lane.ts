import { randomInt } from 'node:crypto';
import { isBlocked, isDataError, isMoved, isUnavailable, translateDatabaseError } from '../db/errors';
import type { Hosts } from '../db/hosts';
import type { WebhookKey } from '../db/models';
import { isAway, NODE_AWAY, outageOf } from '../db/outage';
import { logFailure, tellOnce } from '../observability/failures';
import type { Logger } from '../observability/logger';
import { commitGroup } from './commit-group';
import { Connection } from './connection';
import type { Entry, RecordedEntry } from './entries';
import { GroupQueue, type Results } from './group-queue';
import { type Choice, type Question, readChoices } from './read-choices';
import type { WordMemory } from './words';

/** Entries in one transaction, at most. */
const MAX_GROUP = 500;
/** Entries that may wait, at most: about 10 MB. */
const MAX_WAITING = 5_000;
/** How long an entry may wait for its group, in milliseconds: less than a visitor waits. */
const MAX_AGE = 3_500;
/**
 * After somebody else's lock has stopped a group, the next ones are stored in parts for so long, in
 * milliseconds.
 */
const CAUTION = 10_000;
/** How often a group is retried after a deadlock, a serialisation conflict, or a move to another node. */
const TRIES = 3;
/** Slots over which processes spread their counts. */
const SLOTS = 16;

export interface LaneOptions {
  log: Logger;
  /** Called after each group: how many entries, how many statements. */
  onGroup?(entries: number, statements: number): void;
  /** Creates the partition of the current month if the jobs have not. */
  onMissingPartition(): Promise<void>;
  /** Called after a commit with the webhooks that have something to send. */
  onEvents?(webhooks: WebhookKey[]): void;
  maxWaiting?: number;
  /** Is told of each connection that stores decisions. */
  words?: Pick<WordMemory, 'storedBy'>;
}

/** The way to one server: one queue of writes by group commit, and one of reads. */
export class Lane {
  private readonly slot = randomInt(SLOTS);
  // One connection writes and one reads: the group, not the number of connections, makes it fast.
  private readonly writer: Connection;
  private readonly reader: Connection;
  private readonly writes: GroupQueue<Entry, RecordedEntry>;
  private readonly reads: GroupQueue<Question, Choice | undefined>;
  private cautiousUntil = 0;

  /** @param node its address on a cluster; undefined for the database as a whole */
  constructor(
    hosts: Hosts,
    private readonly options: LaneOptions,
    private readonly node?: string,
  ) {
    const { maxWaiting = MAX_WAITING } = options;
    const onLost = (error: Error): void =>
      this.tell(error, 'a database connection of the visitor path was lost');
    this.writer = new Connection(hosts, 'avow ingest', onLost);
    this.reader = new Connection(hosts, 'avow choices', onLost);
    const bounds = { maxGroup: MAX_GROUP, maxWaiting, maxAge: MAX_AGE };
    this.writes = new GroupQueue({ work: (entries) => this.storeByKind(entries), ...bounds });
    this.reads = new GroupQueue({ work: (questions) => this.read(questions), ...bounds });
  }

  /** Entries that wait to be stored. */
  get waiting(): number {
    return this.writes.length;
  }

  record(entry: Entry): Promise<RecordedEntry> {
    return this.writes.add(entry);
  }

  choice(environmentId: string, sessionId: string): Promise<Choice | undefined> {
    return this.reads.add({ environmentId, sessionId });
  }

  /** Waits for all accepted entries, then closes. */
  async stop(): Promise<void> {
    await Promise.all([this.writes.drained(), this.reads.drained()]);
    await Promise.all([this.writer.close(), this.reader.close()]);
  }

  /**
   * While a table is locked, entries that need it must not block those that do not, so each kind is stored
   * separately. Decisions of one session stay together, because their order matters.
   */
  private async storeByKind(entries: Entry[]): Promise<Results<RecordedEntry>> {
    if (performance.now() > this.cautiousUntil) return this.store(entries);
    const kinds = new Map<string, number[]>();
    const kindOf = kindsBySession(entries);
    for (const [index, entry] of entries.entries()) {
      const kind = kindOf(entry);
      kinds.set(kind, [...(kinds.get(kind) ?? []), index]);
    }
    const results: Results<RecordedEntry> = new Array(entries.length);
    for (const kind of [...kinds.keys()].sort()) {
      const indexes = kinds.get(kind) as number[];
      const stored = await this.store(indexes.map((index) => entries[index] as Entry));
      for (const [n, index] of indexes.entries()) results[index] = stored[n] as RecordedEntry;
    }
    return results;
  }

  /** One bad row must not fail its neighbours: a failing group is halved until the row is alone. */
  private async store(entries: Entry[]): Promise<Results<RecordedEntry>> {
    try {
      return await this.transaction(entries);
    } catch (error) {
      if (isBlocked(error) && this.becomeCautious()) return this.storeByKind(entries);
      if (entries.length === 1 || !canBeOneRow(error)) return entries.map(() => this.translate(error));
      const half = Math.ceil(entries.length / 2);
      const first = await this.store(entries.slice(0, half));
      return [...first, ...(await this.store(entries.slice(half)))];
    }
  }

  /** Whether this is new; then the blocked entries are retried in parts. */
  private becomeCautious(): boolean {
    const now = performance.now();
    const isNew = now > this.cautiousUntil;
    this.cautiousUntil = now + CAUTION;
    return isNew;
  }

  /** Retries what may succeed the second time; the first attempt stored nothing. */
  private async transaction(entries: Entry[], triesLeft = TRIES - 1): Promise<Results<RecordedEntry>> {
    try {
      const results = await this.commit(entries);
      this.announce(entries);
      return results;
    } catch (error) {
      if (triesLeft === 0 || !(isMissingPartition(error) || lostAgainstAnother(error) || isMoved(error)))
        throw error;
      if (isMissingPartition(error)) await this.options.onMissingPartition();
      return this.transaction(entries, triesLeft - 1);
    }
  }

  private async commit(entries: Entry[]): Promise<Results<RecordedEntry>> {
    const cost = { statements: 0 };
    const hasty = performance.now() <= this.cautiousUntil;
    try {
      return await this.writer.use((session) => {
        this.options.words?.storedBy(session);
        return commitGroup(session, entries, this.slot, cost, hasty);
      });
    } finally {
      this.options.onGroup?.(entries.length, cost.statements);
    }
  }

  private announce(entries: readonly Entry[]): void {
    const webhooks = new Map<string, WebhookKey>();
    for (const { outbox } of entries) {
      for (const delivery of outbox?.deliveries ?? []) webhooks.set(delivery.webhook_id, delivery);
    }
    if (webhooks.size > 0) this.options.onEvents?.([...webhooks.values()]);
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
    if (translated !== error) this.tell(error, 'the visitor path could not use the database');
    return translated as Error;
  }

  /** Of a node the operator is told which one, and each for itself. */
  private tell(error: unknown, message: string): void {
    const { options, node } = this;
    if (node === undefined || !isUnavailable(error)) {
      logFailure(options.log, 'warn', { error, ...(node && { node }) }, message);
      return;
    }
    const outage = outageOf(error) ?? NODE_AWAY;
    const advice = isAway(outage) ? 'check that it runs, and that it can be reached from here' : outage.words;
    const words = `the database's node ${node} takes no decisions: ${advice}`;
    const about = { outage: outage.kind, node };
    const fields = { error, ...about, during: message };
    tellOnce(options.log, {
      level: 'error',
      key: `${about.outage}|${node}`,
      fields,
      message: words,
      words,
      about,
    });
  }
}

/** The tables that an entry needs besides the counts. Those that need fewest sort first. */
const tablesOf = ({ decision, outbox, dedupe }: Entry): string =>
  `${decision === undefined ? 0 : 1}${outbox === undefined ? 0 : 1}${dedupe === undefined ? 0 : 1}`;

/** The kind of each entry: of a session's decisions the one that needs the most tables. */
function kindsBySession(entries: readonly Entry[]): (entry: Entry) => string {
  const sessionOf = ({ decision }: Entry): string =>
    decision === undefined ? '' : `${decision.environment_id}|${decision.session_id}`;
  const most = new Map<string, string>();
  for (const entry of entries) {
    const session = sessionOf(entry);
    const kind = tablesOf(entry);
    if (session !== '' && (most.get(session) ?? '') < kind) most.set(session, kind);
  }
  return (entry) => most.get(sessionOf(entry)) ?? tablesOf(entry);
}

interface DatabaseError extends Error {
  code?: string;
  /** Only errors from PostgreSQL itself have one. */
  severity?: string;
}

const isMissingPartition = (error: unknown): boolean => {
  const { code, message } = error as DatabaseError;
  return code === '23514' && /no partition/.test(message);
};

/** A deadlock, which retention or an erasure can cause, or a conflict of serialisation. */
const lostAgainstAnother = (error: unknown): boolean =>
  /^40(P01|001)$/.test((error as DatabaseError).code ?? '');

/**
 * Whether the rest of the group may be good: PostgreSQL refused a value, or our own code could not handle it.
 */
const canBeOneRow = (error: unknown): boolean =>
  isDataError(error) || ((error as DatabaseError).severity === undefined && !isUnavailable(error));
