import { unavailable } from '../domain/errors';
import { Line, type Waits } from './line';

/** One entry that waits for its group. */
interface Waiting<Item, Result> extends Waits {
  item: Item;
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
  /** Items that may wait, at most: beyond it 503 for the newest of whoever has the most waiting. */
  maxWaiting: number;
  /**
   * How long an item may wait for its group, in milliseconds; then it is rejected with 503. Default: for
   * ever.
   */
  maxAge?: number;
  shares?: Shares<Item>;
}

/** Whose an item is, and what it costs its group, such as the rows that it writes. */
export interface Share {
  sender: string;
  weight: number;
  /** It lets all others go first, which never wait for more than a group of what yields. */
  yields: boolean;
}

/** How senders share a queue that has more than a group can hold. */
export interface Shares<Item> {
  of(item: Item): Share;
  /** Weight of one group, and of all that waits: of what yields, and of everything else. */
  maxGroupWeight: number;
  maxWaitingWeight: number;
}

/** Without shares all items are one sender's. */
const ALIKE: Shares<unknown> = {
  of: () => ({ sender: '', weight: 1, yields: false }),
  maxGroupWeight: Number.POSITIVE_INFINITY,
  maxWaitingWeight: Number.POSITIVE_INFINITY,
};

/** How often waiting items are checked for a timeout while a group is in progress, in milliseconds. */
const LATE_CHECK = 500;

/**
 * Group commit: collects what arrives while a group is in progress, and processes it as the next group. When
 * nothing is in flight, an item starts at once, so that a quiet site does not wait.
 */
export class GroupQueue<Item, Result> {
  private readonly first: Line<Waiting<Item, Result>>;
  private readonly yielding: Line<Waiting<Item, Result>>;
  private readonly shares: Shares<Item>;
  private running = false;
  private idle: (() => void)[] = [];

  constructor(private readonly options: GroupQueueOptions<Item, Result>) {
    this.shares = options.shares ?? ALIKE;
    const bounds = { ...options, ...this.shares };
    this.first = new Line(bounds);
    // Light ones, whose weight is their bound.
    this.yielding = new Line({ ...bounds, maxGroup: Infinity, maxWaiting: Infinity });
  }

  get length(): number {
    return this.first.length + this.yielding.length;
  }

  /** @param since when it arrived, by the monotonic clock, if it has waited elsewhere before */
  add(item: Item, since = performance.now()): Promise<Result> {
    return new Promise((resolve, reject) => {
      const { yields, ...share } = this.shares.of(item);
      const line = yields ? this.yielding : this.first;
      for (const one of line.add({ item, ...share, since, resolve, reject })) one.reject(full());
      if (!this.running && this.length > 0) {
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
    const group = this.first.next();
    return this.yielding.length === 0 ? group : [...group, ...this.yielding.next()];
  }

  /** An item that has waited too long is rejected at once, even when the group before it is stuck. */
  private rejectLate(): void {
    const { maxAge } = this.options;
    if (maxAge === undefined) return;
    const oldest = performance.now() - maxAge;
    for (const line of [this.first, this.yielding])
      for (const { reject } of line.takeLate(oldest))
        reject(unavailable('The server could not store this in time: try again shortly.', 2));
  }

  private async run(): Promise<void> {
    const { maxAge } = this.options;
    const timer = maxAge === undefined ? undefined : setInterval(() => this.rejectLate(), LATE_CHECK).unref();
    while (this.length > 0) {
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

const full = () =>
  unavailable('The server has more requests than it can store at the moment: try again shortly.');

function settle<Item, Result>(group: Waiting<Item, Result>[], results: Answers<Result>): void {
  group.forEach(({ resolve, reject }, index) => {
    const result = results[index];
    if (result instanceof Error) reject(result);
    else resolve(result as Result);
  });
}
