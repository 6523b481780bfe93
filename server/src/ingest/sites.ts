import type { Knex } from 'knex';
import { EnvironmentRow, WebhookRow } from '../db/models';
import type { Logger } from '../logger';
import { GroupQueue } from './group-queue';
import { type Site, toSite } from './site';

/** How often changed environments are looked for, in milliseconds: a change takes effect everywhere within 2 s. */
const REFRESH = 1_000;
/** A cache that could not be refreshed for so long is not trusted any more, in milliseconds. */
const TRUST = 2_000;
/** How far a refresh looks back, in seconds: a transaction may commit later than its `updated_at` says. */
const OVERLAP = 60;
const MAX_SITES = 10_000;
const MAX_UNKNOWN = 10_000;
/** Tokens that are looked up by one query, and that may wait for the next one. */
const LOOK_UP = { maxGroup: 500, maxWaiting: 5_000 };

/** Environments by token, kept in memory and refreshed by one query a second, however many there are. */
export class Sites {
  private readonly known = new Map<string, Site>();
  /** In groups, so that a flood of guessed tokens takes one connection and not all of them. */
  private readonly lookUps = new GroupQueue({ work: (tokens: string[]) => this.load(tokens), ...LOOK_UP });
  /** Tokens that do not exist, so that guessing costs the database nothing. Forgotten at each refresh. */
  private unknown = new Set<string>();
  /** How often something was forgotten. */
  private forgotten = 0;
  private refreshedAt = 0;
  /** What was forgotten since the refresh in progress began: what that one has read may be too old to keep. */
  private readonly forgottenMeanwhile = new Set<string>();
  private refreshing: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly knex: Knex,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.refreshedAt = Date.now();
    this.schedule();
  }

  /** Waits for the refresh in progress, which needs the database. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.refreshing;
  }

  private schedule(): void {
    this.timer = setTimeout(() => {
      this.refreshing = this.refresh();
    }, REFRESH).unref();
  }

  /** The environment, without waiting, when it is known and fresh. */
  peek(token: string): Site | undefined {
    return Date.now() - this.refreshedAt <= TRUST ? this.known.get(token) : undefined;
  }

  /** The environment as it was last known, however long ago: for what may be answered while the database is away. */
  lastKnown(token: string): Site | undefined {
    return this.known.get(token);
  }

  /** The environment, or undefined when there is none. */
  async find(token: string): Promise<Site | undefined> {
    const fresh = Date.now() - this.refreshedAt <= TRUST;
    if (fresh && this.known.has(token)) return this.known.get(token);
    if (fresh && this.unknown.has(token)) return undefined;
    return this.lookUps.add(token);
  }

  /** This process changed an environment: it is read anew. */
  forget(token: string): void {
    this.forgotten += 1;
    this.forgottenMeanwhile.add(token);
    this.unknown.delete(token);
    this.known.delete(token);
  }

  /** Keeps an environment as it is now. */
  private put(site: Site): void {
    this.unknown.delete(site.token);
    const isNew = !this.known.has(site.token);
    if (isNew && this.known.size >= MAX_SITES) this.known.delete(this.known.keys().next().value as string);
    this.known.set(site.token, site);
  }

  private async load(tokens: string[]): Promise<(Site | undefined)[]> {
    const { forgotten } = this;
    const rows = await EnvironmentRow.query(this.knex).whereIn('token', [...new Set(tokens)]);
    const found = new Map((await this.withWebhooks(rows)).map((site) => [site.token, site]));
    // Something was forgotten in the meantime: what was read may be too old to keep.
    if (this.forgotten === forgotten) this.keep(tokens, found);
    return tokens.map((token) => found.get(token));
  }

  private keep(tokens: string[], found: Map<string, Site>): void {
    for (const token of tokens) {
      const site = found.get(token);
      if (site !== undefined) this.put(site);
      else if (this.unknown.size < MAX_UNKNOWN) this.unknown.add(token);
    }
  }

  private async withWebhooks(rows: EnvironmentRow[]): Promise<Site[]> {
    if (rows.length === 0) return [];
    const webhooks = await WebhookRow.query(this.knex)
      .whereIn(
        'environment_id',
        rows.map(({ id }) => id),
      )
      .select('environment_id', 'webhook_id', 'events');
    return rows.map((row) =>
      toSite(
        row,
        webhooks.filter(({ environment_id }) => environment_id === row.id),
      ),
    );
  }

  private async refresh(): Promise<void> {
    const startedAt = Date.now();
    this.forgottenMeanwhile.clear();
    try {
      if (this.known.size > 0) {
        const seconds = OVERLAP + Math.ceil((startedAt - this.refreshedAt) / 1000);
        const changed = await EnvironmentRow.query(this.knex).whereRaw(
          "updated_at > now() - ? * interval '1 second'",
          [seconds],
        );
        for (const site of await this.withWebhooks(changed)) {
          if (this.known.has(site.token) && !this.forgottenMeanwhile.has(site.token)) this.put(site);
        }
      }
      this.unknown = new Set();
      this.refreshedAt = startedAt;
    } catch (error) {
      this.log.warn(
        { error },
        'changed environments could not be read; they are read again for each request',
      );
    }
    if (this.timer !== undefined) this.schedule();
  }
}
