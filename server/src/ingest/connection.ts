import { Socket } from 'node:net';
import pg from 'pg';
import { isUnavailable } from '../db/errors';
import { connectionSettings } from '../db/knex';
import { Session } from './session';

/** Longer than any statement may take, in milliseconds: what is silent then is not PostgreSQL's work, but the way to it. */
const PATIENCE = 35_000;

interface Open {
  session: Session;
  socket: Socket;
  end(): Promise<void>;
}

/**
 * One connection, kept open and made anew after it broke. Not a pool, because getting a client from a pool takes a turn of the event
 * loop, in which PostgreSQL has nothing to do.
 */
export class Connection {
  private open: Open | undefined;

  constructor(
    private readonly databaseUrl: string,
    private readonly name: string,
    private readonly onLost: (error: Error) => void,
  ) {}

  /** Does a piece of work, one at a time. Rejects with what it throws, or with why there is no connection. */
  async use<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const open = this.open ?? (await this.connect());
    open.socket.setTimeout(PATIENCE);
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

  private async connect(): Promise<Open> {
    const socket = new Socket();
    const client = new pg.Client({
      ...connectionSettings(this.databaseUrl, this.name),
      stream: () => socket,
    });
    const open = { session: new Session(client), socket, end: () => client.end() };
    socket.on('timeout', () => socket.destroy(new Error('timeout expired')));
    client.on('error', (error) => {
      if (this.open === open) this.onLost(error);
      this.drop(open);
    });
    try {
      await client.connect();
    } catch (error) {
      this.drop(open);
      throw error;
    }
    this.open = open;
    return open;
  }

  private drop(open: Open): void {
    if (this.open === open) this.open = undefined;
    open.socket.destroy();
  }
}

/** A connection whose statement was merely refused is fine, unless the server has lost the statement or its plan. */
const isBroken = (error: unknown): boolean => {
  const { code = '', severity } = error as { code?: string; severity?: string };
  return /^(26000|0A000)$/.test(code) || (isUnavailable(error) && severity !== 'ERROR');
};
