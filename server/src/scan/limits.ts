import type { Limit } from '../domain/cookies/result';

/** Days that a scan can be read. */
export const SCAN_DAYS = 30;
/** Scans of strangers that are kept, the newest: a page that is made for it has a result of 256 KiB. */
export const STRANGERS_KEPT = 2_000;

/**
 * Bytes that a piece of an answer counts as, at the least: a body in chunks of one byte takes hundreds of times its
 * size in memory and processor time.
 */
const LEAST_PIECE = 256;

/** What a piece of an answer counts. */
export const pieceOf = (bytes: number): number => Math.max(bytes, LEAST_PIECE);

/** How much one scan may take. Times in milliseconds. */
export interface ScanLimits {
  /** From the first connection to the result. */
  totalMs: number;
  /** Over all connections of a scan. */
  bytes: number;
  requests: number;
  /** The maximum number of hosts to connect to: each may cost the timeout of an unresponsive name server. */
  hosts: number;
  /** Of the browser in all. */
  memoryMb: number;
  /** How long a loaded page may take to become quiet. */
  quietMs: number;
  /** How long it is watched at the least, since many scripts start late. */
  settleMs: number;
}

export const SCAN_LIMITS: ScanLimits = {
  totalMs: 30_000,
  bytes: 10 * 1024 * 1024,
  requests: 200,
  hosts: 100,
  memoryMb: 1_024,
  quietMs: 8_000,
  settleMs: 2_000,
};

/** What a scan has consumed so far. Reaching a limit ends all connections through `signal`. */
export class Budget {
  /** The limit that was reached. */
  reached: Limit | undefined;
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private requests = 0;
  private told = 0;
  private tunnels = 0;
  private bytes = 0;
  private readonly hosts = new Set<string>();

  /** `reserveMs` of the time are kept for reading the result. */
  constructor(
    private readonly limits: ScanLimits,
    reserveMs: number,
    private readonly stopped?: AbortSignal,
  ) {
    this.timer = setTimeout(() => this.end('time'), limits.totalMs - reserveMs);
    stopped?.addEventListener('abort', this.stop, { once: true });
    if (stopped?.aborted) this.stop();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Whether one more request may be made. */
  takeRequest(): boolean {
    this.requests += 1;
    if (this.requests > this.limits.requests) this.end('requests');
    return !this.signal.aborted;
  }

  /** Counts requests that the browser tells of: some never reach the proxy, such as those to unsafe ports. */
  tellRequests(count: number): void {
    this.told += count;
    if (this.told > this.limits.requests) this.end('requests');
  }

  /** Whether one more tunnel may be opened; the requests inside are told by the browser. */
  takeTunnel(): boolean {
    this.tunnels += 1;
    if (this.tunnels > this.limits.requests) this.end('requests');
    return !this.signal.aborted;
  }

  /** Whether one more host, or this one again, may be connected to. */
  takeHost(host: string): boolean {
    this.hosts.add(host.toLowerCase());
    if (this.hosts.size > this.limits.hosts) this.end('hosts');
    return !this.signal.aborted;
  }

  /** Counts what is handed on at once besides its bytes. */
  takePiece(): void {
    this.takeBytes(LEAST_PIECE);
  }

  /** Counts bytes as they were read. */
  takeBytes(count: number): void {
    this.bytes += pieceOf(count);
    if (this.bytes > this.limits.bytes) this.end('bytes');
  }

  release(): void {
    clearTimeout(this.timer);
    this.stopped?.removeEventListener('abort', this.stop);
    this.controller.abort();
  }

  private readonly stop = (): void => this.controller.abort();

  private end(limit: Limit): void {
    if (this.signal.aborted) return;
    this.reached = limit;
    this.controller.abort();
  }
}
