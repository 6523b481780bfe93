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

/** For how much longer a request may wait for turns, in all and in milliseconds: it may need several, one after the other. */
export interface Patience {
  left: number;
}

/** As long as for one turn. */
export const patienceOfOwners = (): Patience => ({ left: OWNERS.wait ?? MAX_WAIT });

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
  async take<Result>(sender: Sender, work: () => Promise<Result>, patience?: Patience): Promise<Result> {
    if (this.running >= this.most) await this.wait(sender, patience);
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

  /** How much waits for its turn. */
  get waits(): number {
    return this.waiting.size;
  }

  /** Refuses the newest of whoever has the most waiting. */
  shed(): void {
    this.waiting.drop()?.refuse(busy());
  }

  private wait(sender: Sender, patience: Patience = { left: Number.POSITIVE_INFINITY }): Promise<void> {
    return new Promise((resolve, reject) => {
      const since = performance.now();
      const mine: Waiting = {
        start: () => {
          clearTimeout(timer);
          patience.left -= performance.now() - since;
          resolve();
        },
        refuse: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      const longest = Math.max(0, Math.min(this.bounds.wait ?? MAX_WAIT, patience.left));
      const timer = setTimeout(() => {
        this.waiting.remove(sender, mine);
        reject(busy());
      }, longest);
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
  /** What waits in all groups, or was refused a moment ago. */
  private waiting = 0;

  constructor(
    private readonly most: number,
    private readonly bounds: Bounds = OWNERS,
    /** What may wait in all groups: beyond it, whichever has the most waiting loses the newest of it. */
    private readonly inAll = Number.POSITIVE_INFINITY,
  ) {}

  /** How much of a group waits for its turn. */
  waitsOf(name: string): number {
    return this.groups.get(name)?.turns.waits ?? 0;
  }

  /** Does the work when it is the sender's turn in their group. Rejects as `FairTurns` does. */
  async take<Result>(sender: Sender, work: () => Promise<Result>, patience?: Patience): Promise<Result> {
    const [name] = sender;
    const group = this.groups.get(name) ?? { turns: new FairTurns(this.most, this.bounds), inside: 0 };
    this.groups.set(name, group);
    group.inside += 1;
    this.waiting += 1;
    let waits = true;
    const begun = (): void => {
      if (waits) this.waiting -= 1;
      waits = false;
    };
    const begin = (): Promise<Result> => {
      begun();
      return work();
    };
    try {
      const done = group.turns.take(sender, begin, patience);
      if (this.waiting > this.inAll) this.shed();
      return await done;
    } finally {
      begun();
      group.inside -= 1;
      if (group.inside === 0) this.groups.delete(name);
    }
  }

  private shed(): void {
    let all = 0;
    let most: FairTurns | undefined;
    for (const { turns } of this.groups.values()) {
      all += turns.waits;
      if (turns.waits >= (most?.waits ?? 1)) most = turns;
    }
    if (all > this.inAll) most?.shed();
  }
}

/** Whose turn a member takes: the group of accounts, then the account, then its API key; a login has none. */
export type Member = readonly [group: string, account: string, key?: string];

const accountOf = ([group, account]: Member): string => `${group} ${account}`;

/** All paths are equally long. */
const pathOf = ([group, account, key = '']: Member): Sender => [group, account, key];

/** The account that began its group: all others were made by invitations. */
export const FOUNDER = 'founder';

/** How an account's name begins that the founder of its group invited. */
export const INVITED = 'account';

/** How an account's name begins that an invited account invited: anybody invited can have many of them. */
export const BY_INVITED = 'by invited';

/**
 * A member's place in a line of all groups. In a group its founder, those that were invited and those whom these invited
 * take turns, and when too much of it waits, whichever has the most loses: anybody can invite accounts of their own.
 */
export function placeInLine([group, account, key = '']: Member): Sender {
  const part = account.startsWith(BY_INVITED) ? BY_INVITED : account.split(' ', 1)[0];
  return [group, part ?? '', account, key];
}

/** Work at once: of an account, of a group, and of a group beyond the first of each account. */
interface MemberBounds {
  account: number;
  group: number;
  further?: number;
}

/**
 * Lets each account, and each group of accounts, have so many pieces of work running at once: what one account asks
 * for leaves room for the others of its group. All that were invited leave one place to whoever began it, and those
 * that invited accounts invited leave half to the others, since anybody among them can invite accounts of their own.
 * The API keys of an account leave one of its places to its login.
 */
export class MemberTurns {
  private readonly accounts: TurnsOfEach;
  private readonly keys: TurnsOfEach;
  private readonly further: TurnsOfEach | undefined;
  private readonly byInvited: TurnsOfEach;
  private readonly invited: TurnsOfEach;
  private readonly groups: TurnsOfEach;
  /** Accounts whose first piece of work runs or waits. */
  private readonly firsts = new Set<string>();

  constructor({ account, group, further }: MemberBounds) {
    this.accounts = new TurnsOfEach(account);
    this.keys = new TurnsOfEach(Math.max(1, account - 1));
    this.further = further === undefined ? undefined : new TurnsOfEach(further);
    this.byInvited = new TurnsOfEach(Math.max(1, Math.floor(group / 2)));
    this.invited = new TurnsOfEach(Math.max(1, group - 1));
    this.groups = new TurnsOfEach(group);
  }

  /** Whether somebody of the member's group waits for a turn such as the member has. */
  isCrowded(member: Member): boolean {
    const account = accountOf(member);
    const waits = [this.accounts, this.keys].some((gate) => gate.waitsOf(account) > 0);
    return waits || this.gatesOf(member).some((gate) => gate.waitsOf(member[0]) > 0);
  }

  /** Does the work when it is the member's turn. Rejects as `FairTurns` does. */
  take<Result>(member: Member, work: () => Promise<Result>, patience = patienceOfOwners()): Promise<Result> {
    const inTurn = this.gatesOf(member).reduceRight(
      (inner, gate) => () => gate.take(pathOf(member), inner, patience),
      work,
    );
    const key = member[2] ?? '';
    const sender: Sender = [accountOf(member), key];
    const ofAccount = (): Promise<Result> =>
      this.accounts.take(sender, () => this.inOrder(member, inTurn, patience), patience);
    return key === '' ? ofAccount() : this.keys.take(sender, ofAccount, patience);
  }

  /** The turns that a member needs besides those of the account, the narrowest first. */
  private gatesOf([, account]: Member): TurnsOfEach[] {
    if (account === FOUNDER) return [this.groups];
    const gates = [this.invited, this.groups];
    return account.startsWith(BY_INVITED) ? [this.byInvited, ...gates] : gates;
  }

  /** What is not an account's first waits before it has a turn that the first of another account needs. */
  private async inOrder<Result>(
    member: Member,
    inTurn: () => Promise<Result>,
    patience: Patience,
  ): Promise<Result> {
    const account = accountOf(member);
    if (this.firsts.has(account))
      return this.further ? this.further.take(pathOf(member), inTurn, patience) : inTurn();
    this.firsts.add(account);
    try {
      return await inTurn();
    } finally {
      this.firsts.delete(account);
    }
  }
}
