import type { Limit } from '../../domain/cookies/result';
import type { Counts } from '../driver-messages';
import { pieceOf } from '../limits';

/** Counts what the browser tells for the limits of the scan, which the server keeps. */
export class Meter {
  /** The limit that the server says was reached. */
  reached: Limit | undefined;
  private readonly controller = new AbortController();
  private counts: Counts = { requests: 0, bytes: 0 };
  private waits = false;

  constructor(private readonly tell: (counts: Counts) => void) {}

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  tellRequest(): void {
    this.counts.requests += 1;
    this.note();
  }

  takeBytes(count: number): void {
    this.counts.bytes += pieceOf(count);
    this.note();
  }

  end(limit: Limit): void {
    this.reached ??= limit;
    this.controller.abort();
  }

  /** One line for all that comes at once. */
  private note(): void {
    if (this.waits || this.signal.aborted) return;
    this.waits = true;
    setImmediate(() => {
      this.waits = false;
      const counts = this.counts;
      this.counts = { requests: 0, bytes: 0 };
      if (!this.signal.aborted) this.tell(counts);
    });
  }
}
