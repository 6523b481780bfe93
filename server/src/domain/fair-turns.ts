import { type ApiError, rateLimited, unavailable } from './errors';
import { Rounds } from './rounds';

/** How long somebody may wait for their turn unless said otherwise, in milliseconds. */
const MAX_WAIT = 10_000;

/** How much may wait: of one group of the widest level, and in all; and how long, in milliseconds. */
export interface Bounds {
  each: number;
  all: number;
  wait?: number;
}

/** For owners, whose programs give up after ten seconds. */
export const OWNERS: Bounds = { each: 100, all: 400, wait: 4_000 };

/** From the widest group that a sender belongs to down to the sender. */
export type Sender = readonly [string, ...string[]];

interface Waiting {
  start(): void;
  refuse(error: ApiError): void;
}

const busy = (): ApiError => unavailable('The server is busy: try again shortly.', 2);

/**
 * Lets so many pieces of costly work run at once, and takes turns between their senders: whoever sends
 * thousands waits behind themselves, and nobody else behind them. When too much waits, whoever has the most
 * waiting loses the newest of it.
 */
export class FairTurns {
  private running = 0;
  private readonly waiting = new Rounds<Waiting>();

  constructor(
    private readonly most: number,
    private readonly bounds: Bounds = { each: 100, all: 400 },
  ) {}

  /**
   * Does the work when it is the sender's turn. Rejects with 429 when too much of the sender's group waits,
   * and with 503 when too much waits in all or a turn takes too long to come.
   */
  async take<Result>(sender: Sender, work: () => Promise<Result>): Promise<Result> {
    if (this.running >= this.most) await this.wait(sender);
    else this.running += 1;
    try {
      return await work();
    } finally {
      this.handOn();
    }
  }

  /** A turn goes straight to the next, so that nobody comes in between. */
  private handOn(): void {
    const next = this.waiting.next();
    if (next === undefined) this.running -= 1;
    else next.start();
  }

  private wait(sender: Sender): Promise<void> {
    return new Promise((resolve, reject) => {
      const mine: Waiting = {
        start: () => {
          clearTimeout(timer);
          resolve();
        },
        refuse: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      const timer = setTimeout(() => {
        this.waiting.remove(sender, mine);
        reject(busy());
      }, this.bounds.wait ?? MAX_WAIT);
      this.waiting.add(sender, mine);
      this.keepBounds(sender[0]);
    });
  }

  private keepBounds(group: string): void {
    const { each, all } = this.bounds;
    if (this.waiting.sizeOf(group) > each) this.waiting.drop(group)?.refuse(rateLimited(1));
    if (this.waiting.size > all) this.waiting.drop()?.refuse(busy());
  }
}

/** Lets each group have so many pieces of work running at once: what is more waits, and nobody else does. */
export class TurnsOfEach {
  private readonly groups = new Map<string, { turns: FairTurns; inside: number }>();

  constructor(
    private readonly most: number,
    private readonly bounds: Bounds = OWNERS,
  ) {}

  /** Does the work when it is the sender's turn in their group. Rejects as `FairTurns` does. */
  async take<Result>(sender: Sender, work: () => Promise<Result>): Promise<Result> {
    const [name] = sender;
    const group = this.groups.get(name) ?? { turns: new FairTurns(this.most, this.bounds), inside: 0 };
    this.groups.set(name, group);
    group.inside += 1;
    try {
      return await group.turns.take(sender, work);
    } finally {
      group.inside -= 1;
      if (group.inside === 0) this.groups.delete(name);
    }
  }
}

/** Whose turn a member takes: the group of accounts, then the account. */
export type Member = readonly [group: string, account: string];

/**
 * Lets each account, and each group of accounts, have so many pieces of work running at once: what one account asks
 * for leaves room for the others of its group, such as whoever invited it.
 */
export class MemberTurns {
  private readonly accounts: TurnsOfEach;
  private readonly groups: TurnsOfEach;

  constructor({ account, group }: { account: number; group: number }) {
    this.accounts = new TurnsOfEach(account);
    this.groups = new TurnsOfEach(group);
  }

  /** Does the work when it is the member's turn. Rejects as `FairTurns` does. */
  take<Result>(member: Member, work: () => Promise<Result>): Promise<Result> {
    return this.accounts.take([member[1]], () => this.groups.take(member, work));
  }
}
