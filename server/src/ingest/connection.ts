import type { Socket } from 'node:net';
import type pg from 'pg';
import { isUnavailable } from '../db/errors';
import type { Hosts, Opened } from '../db/hosts';
import { connectionSettings, type Limits, VISITOR_SILENCE, VISITORS } from '../db/knex';
import { Session } from './session';

interface Open {
  client: Opened;
  session: Session;
  socket: Socket;
  end(): Promise<void>;
}

/**
 * One connection, kept open and renewed after it breaks. Not a pool, because checking out a client costs a
 * turn of the event loop in which PostgreSQL is idle.
 */
export class Connection {
  private open: Open | undefined;

  constructor(
    private readonly hosts: Hosts,
    private readonly name: string,
    private readonly onLost: (error: Error) => void,
    private readonly limits: Limits = VISITORS,
  ) {}

  /** Does a piece of work, one at a time. Rejects with what it throws, or with why there is no connection. */
  async use<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const open = this.usable() ?? (await this.connect());
    open.socket.setTimeout(VISITOR_SILENCE);
    try {
      return await work(open.session);
    } catch (error) {
      if (isBroken(error)) this.drop(open);
      throw error;
    } finally {
      open.socket.setTimeout(0);
    }
  }

  async close(): Promise<void> {
    const { open } = this;
    this.open = undefined;
    await open?.end();
  }

  /** The open connection, unless its server no longer accepts writes. */
  private usable(): Open | undefined {
    const { open } = this;
    if (open !== undefined && this.hosts.isStale(open.client)) this.drop(open);
    return this.open;
  }

  private async connect(): Promise<Open> {
    const client = await this.hosts.open(connectionSettings(this.name, this.limits));
    const socket = (client as unknown as { connection: pg.Connection }).connection.stream as Socket;
    const open = { client, session: new Session(client), socket, end: () => client.end() };
    socket.on('timeout', () => socket.destroy(new Error('timeout expired')));
    client.on('error', (error) => {
      if (this.open === open) this.onLost(error);
      this.drop(open);
    });
    this.open = open;
    return open;
  }

  private drop(open: Open): void {
    if (this.open === open) this.open = undefined;
    open.socket.destroy();
  }
}

/**
 * A refused statement does not break the connection, unless the server has lost the statement or its plan.
 */
const isBroken = (error: unknown): boolean => {
  const { code = '', severity } = error as { code?: string; severity?: string };
  return /^(26000|0A000)$/.test(code) || (isUnavailable(error) && severity !== 'ERROR');
};
