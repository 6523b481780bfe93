import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { VERSION } from '../config/version';
import type { Context } from '../context';
import { databaseTime } from '../db/clock';
import { refusal, schemaState } from '../db/schema-state';
import { clock } from '../domain/clock';
import { unavailable } from '../domain/errors';
import { sendError } from '../http/answer';
import { beginExchange, finishExchange } from '../http/exchange';

/** How often a process that does not migrate looks whether somebody has, in milliseconds. */
const MIGRATION_LOOK = 1_000;

/** Whether the process accepts requests: closed until the database is ready, and again while stopping. */
export class Gate {
  /** Why no request can be answered yet; undefined from then on. */
  private closedBy: string | undefined = 'the process is starting';
  private stopping = false;
  private closing = false;
  /** Why this program cannot work on the database at all, in words. */
  refusal: string | undefined;

  constructor(private readonly context: Context) {}

  open(): void {
    this.closedBy = undefined;
  }

  /** Sets a more precise reason why it is not open yet. */
  close(reason: string): void {
    this.closedBy = reason;
  }

  /** From now on /readyz sends nobody here; whoever comes all the same is answered as before. */
  drain(): void {
    this.stopping = true;
  }

  /** From now on every answer ends its connection. */
  stop(): void {
    this.stopping = true;
    this.closing = true;
  }

  get isOpen(): boolean {
    return this.closedBy === undefined;
  }

  /** Why the process accepts no requests now; undefined when it does. */
  async notReady(): Promise<string | undefined> {
    if (this.stopping) return 'the process is stopping';
    if (this.closedBy !== undefined) return this.closedBy;
    const failure = await this.context.writeProbe.failure();
    return failure?.words.split(':', 1)[0] ?? clock.disagreement();
  }

  /**
   * Refuses requests that come too early, and returns whether it did. Probes, pages and pre-flights need no
   * database and may pass.
   */
  turnsAway(request: IncomingMessage, response: ServerResponse): boolean {
    // A busy connection is never idle: this tells the client to open its next one elsewhere.
    if (this.closing) response.setHeader('Connection', 'close');
    if (this.closedBy === undefined || !request.url?.startsWith('/api/') || request.method === 'OPTIONS') {
      return false;
    }
    const exchange = beginExchange(request, response);
    exchange.open = true;
    finishExchange(exchange, this.context);
    sendError(exchange, unavailable(`Not ready, ${this.closedBy}: try again shortly.`), this.context.log);
    return true;
  }

  /** With MIGRATE=off: waits until the database has been migrated, then calls back. */
  async awaitMigrations(then: () => Promise<void>): Promise<void> {
    while (!this.stopping) {
      await delay(MIGRATION_LOOK);
      if (!this.stopping && (await this.isMigrated())) return then();
    }
  }

  async isMigrated(): Promise<boolean> {
    try {
      // The first reading of the database's clock; nothing is dated before it.
      await databaseTime(this.context.db);
      const state = await schemaState(this.context.db, VERSION);
      const { length } = state.pending;
      this.refusal = refusal(state, VERSION);
      if (length > 0) this.closedBy = `${length} migrations are pending: run npm run migrate`;
      if (this.refusal !== undefined) this.closedBy = this.refusal;
      return length === 0 && this.refusal === undefined;
    } catch {
      this.closedBy = 'the database cannot be reached';
      return false;
    }
  }
}
