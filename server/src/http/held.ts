import type { Sender } from '../domain/fair-turns';
import type { Logger } from '../observability/logger';
import type { Exchange } from './exchange';
import { LARGE } from './reading';

const MIB = 1024 * 1024;

/** Bytes of answers that may wait for their readers at once: of one account, or of an address without one; and in all. */
export const MOST_HELD = { each: 16 * MIB, all: 128 * MIB };

interface Held {
  /** Whose group it is, and then whose account. */
  group: string;
  holder: string;
  bytes: number;
  since: number;
  end(): void;
}

/**
 * Counts large answers that are held whole until they are read. Beyond the bounds a connection is broken off: the one that
 * has held the most for the longest, of whoever holds too much, or of the group that holds the most of all. A single answer
 * may be larger than what one account may hold.
 */
export class HeldAnswers {
  private readonly answers = new Set<Held>();
  private readonly ofHolders = new Map<string, number>();
  private readonly ofGroups = new Map<string, number>();
  private total = 0;

  constructor(
    private readonly most = MOST_HELD,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** What all wait for. */
  get bytes(): number {
    return this.total;
  }

  /** Counts an answer of so many bytes until what is returned is called with how many are left of it. */
  hold([group, account = '']: Sender, bytes: number, end: () => void): (left: number) => void {
    const one: Held = { group, holder: `${group} ${account}`, bytes: 0, since: this.now(), end };
    this.answers.add(one);
    this.set(one, bytes);
    this.keepBounds(one.holder);
    return (left) => {
      if (this.answers.has(one)) this.set(one, left);
    };
  }

  private set(one: Held, bytes: number): void {
    const more = bytes - one.bytes;
    one.bytes = bytes;
    this.total += more;
    add(this.ofHolders, one.holder, more);
    add(this.ofGroups, one.group, more);
    if (bytes === 0) this.answers.delete(one);
  }

  private keepBounds(holder: string): void {
    while ((this.ofHolders.get(holder) ?? 0) > this.most.each)
      if (!this.endOne((one) => one.holder === holder, 2)) break;
    while (this.total > this.most.all) {
      const group = largestOf(this.ofGroups);
      this.endOne((one) => one.group === group, 1);
    }
  }

  /** Breaks off one of those that are meant, unless they are fewer; returns whether it did. */
  private endOne(isMeant: (one: Held) => boolean, fewest: number): boolean {
    const now = this.now();
    // At least a millisecond: what has just begun weighs what it is.
    const weight = ({ bytes, since }: Held): number => bytes * Math.max(1, now - since);
    const meant = [...this.answers].filter(isMeant);
    const [first, ...others] = meant;
    if (first === undefined || meant.length < fewest) return false;
    const one = others.reduce((most, other) => (weight(other) > weight(most) ? other : most), first);
    this.set(one, 0);
    one.end();
    return true;
  }
}

function add(sums: Map<string, number>, name: string, more: number): void {
  const sum = (sums.get(name) ?? 0) + more;
  if (sum === 0) sums.delete(name);
  else sums.set(name, sum);
}

function largestOf(sums: ReadonlyMap<string, number>): string | undefined {
  let largest: [string, number] | undefined;
  for (const entry of sums) if (largest === undefined || entry[1] > largest[1]) largest = entry;
  return largest?.[0];
}

/** Of this process. */
export const HELD_ANSWERS = new HeldAnswers();

/**
 * Counts an answer until its connection has taken it or is gone; small ones are not counted. Returns what tells that it
 * is smaller now.
 */
export function holdAnswer(
  { request, response, requestId: request_id, operationId: operation }: Exchange,
  sender: Sender,
  bytes: number,
  log: Logger,
): (left: number) => void {
  if (bytes < LARGE || response.closed) return () => undefined;
  const end = (): void => {
    log.info({ request_id, operation, why: 'too much waits for its readers' }, 'an answer was ended');
    request.socket.destroy();
    response.destroy();
  };
  const change = HELD_ANSWERS.hold(sender, bytes, end);
  response.once('close', () => change(0));
  return change;
}
