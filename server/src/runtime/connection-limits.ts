import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { blockOf } from '../domain/mask';
import type { Logger } from '../observability/logger';
import type { Metrics } from '../observability/metrics';

/** Connections of one block of addresses that a process keeps open at once: a large office shares one address. */
const MOST_OF_BLOCK = 500;
/** Files that stay free for the database, the log, webhooks and scans: this many, or a quarter of all. */
const SPARE_FILES = 256;
/** Where the system does not tell its limit; Node has raised it as far as it may. */
const USUAL_FILES = 4_096;
/**
 * How long a connection may stand still while it is answered, in milliseconds: longer than any answer is
 * worked on, and than a slow line takes to empty the system's buffers.
 */
export const STANDSTILL = 120_000;
/** How often the log may tell of refused connections, in milliseconds. */
const TELL_EVERY = 60_000;

export interface ConnectionCounts {
  ofBlock: number;
  all: number;
}

export interface Doorkeeper extends Partial<ConnectionCounts> {
  /** Whether a peer speaks for many clients, so that its connections are no one's. */
  isProxy: (address: string) => boolean;
  log: Pick<Logger, 'warn'>;
  /** What the log says to look at. */
  advice?: string;
  metrics: Pick<Metrics, 'refusedConnection'>;
}

/**
 * Counts the open connections of a process, so that nobody who keeps many of them silent shuts everybody else out: each
 * takes one of the process's files. Not by the server's `maxConnections`, because a worker that has reached it hands the
 * connection on to the next one, and when all have, for ever.
 */
export class ConnectionLimits {
  private readonly blocks = new Map<string, number>();
  private readonly most: ConnectionCounts;
  private open = 0;
  private untold = { address: 0, full: 0 };
  private tells: NodeJS.Timeout | undefined;

  constructor(private readonly keeper: Doorkeeper) {
    const { ofBlock = MOST_OF_BLOCK, all = mostConnections(openFiles()) } = keeper;
    this.most = { ofBlock, all };
  }

  /** Counts a connection until its end, or ends it. */
  admit(socket: Socket): boolean {
    const { remoteAddress = '' } = socket;
    const block = this.keeper.isProxy(remoteAddress) ? undefined : blockOf(remoteAddress);
    const others = block === undefined ? 0 : (this.blocks.get(block) ?? 0);
    if (this.open >= this.most.all) return this.refuse(socket, 'full');
    if (others >= this.most.ofBlock) return this.refuse(socket, 'address');
    this.open += 1;
    if (block !== undefined) this.blocks.set(block, others + 1);
    socket.once('close', () => {
      this.open -= 1;
      if (block !== undefined) this.leave(block);
    });
    return true;
  }

  stop(): void {
    clearTimeout(this.tells);
  }

  private leave(block: string): void {
    const left = (this.blocks.get(block) ?? 0) - 1;
    if (left > 0) this.blocks.set(block, left);
    else this.blocks.delete(block);
  }

  private refuse(socket: Socket, reason: 'address' | 'full'): false {
    socket.destroy();
    this.keeper.metrics.refusedConnection(reason);
    this.untold[reason] += 1;
    // The first at once, what follows once a minute as a number.
    if (this.tells === undefined) this.tell();
    return false;
  }

  private readonly tell = (): void => {
    const { log, advice = 'behind a proxy check TRUST_PROXY' } = this.keeper;
    const { address, full } = this.untold;
    this.tells = undefined;
    if (address + full === 0) return;
    this.untold = { address: 0, full: 0 };
    log.warn(
      { too_many_of_address: address, too_many_in_all: full, open: this.open, limits: this.most },
      `connections were refused: too many are open; ${advice}`,
    );
    this.tells = setTimeout(this.tell, TELL_EVERY).unref();
  };
}

/** How many connections leave enough files for everything else. */
export const mostConnections = (files: number): number =>
  Math.max(files - Math.max(SPARE_FILES, Math.ceil(files / 4)), Math.ceil(files / 4));

/** How many files this process may have open. */
export function openFiles(): number {
  try {
    const limit = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    if (limit === 'unlimited') return Number.MAX_SAFE_INTEGER;
    return limit === undefined ? USUAL_FILES : Number(limit);
  } catch {
    return USUAL_FILES;
  }
}
