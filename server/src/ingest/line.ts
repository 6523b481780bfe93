/** What waits: whose it is, what it costs its group, such as the rows that it writes, and since when it waits. */
export interface Waits {
  sender: string;
  weight: number;
  since: number;
}

/** Of one group, and of all that waits: how many, and their weight. */
export interface LineBounds {
  maxGroup: number;
  maxGroupWeight: number;
  maxWaiting: number;
  maxWaitingWeight: number;
}

/** What waits for its group. When there is too much of it, senders take turns, and whoever has the most loses some. */
export class Line<One extends Waits> {
  private waiting: One[] = [];
  private readonly weights = new Map<string, number>();
  private weight = 0;
  /** When a sender that waits was last in a group, by the number of the group. */
  private readonly served = new Map<string, number>();
  private groups = 0;

  constructor(private readonly bounds: LineBounds) {}

  get length(): number {
    return this.waiting.length;
  }

  /** Puts one at the end; returns what has no room for it, which may be itself. */
  add(one: One): One[] {
    // Whoever comes anew does not come before all that wait already.
    if (!this.weights.has(one.sender)) this.served.set(one.sender, this.groups);
    this.waiting.push(one);
    this.count(one, one.weight);
    const { maxWaiting, maxWaitingWeight } = this.bounds;
    const refused: One[] = [];
    while (this.waiting.length > maxWaiting || (this.weight > maxWaitingWeight && this.waiting.length > 1)) {
      const heaviest = this.heaviest();
      const at = this.waiting.findLastIndex(({ sender }) => sender === heaviest);
      const [last] = this.waiting.splice(at, 1) as [One];
      this.count(last, -last.weight);
      refused.push(last);
    }
    return refused;
  }

  /** Takes the next group, in the order in which it came. Whoever was in none for longest comes first. */
  next(): One[] {
    const group = nextShare(this.waiting, this.bounds, this.served);
    this.groups += 1;
    for (const { sender } of group) this.served.set(sender, this.groups);
    if (group.length === this.waiting.length) this.waiting = [];
    else {
      const taken = new Set(group);
      this.waiting = this.waiting.filter((one) => !taken.has(one));
    }
    for (const one of group) this.count(one, -one.weight);
    return group;
  }

  /** Takes what has waited since before an instant: not the first ones, since some have waited elsewhere. */
  takeLate(oldest: number): One[] {
    const late = this.waiting.filter(({ since }) => since < oldest);
    if (late.length === 0) return late;
    this.waiting = this.waiting.filter(({ since }) => since >= oldest);
    for (const one of late) this.count(one, -one.weight);
    return late;
  }

  private count({ sender }: One, weight: number): void {
    this.weight += weight;
    const own = (this.weights.get(sender) ?? 0) + weight;
    if (own > 0) this.weights.set(sender, own);
    else {
      this.weights.delete(sender);
      this.served.delete(sender);
    }
  }

  /** Of equal ones the one that came last. */
  private heaviest(): string | undefined {
    let [found, most]: [string | undefined, number] = [undefined, 0];
    for (const [sender, weight] of this.weights) if (weight >= most) [found, most] = [sender, weight];
    return found;
  }
}

type GroupBounds = Pick<LineBounds, 'maxGroup' | 'maxGroupWeight'>;

/**
 * All of it when it fits into a group, otherwise one of each sender in turn until the group is full. What is heavier
 * than a group may be is taken alone.
 */
function nextShare<One extends Waits>(
  waiting: readonly One[],
  { maxGroup, maxGroupWeight }: GroupBounds,
  served: ReadonlyMap<string, number>,
): One[] {
  const fits =
    waiting.length <= maxGroup && waiting.reduce((sum, one) => sum + one.weight, 0) <= maxGroupWeight;
  if (fits) return [...waiting];
  const taken = new Set<One>();
  let load = 0;
  for (const one of inTurns(waiting, served)) {
    load += one.weight;
    if (taken.size > 0 && (load > maxGroupWeight || taken.size === maxGroup)) break;
    taken.add(one);
  }
  return waiting.filter((one) => taken.has(one));
}

function* inTurns<One extends Waits>(
  waiting: readonly One[],
  served: ReadonlyMap<string, number>,
): Generator<One> {
  const senders = new Map<string, One[]>();
  for (const one of waiting) {
    const own = senders.get(one.sender);
    if (own === undefined) senders.set(one.sender, [one]);
    else own.push(one);
  }
  const lastOf = (sender: string): number => served.get(sender) ?? 0;
  const inOrder = [...senders].sort(([one], [other]) => lastOf(one) - lastOf(other));
  let queues = inOrder.map(([, queue]) => queue);
  for (let turn = 0; queues.length > 0; turn += 1) {
    queues = queues.filter((queue) => turn < queue.length);
    for (const queue of queues) yield queue[turn] as One;
  }
}
