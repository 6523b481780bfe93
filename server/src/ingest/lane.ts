import { randomInt } from 'node:crypto';
import { isBlocked, isMoved, lostAgainstAnother, translateDatabaseError } from '../db/errors';
import type { Hosts } from '../db/hosts';
import { VISITORS } from '../db/knex';
import type { WebhookKey } from '../db/models';
import { commitGroup } from './commit-group';
import { Connection } from './connection';
import { redateEvent } from './decision';
import type { Entry, RecordedEntry } from './entries';
import { canBeOneRow, isMissingPartition, isOfOneSite } from './group-errors';
import { type Answers, GroupQueue, type Results } from './group-queue';
import { IN_ROWS } from './key-use';
import { type LaneOptions, MAX_AGE, MAX_GROUP, MAX_WAITING, SHARES } from './lane-options';
import { fromBothEnds, inParts, kindsBySession, partOf, sessionOf } from './parts';
import { type Choice, type Question, readChoices } from './read-choices';
import { tellOfDatabase } from './tell-of-database';

/** How long a group waits for a lock that somebody else holds, in milliseconds, before its parts are tried. */
const GROUP_LOCK = 250;
/** How long those that a lock has stopped are stored apart, and hastily after they have waited in vain, in milliseconds. */
const CAUTION = 10_000;
/** The same for all entries of a kind, because a whole table is locked. */
const TABLE_CAUTION = 1_000;
/** Sites that a lock has stopped, after which no more are tried; when none was stored, a whole table is taken for locked. */
const STRIKES = 10;
/** How often a group is tried that meets a deadlock, a serialisation conflict, or a move to another node. */
const TRIES = 3;
/** Slots over which processes spread their counts. */
const SLOTS = 16;

/** A way to store a group. */
interface Route {
  writer: Connection;
  /** How long it waits for a lock, in milliseconds. */
  lock: number;
  /** Whether it hardly waits for locks. */
  shortWaits: boolean;
  /** What becomes of entries that somebody else's lock stops. */
  blocked(entries: Entry[], error: unknown): Promise<Answers<RecordedEntry>> | Answers<RecordedEntry>;
}

/** Stands for the result of an entry that is not put aside. */
const FREE = new Error('not stored yet');

/** The way to one server: one queue of writes by group commit, and one of reads. */
export class Lane {
  private readonly slot = randomInt(SLOTS);
  // One connection writes and one reads: the group, not the number of connections, makes it fast.
  private readonly writer: Connection;
  private readonly reader: Connection;
  private readonly writes: GroupQueue<Entry, RecordedEntry>;
  private readonly main: Route;
  /** For what a lock has stopped; opened when that happens. */
  private readonly asideWriter: Connection;
  private readonly aside: GroupQueue<Entry, RecordedEntry>;
  /** How many decisions of each session are aside: those that follow must not overtake them. */
  private readonly sessionsAside = new Map<string, number>();
  /** Until when kinds of entries, or those of a site, are put aside, by the monotonic clock. */
  private readonly held = new Map<string, number>();
  private readonly reads: GroupQueue<Question, Choice | undefined>;
  private cautiousUntil = 0;
  /** Whether a statement is of one site, as a cluster asks for. */
  private bySite: boolean;

  /** @param node its address on a cluster; undefined for the database as a whole */
  constructor(
    hosts: Hosts,
    private readonly options: LaneOptions,
    private readonly node?: string,
  ) {
    this.bySite = node !== undefined;
    const { maxWaiting = MAX_WAITING } = options;
    const onLost = (error: Error): void =>
      this.tell(error, 'a database connection of the visitor path was lost');
    this.writer = new Connection(hosts, 'avow ingest', onLost, { ...VISITORS, lock: GROUP_LOCK });
    this.asideWriter = new Connection(hosts, 'avow ingest aside', onLost);
    this.main = {
      writer: this.writer,
      lock: GROUP_LOCK,
      shortWaits: false,
      blocked: (entries) => this.storeInParts(entries),
    };
    this.reader = new Connection(hosts, 'avow choices', onLost);
    const bounds = { maxGroup: MAX_GROUP, maxWaiting, maxAge: MAX_AGE };
    const ofEntries = { ...bounds, shares: SHARES };
    this.writes = new GroupQueue({ work: (entries) => this.storeFree(entries), ...ofEntries });
    this.aside = new GroupQueue({ work: (entries) => this.storeAside(entries), ...ofEntries });
    this.reads = new GroupQueue({ work: (questions) => this.read(questions), ...bounds });
  }

  /** Entries that wait to be stored. */
  get waiting(): number {
    return this.writes.length + this.aside.length;
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
    await this.aside.drained();
    await Promise.all([this.writer.close(), this.asideWriter.close(), this.reader.close()]);
  }

  /** What somebody else's lock has stopped waits in a queue of its own, and the others do not wait for it. */
  private async storeFree(entries: Entry[]): Promise<Answers<RecordedEntry>> {
    const now = performance.now();
    for (const [name, until] of this.held) if (until < now) this.held.delete(name);
    if (this.held.size + this.sessionsAside.size === 0) return this.store(entries, this.main);
    const kindOf = kindsBySession(entries);
    const isHeld = (entry: Entry): boolean =>
      this.held.has(kindOf(entry)) ||
      this.held.has(partOf(entry, kindOf(entry))) ||
      this.sessionsAside.has(sessionOf(entry));
    const results: Answers<RecordedEntry> = entries.map((entry) =>
      isHeld(entry) ? this.putAside(entry) : FREE,
    );
    const free = entries.filter((_, index) => results[index] === FREE);
    const stored = free.length === 0 ? [] : await this.store(free, this.main);
    return results.map((result) => (result === FREE ? (stored.shift() as RecordedEntry) : result));
  }

