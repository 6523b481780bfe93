import type { Knex } from 'knex';
import { EnvironmentRow, WebhookRow } from '../db/models';
import type { Logger } from '../logger';
import { type Site, toSite } from './site';

/** How often changed environments are looked for, in milliseconds: a change takes effect everywhere within 2 s. */
const REFRESH = 1_000;
/** A cache that could not be refreshed for so long is not trusted any more, in milliseconds. */
const TRUST = 2_000;
/** How far a refresh looks back, in seconds: a transaction may commit later than its `updated_at` says. */
const OVERLAP = 60;
const MAX_SITES = 10_000;
const MAX_UNKNOWN = 10_000;

/** Environments by token, kept in memory and refreshed by one query a second, however many there are. */
export class Sites {
  private readonly known = new Map<string, Site>();
  private readonly loading = new Map<string, Promise<Site | undefined>>();
  /** Tokens that do not exist, so that guessing costs the database nothing. Forgotten at each refresh. */
  private unknown = new Set<string>();
  private refreshedAt = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly knex: Knex,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.refreshedAt = Date.now();
    this.timer = setTimeout(() => void this.refresh(), REFRESH).unref();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** The environment, without waiting, when it is known and fresh. */
  peek(token: string): Site | undefined {
    return Date.now() - this.refreshedAt <= TRUST ? this.known.get(token) : undefined;
  }

  /** The environment, or undefined when there is none. */
  async find(token: string): Promise<Site | undefined> {
    const fresh = Date.now() - this.refreshedAt <= TRUST;
    if (fresh && this.known.has(token)) return this.known.get(token);
    if (fresh && this.unknown.has(token)) return undefined;
    return this.load(token);
  }

  /** This process changed an environment: it is read anew. */
  forget(token: string): void {
    this.unknown.delete(token);
    this.known.delete(token);
    this.loading.delete(token);
  }

  private load(token: string): Promise<Site | undefined> {
    const running = this.loading.get(token);
    if (running !== undefined) return running;
    const promise: Promise<Site | undefined> = this.read(token).then((site) => {
      // Forgotten in the meantime: what was read may be too old to keep.
      if (this.loading.get(token) === promise) this.keep(token, site);
      return site;
    });
    this.loading.set(token, promise);
    const done = (): void => {
      if (this.loading.get(token) === promise) this.loading.delete(token);
    };
    promise.then(done, done);
    return promise;
  }

  private keep(token: string, site: Site | undefined): void {
    if (site === undefined) {
      if (this.unknown.size < MAX_UNKNOWN) this.unknown.add(token);
      return;
    }
    if (this.known.size >= MAX_SITES) this.known.delete(this.known.keys().next().value as string);
    this.known.set(token, site);
  }

  private async read(token: string): Promise<Site | undefined> {
    const row = await EnvironmentRow.query(this.knex).findOne({ token });
    return row && this.withWebhooks(row);
  }

  private async withWebhooks(row: EnvironmentRow): Promise<Site> {
    const webhooks = await WebhookRow.query(this.knex)
      .where({ environment_id: row.id })
      .select('webhook_id', 'events');
    return toSite(row, webhooks);
  }

  private async refresh(): Promise<void> {
    const startedAt = Date.now();
    try {
      if (this.known.size > 0) {
        const seconds = OVERLAP + Math.ceil((startedAt - this.refreshedAt) / 1000);
        const changed = await EnvironmentRow.query(this.knex).whereRaw(
          "updated_at > now() - ? * interval '1 second'",
          [seconds],
        );
        for (const row of changed) {
          const old = this.known.get(row.token);
          if (old !== undefined) this.known.set(row.token, await this.withWebhooks(row));
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
    if (this.timer !== undefined) this.timer = setTimeout(() => void this.refresh(), REFRESH).unref();
  }
}
