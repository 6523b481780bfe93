import type { Knex } from 'knex';
import { isBlocked, isUnavailable, nativeError, QUERY_CANCELLED } from '../db/errors';
import { Memory } from '../domain/memory';
import { readSubscribers } from '../events/subscribers';
import { logFailure } from '../observability/failures';
import type { Logger } from '../observability/logger';
import { type Forgotten, Reads } from './forgotten';
import { type Answers, GroupQueue, type Shares } from './group-queue';
import { Nodes } from './nodes';
import { type Changes, readChanges } from './read-changes';
import { isLarge, readLightSites, readSites } from './read-sites';
import { ShownVersions } from './shown';
import { makerOf, type Site, type SiteRow, toSite } from './site';

/**
 * How often changed environments are looked for, in milliseconds: a change takes effect everywhere within 2
 * s.
 */
const REFRESH = 1_000;
/** How long the cache is used without a refresh, in milliseconds. */
const TRUST = 2_000;
/** How long a refresh may wait for somebody else's lock, in milliseconds. */
const LOCK_WAIT = 300;
/** How long it may wait for a node of a cluster that does not answer, in milliseconds. */
const NODE_WAIT = 1_000;
/** Bytes of sites cached by a process: about ten thousand ordinary ones. */
const MEMORY = 64 * 2 ** 20;
const MAX_UNKNOWN = 10_000;
/** Tokens that are looked up by one query, and that may wait for the next one. */
const LOOK_UP = { maxGroup: 100, maxWaiting: 5_000 };
/** The same of sites with large settings. */
const LARGE_LOOK_UP = { maxGroup: 10, maxWaiting: 1_000 };

interface Large {
  token: string;
  maker: string;
}

/** Their makers take turns. */
const SHARES: Shares<Large> = {
  of: ({ maker }) => ({ sender: maker, weight: 1, yields: false }),
  maxGroupWeight: Number.POSITIVE_INFINITY,
  maxWaitingWeight: Number.POSITIVE_INFINITY,
};

interface LookedUp {
  found: Map<string, Site | Error | undefined>;
  large: Large[];
}

