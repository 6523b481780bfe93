import { unavailable } from '../domain/errors';

/** One entry that waits for its group. */
interface Waiting<Item, Result> {
  item: Item;
  since: number;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** A result for each item of a group, in the same order; an `Error` rejects that item alone. */
export type Results<Result> = (Result | Error)[];
/** The same, where a result may come after the group. */
export type Answers<Result> = (Result | Promise<Result> | Error)[];

export interface GroupQueueOptions<Item, Result> {
  /** Does the work of a whole group; when it throws, every item of the group is rejected with that error. */
  work(items: Item[]): Promise<Answers<Result>>;
  /** Items in one group, at most. */
  maxGroup: number;
  /** Items that may wait, at most; beyond it `add` throws 503 at once. */
  maxWaiting: number;
  /**
   * How long an item may wait for its group, in milliseconds; then it is rejected with 503. Default: for
   * ever.
   */
  maxAge?: number;
}

/** How often waiting items are checked for a timeout while a group is in progress, in milliseconds. */
const LATE_CHECK = 500;

/**
 * Group commit: collects what arrives while a group is in progress, and processes it as the next group. When
 * nothing is in flight, an item starts at once, so that a quiet site does not wait.
 */
export class GroupQueue<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private running = false;
  private idle: (() => void)[] = [];

  constructor(private readonly options: GroupQueueOptions<Item, Result>) {}

  get length(): number {
    return this.waiting.length;
  }

  /** @param since when it arrived, by the monotonic clock, if it has waited elsewhere before */
  add(item: Item, since = performance.now()): Promise<Result> {
    if (this.waiting.length >= this.options.maxWaiting) {
      throw unavailable('The server has more requests than it can store at the moment: try again shortly.');
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, since, resolve, reject });
      if (!this.running) {
        this.running = true;
        // After the current round of I/O, so that requests that arrived together share the first group too.
        setImmediate(() => void this.run());
      }
    });
  }

  /** Resolves when nothing waits and nothing is in flight. */
  drained(): Promise<void> {
    if (!this.running) return Promise.resolve();
    return new Promise((resolve) => this.idle.push(resolve));
  }

  private nextGroup(): Waiting<Item, Result>[] {
    this.rejectLate();
    return this.waiting.splice(0, this.options.maxGroup);
  }

  /** An item that has waited too long is rejected at once, even when the group before it is stuck. */
  private rejectLate(): void {
    const { maxAge } = this.options;
    if (maxAge === undefined) return;
    const oldest = performance.now() - maxAge;
    // They need not be in the order of their age: some have waited elsewhere.
    const late = this.waiting.filter(({ since }) => since < oldest);
    if (late.length === 0) return;
    this.waiting = this.waiting.filter(({ since }) => since >= oldest);
    for (const { reject } of late)
      reject(unavailable('The server could not store this in time: try again shortly.', 2));
  }

  private async run(): Promise<void> {
    const { maxAge } = this.options;
    const timer = maxAge === undefined ? undefined : setInterval(() => this.rejectLate(), LATE_CHECK).unref();
    while (this.waiting.length > 0) {
      const group = this.nextGroup();
      if (group.length === 0) break;
      try {
        settle(group, await this.options.work(group.map(({ item }) => item)));
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    clearInterval(timer);
    this.running = false;
    for (const resolve of this.idle.splice(0)) resolve();
  }
}

function settle<Item, Result>(group: Waiting<Item, Result>[], results: Answers<Result>): void {
  group.forEach(({ resolve, reject }, index) => {
    const result = results[index];
    if (result instanceof Error) reject(result);
    else resolve(result as Result);
  });
}
