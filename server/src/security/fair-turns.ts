import { rateLimited, unavailable } from '../domain/errors';

/** How long a caller may wait, in milliseconds, and how many of one sender may wait. */
const MAX_WAIT = 10_000;
const MAX_WAITING = 100;

/**
 * Limits concurrent expensive work and alternates between senders, so that a sender of thousands only delays
 * themselves.
 */
export class FairTurns {
  private running = 0;
  /** The waiting work by sender, in order of turns. */
  private readonly waiting = new Map<string, (() => void)[]>();

  constructor(private readonly most: number) {}

  /** Runs the work when it is the sender's turn. Rejects with 429 or 503 when too much waits. */
  async take<Result>(sender: string, work: () => Promise<Result>): Promise<Result> {
    if (this.running >= this.most) await this.wait(sender);
    else this.running += 1;
    try {
      return await work();
    } finally {
      this.handOn();
    }
  }

  private handOn(): void {
    const [next] = this.waiting;
    if (next === undefined) {
      this.running -= 1;
      return;
    }
    const [sender, queue] = next;
    const start = queue.shift() as () => void;
    // Moves the sender to the end of the round.
    this.waiting.delete(sender);
    if (queue.length > 0) this.waiting.set(sender, queue);
    start();
  }

  private wait(sender: string): Promise<void> {
    const queue = this.waiting.get(sender) ?? [];
    if (queue.length >= MAX_WAITING) throw rateLimited(1);
    this.waiting.set(sender, queue);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.leave(sender, start);
        reject(unavailable('The server is busy: try again shortly.', 2));
      }, MAX_WAIT);
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      queue.push(start);
    });
  }

  private leave(sender: string, start: () => void): void {
    const left = (this.waiting.get(sender) ?? []).filter((one) => one !== start);
    if (left.length === 0) this.waiting.delete(sender);
    else this.waiting.set(sender, left);
  }
}