/** Environments by token, kept in memory and refreshed by one query a second, however many there are. */
export class Sites {
  /** What visitors were asked by sites' earlier settings. */
  readonly versions: ShownVersions;
  private readonly known: Memory<Site>;
  /** In groups, so that a flood of guessed tokens takes one connection and not all of them. */
  private readonly lookUps = new GroupQueue({ work: (tokens: string[]) => this.load(tokens), ...LOOK_UP });
  /** What these found to be large waits by itself: nobody else's site waits for it. */
  private readonly largeLookUps = new GroupQueue({
    work: (sites: Large[]) => this.loadLarge(sites),
    ...LARGE_LOOK_UP,
    shares: SHARES,
  });
  /** Tokens that do not exist, so that guessing costs the database nothing. Forgotten at each refresh. */
  private unknown = new Set<string>();
  /** What look-ups and refreshes read at present. */
  private readonly reads = new Reads();
  /** By the monotonic clock. */
  private refreshedAt = Number.NEGATIVE_INFINITY;
  /** The time of the last refresh; undefined before the first. */
  private seen: Changes | undefined;
  private refreshing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly knex: Knex,
    private readonly log: Logger,
    /** Called after each refresh, which also sets the clock. */
    private readonly onRefresh: () => void = () => undefined,
    most = MEMORY,
    /** Read with the changes, when the database is a cluster. */
    private readonly nodes = new Nodes(),
  ) {
    this.known = new Memory(most);
    this.versions = new ShownVersions(knex, nodes);
  }

  start(): void {
    this.schedule(0);
  }

  /** Waits for the refresh in progress, which needs the database. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.refreshing;
  }

  private schedule(delay: number): void {
    this.timer = setTimeout(() => {
      this.refreshing = this.refresh();
    }, delay).unref();
  }

  /** The environment, without waiting, when it is known and fresh. */
  peek(token: string): Site | undefined {
    return performance.now() - this.refreshedAt <= TRUST ? this.known.get(token) : undefined;
  }

  /** The environment as last known, however old: for answers that must work while the database is down. */
  lastKnown(token: string): Site | undefined {
    return this.known.get(token);
  }

  /** The environment, or undefined when there is none. */
  async find(token: string): Promise<Site | undefined> {
    const fresh = performance.now() - this.refreshedAt <= TRUST;
    if (fresh && this.known.has(token)) return this.known.get(token);
    if (fresh && this.unknown.has(token)) return undefined;
    return this.lookUps.add(token);
  }

  /** This process changed an environment: it is read anew. */
  forget(token: string): void {
    this.reads.forget(token);
    this.unknown.delete(token);
    this.known.delete(token);
  }

  /** Keeps an environment as it is now. */
  private put(site: Site): void {
    this.unknown.delete(site.token);
    // The database was set back: its later versions will be others.
    if ((this.known.get(site.token)?.settingsVersion ?? 0) > site.settingsVersion) this.versions.forgetAll();
    this.known.set(site.token, site);
    this.versions.keep(site);
  }

  private async load(tokens: string[]): Promise<Answers<Site | undefined>> {
    const { found, large } = await this.lookUp(tokens, readLightSites);
    const later = new Map(large.map((one) => [one.token, this.largeLookUps.add(one)]));
    return tokens.map((token) => later.get(token) ?? found.get(token));
  }

  private async loadLarge(sites: Large[]): Promise<Answers<Site | undefined>> {
    const tokens = sites.map(({ token }) => token);
    const { found } = await this.lookUp(tokens, readSites);
    return tokens.map((token) => found.get(token));
  }

  /** What is there of these tokens: sites, which are kept, and those that are too large to be read along with others. */
  private lookUp(tokens: string[], read: typeof readLightSites): Promise<LookedUp> {
    return this.reads.during(async (forgotten) => {
      const found: LookedUp['found'] = new Map();
      for (const token of tokens) {
        // The group before this one may have read it.
        const site = this.peek(token);
        if (site !== undefined) found.set(token, site);
      }
      const wanted = [...new Set(tokens)].filter((token) => !found.has(token));
      if (wanted.length === 0) return { found, large: [] };
      const rows = await read(this.knex, wanted, this.nodes.areKnown);
      const large = rows.filter(isLarge).map((row) => ({ token: row.token, maker: makerOf(row) }));
      const whole = rows.filter((row): row is SiteRow => !isLarge(row));
      // A node that does not answer concerns its own sites only.
      await Promise.all(
        this.nodes.parted(whole).map(async (part) => {
          const sites = await this.withWebhooks(part).catch((error: Error) => error);
          if (sites instanceof Error) for (const { token } of part) found.set(token, sites);
          else for (const site of sites) found.set(site.token, site);
        }),
      );
      const isThere = new Set(large.map(({ token }) => token));
      this.keep(
        wanted.filter((token) => !isThere.has(token)),
        found,
        forgotten,
      );
      return { found, large };
    });
  }

  /** What was forgotten while it was read may be stale. */
  private keep(tokens: string[], found: LookedUp['found'], forgotten: Forgotten): void {
    for (const token of tokens) {
      const site = found.get(token);
      if (site instanceof Error || forgotten.has(token)) continue;
      if (site !== undefined) this.put(site);
      else if (this.unknown.size < MAX_UNKNOWN) this.unknown.add(token);
    }
  }

  /**
   * All sites wait for this refresh; while the webhooks table is locked or a node does not answer, changed sites are
   * left to individual look-ups.
   */
  private async withWebhooksSoon(rows: SiteRow[]): Promise<Site[]> {
    try {
      return await this.knex.transaction(async (trx) => {
        await trx.raw(`SET LOCAL lock_timeout = ${LOCK_WAIT}`);
        if (this.nodes.areKnown) await trx.raw(`SET LOCAL statement_timeout = ${NODE_WAIT}`);
        return this.withWebhooks(rows, trx);
      });
    } catch (error) {
      if (!isBlocked(error) && !(this.nodes.areKnown && isSilence(error))) throw error;
      for (const { token } of rows) this.forget(token);
      return [];
    }
  }

  private async withWebhooks(rows: SiteRow[], knex: Knex = this.knex): Promise<Site[]> {
    if (rows.length === 0) return [];
    const webhooks = await readSubscribers(
      knex,
      rows.map(({ id }) => id),
    );
    const byEnvironment = new Map<string, typeof webhooks>();
    for (const webhook of webhooks) {
      const own = byEnvironment.get(webhook.environment_id);
      if (own === undefined) byEnvironment.set(webhook.environment_id, [webhook]);
      else own.push(webhook);
    }
    return rows.map((row) => toSite(row, byEnvironment.get(row.id) ?? []));
  }

  private async refresh(): Promise<void> {
    const startedAt = performance.now();
    try {
      const changes = await readChanges(this.knex, this.seen?.horizon ?? '0');
      const isAnotherKind = await this.nodes.refresh(this.knex, changes.cluster);
      if (!isAnotherKind && follows(changes, this.seen)) await this.readAgain(changes.tokens);
      else this.forgetAll();
      this.seen = changes;
      this.unknown = new Set();
      this.refreshedAt = startedAt;
    } catch (error) {
      logFailure(
        this.log,
        'warn',
        { error },
        'changed environments could not be read; they are read again for each request',
      );
    }
    this.onRefresh();
    if (this.timer !== undefined) this.schedule(REFRESH);
  }

  private async readAgain(tokens: readonly string[]): Promise<void> {
    // A look-up in flight may have read a site before it changed, so it must not be cached.
    for (const token of tokens) this.reads.forget(token);
    const changed = tokens.filter((token) => this.known.has(token));
    if (changed.length === 0) return;
    await this.reads.during(async (forgotten) => {
      const parts = this.nodes.parted(await readSites(this.knex, changed, this.nodes.areKnown));
      for (const sites of await Promise.all(parts.map((part) => this.withWebhooksSoon(part)))) {
        for (const site of sites)
          if (this.known.has(site.token) && !forgotten.has(site.token)) this.put(site);
      }
    });
  }

  /** Cached sites can no longer be compared with the database. */
  private forgetAll(): void {
    this.reads.forgetAll();
    this.known.clear();
    this.versions.forgetAll();
  }
}

/** Whether a node did not answer, or not in time. */
const isSilence = (error: unknown): boolean =>
  isUnavailable(error) || (nativeError(error) as { code?: string }).code === QUERY_CANCELLED;

/** Whether this is the same server, and its transactions continued from the last horizon. */
const follows = (changes: Changes, seen: Changes | undefined): boolean =>
  seen?.server === changes.server && BigInt(changes.horizon) >= BigInt(seen.horizon);
