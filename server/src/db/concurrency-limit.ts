import { unavailable } from '../domain/errors';

/** How long a caller may wait, in milliseconds, and how many may wait. */
const MAX_WAIT = 3_000;
const MAX_WAITING = 1_000;

/** Limits concurrent work, so that public requests leave connections for owners. */
export class ConcurrencyLimit {
  private running = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly most: number) {}

  /** Runs the work when a slot is free. Rejects with 503 when that takes too long. */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running >= this.most) await this.wait();
    else this.running += 1;
    try {
      return await work();
    } finally {
      this.handOn();
    }
  }

  /** A slot is handed directly to whoever has waited longest, so that nobody can jump the queue. */
  private handOn(): void {
    const [next] = this.waiting;
    if (next === undefined) {
      this.running -= 1;
      return;
    }
    this.waiting.delete(next);
    next();
  }

  private wait(): Promise<void> {
    const busy = () => unavailable('The server is busy: try again shortly.', 2);
    if (this.waiting.size >= MAX_WAITING) throw busy();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(mine);
        reject(busy());
      }, MAX_WAIT);
      const mine = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.waiting.add(mine);
    });
  }
}