  /**
   * A lock has stopped a group. Of a table it stops those that need the table, of a row those of one site: the kinds
   * are tried, then of a kind that is stopped the sites. Decisions of one session stay together, because their order
   * matters.
   */
  private storeInParts(entries: Entry[]): Promise<Answers<RecordedEntry>> {
    const kindOf = kindsBySession(entries);
    return inParts(entries, kindOf, (part, kind) =>
      this.store(part, { ...this.main, shortWaits: true, blocked: (some) => this.storeBySite(some, kind) }),
    );
  }

  private storeBySite(entries: Entry[], kind: string): Promise<Answers<RecordedEntry>> {
    let stopped = 0;
    let stored = 0;
    const hold = (some: Entry[], name: string, time: number): Answers<RecordedEntry> => {
      this.held.set(name, performance.now() + time);
      return some.map((entry) => this.putAside(entry));
    };
    return inParts(
      entries,
      (entry) => partOf(entry, kind),
      async (part, name) => {
        // Each try is a wait of everybody.
        if (stopped >= STRIKES) return hold(part, stored === 0 ? kind : name, TABLE_CAUTION);
        const before = stopped;
        const blocked = (some: Entry[]): Answers<RecordedEntry> => {
          stopped += 1;
          return hold(some, name, CAUTION);
        };
        const results = await this.store(part, { ...this.main, shortWaits: true, blocked });
        if (stopped === before) stored += 1;
        return results;
      },
      fromBothEnds,
    );
  }

  /** The answer comes after that of the group. */
  private putAside(entry: Entry): Promise<RecordedEntry> | Error {
    try {
      const answer = this.aside.add(entry, entry.arrivedAt);
      const session = sessionOf(entry);
      if (session !== '') this.sessionsAside.set(session, (this.sessionsAside.get(session) ?? 0) + 1);
      const leave = (): void => {
        const left = (this.sessionsAside.get(session) ?? 0) - 1;
        if (left > 0) this.sessionsAside.set(session, left);
        else this.sessionsAside.delete(session);
      };
      // Whoever asked is told of a failure; the group may still be busy.
      answer.then(leave, leave);
      return answer;
    } catch (error) {
      return error as Error;
    }
  }

  /** Waits for locks, but after one has not come for a while no longer: each site and kind by itself. */
  private storeAside(entries: Entry[]): Promise<Answers<RecordedEntry>> {
    const kindOf = kindsBySession(entries);
    const late = performance.now() + MAX_AGE;
    let stopped: unknown;
    return inParts(
      entries,
      (entry) => partOf(entry, kindOf(entry)),
      async (part, name) => {
        // Otherwise hundreds of sites, each tried for a moment, would keep their visitors waiting for a minute.
        if (stopped !== undefined && performance.now() > late) return part.map(() => this.translate(stopped));
        return this.store(part, {
          writer: this.asideWriter,
          lock: VISITORS.lock,
          shortWaits: performance.now() <= this.cautiousUntil,
          blocked: (some, error) => {
            stopped = error;
            this.cautiousUntil = performance.now() + CAUTION;
            this.held.set(name, this.cautiousUntil);
            return some.map(() => this.translate(error));
          },
        });
      },
    );
  }

  /** One bad row must not fail its neighbours: a failing group is halved until the row is alone. */
  private async store(entries: Entry[], route: Route): Promise<Answers<RecordedEntry>> {
    try {
      return await this.transaction(entries, route);
    } catch (error) {
      if (isBlocked(error)) return route.blocked(entries, error);
      if (entries.length === 1 || !canBeOneRow(error)) return entries.map(() => this.translate(error));
      const half = Math.ceil(entries.length / 2);
      const first = await this.store(entries.slice(0, half), route);
      return [...first, ...(await this.store(entries.slice(half), route))];
    }
  }

  /** Retries what may succeed the second time; the first attempt stored nothing. */
  private async transaction(
    entries: Entry[],
    route: Route,
    triesLeft = TRIES - 1,
  ): Promise<Results<RecordedEntry>> {
    try {
      const results = await this.commit(entries, route);
      this.announce(entries);
      return results;
    } catch (error) {
      if (!this.isWorthAnother(error) || triesLeft === 0) throw error;
      if (isMissingPartition(error)) await this.options.onMissingPartition();
      return this.transaction(entries, route, triesLeft - 1);
    }
  }

  private isWorthAnother(error: unknown): boolean {
    if (isMissingPartition(error) || lostAgainstAnother(error) || isMoved(error)) return true;
    if (this.bySite || !isOfOneSite(error)) return false;
    // The database became a cluster, and the sites do not say so yet.
    this.bySite = true;
    return true;
  }

  private async commit(
    entries: Entry[],
    { writer, lock, shortWaits }: Route,
  ): Promise<Results<RecordedEntry>> {
    const cost = { statements: 0 };
    try {
      return await writer.use((session) => {
        this.options.words?.storedBy(session);
        for (const entry of entries) redateEvent(entry);
        return commitGroup(session, entries, this.slot, cost, {
          shortWaits,
          lock,
          use: this.options.keys?.use ?? IN_ROWS,
          bySite: this.bySite,
          groupKey: this.options.groupKey(),
        });
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

  private tell(error: unknown, message: string): void {
    tellOfDatabase(this.options.log, this.node, error, message);
  }
}
