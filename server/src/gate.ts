import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from './context';
import { pendingMigrations } from './db/migrate';
import { unavailable } from './errors';
import { beginExchange, sendError } from './http/answer';
import { finishExchange } from './http/finish';

/** How often a process that does not migrate looks whether somebody has, in milliseconds. */
const MIGRATION_LOOK = 1_000;

/** Whether the process takes requests: closed until the database is as it must be, and again while it stops. */
export class Gate {
  /** Why no request can be answered yet; undefined from then on. */
  private closedBy: string | undefined = 'the process is starting';
  private stopping = false;

  constructor(private readonly context: Context) {}

  open(): void {
    this.closedBy = undefined;
  }

  stop(): void {
    this.stopping = true;
  }

  /** Why the process should be sent nothing at the moment; undefined when it should. */
  async notReady(): Promise<string | undefined> {
    if (this.stopping) return 'the process is stopping';
    if (this.closedBy !== undefined) return this.closedBy;
    try {
      await this.context.db.raw('SELECT 1');
      return undefined;
    } catch {
      return 'the database cannot be reached';
    }
  }

  /** Answers requests that come too early, and says so. Probes, pages and pre-flights need no database and may pass. */
  turnsAway(request: IncomingMessage, response: ServerResponse): boolean {
    // A busy connection is never idle: told so, the client opens its next one elsewhere.
    if (this.stopping) response.setHeader('Connection', 'close');
    if (this.closedBy === undefined || !request.url?.startsWith('/api/') || request.method === 'OPTIONS') {
      return false;
    }
    const exchange = beginExchange(request, response);
    exchange.open = true;
    finishExchange(exchange, this.context);
    sendError(exchange, unavailable(`Not ready, ${this.closedBy}: try again shortly.`), this.context.log);
    return true;
  }

  /** With MIGRATE=off somebody else migrates: looks until they have, then calls. */
  async awaitMigrations(then: () => void): Promise<void> {
    while (!this.stopping) {
      await delay(MIGRATION_LOOK);
      if (!this.stopping && (await this.isMigrated())) return then();
    }
  }

  async isMigrated(): Promise<boolean> {
    try {
      const { length } = await pendingMigrations(this.context.db);
      if (length > 0) this.closedBy = `${length} migrations are pending: run npm run migrate`;
      return length === 0;
    } catch {
      this.closedBy = 'the database cannot be reached';
      return false;
    }
  }
}
