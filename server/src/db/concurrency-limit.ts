import { unavailable } from '../domain/errors';

/** How long somebody may wait for their turn, in milliseconds, and how many may. */
const MAX_WAIT = 3_000;
const MAX_WAITING = 1_000;

/**
 * Lets so many pieces of work run at once and no more: what strangers send must leave connections to the
 * owners.
 */
export class ConcurrencyLimit {
  private running = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly most: number) {}

  /** Does the work when it is its turn. Rejects with 503 when that takes too long. */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.running >= this.most) await this.wait();
    else this.running += 1;
    try {
      return await work();
    } finally {
      this.handOn();
    }
  }

  /** A turn goes straight to the one who has waited longest, so that nobody comes in between. */
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
