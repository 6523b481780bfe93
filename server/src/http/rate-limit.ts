import { blockOf, networkOf } from '../domain/mask';
import { SharedMemory } from '../domain/memory';
import { DAY_MS } from '../domain/time';

/** Requests in one window, at most. */
export interface Limits {
  /** From one address to one site; an IPv6 network of 64 bits is one address. */
  perAddress: number;
  /** To one site from everywhere, for each process. */
  perSite: number;
  /** In a day, in place of every limit by the day. */
  perDay?: number;
}

/** Visitor requests a minute: from one address to one site, and to one site (for each process). */
export const VISITOR_LIMITS: Limits = { perAddress: 600, perSite: 120_000 };

/** A minute, in milliseconds. */
const WINDOW = 60_000;
const MAX_KEYS = 200_000;
/** The part of a site's limit that anybody may use up; the rest is for those who have sent little. */
const OPEN_PART = 3 / 4;
/** How much is little, as a part of an address's limit: of an IPv4 address, or of a block of IPv6 networks. */
const LITTLE = 1 / 2;

/**
 * Counts visitor requests by address and by site in fixed windows of a minute, in this process only: it
 * protects the process and is not a quota. Time is monotonic, so setting the clock has no effect. Counting
 * costs one look-up in a map that is emptied with each window.
 */
export class RateLimiter {
  private counts = new Map<string, number>();
  private windowEnd = 0;
  private readonly countsOfDay = new SharedMemory<{ count: number; size: 1 }>(MAX_KEYS);
  private dayEnd = 0;

  constructor(
    private readonly limits: Limits,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Seconds to wait, or 0 when the request may proceed; `limits` overrides the default limits, and `n` is
   * how many requests it counts as.
   */
  take(site: string, address: string, limits = this.limits, n = 1): number {
    const now = this.enter();
    const over = this.addAddress(site, address, limits, n) || this.isFull(site, address, limits, n);
    return over ? this.secondsFrom(now) : 0;
  }

  /** The first half of `take`: counts the address alone. What a site is counted for follows with `takeAtSite`. */
  takeFrom(site: string, address: string, limits: Limits): number {
    const now = this.enter();
    return this.addAddress(site, address, limits, 1) ? this.secondsFrom(now) : 0;
  }

  /** The second half of `take`: counts at the site, for an address that is counted. */
  takeAtSite(site: string, address: string, limits: Limits): number {
    const now = this.enter();
    return this.isFull(site, address, limits, 1) ? this.secondsFrom(now) : 0;
  }

  /**
   * Counts at a site what it takes. One customer has tens of thousands of IPv6 networks, enough to use up the
   * limit of any site: the last of it is kept for everybody else.
   */
  private isFull(site: string, address: string, { perAddress, perSite }: Limits, n: number): boolean {
    const block = perSite === Infinity ? 0 : this.addBlock(site, address, n);
    const total = (this.counts.get(site) ?? 0) + n;
    const isLittle = block <= Math.max(1, perAddress * LITTLE);
    if (total > perSite || (total > perSite * OPEN_PART && !isLittle)) return true;
    this.counts.set(site, total);
    return false;
  }

  /** Counts what a block has sent to a site; where the counts are full, nothing is known of it. */
  private addBlock(site: string, address: string, n: number): number {
    const block = blockOf(address);
    const key = `${site} ${block}`;
    // An IPv4 address is a block by itself, and is counted already.
    if (block === networkOf(address)) return this.counts.get(key) ?? 0;
    return this.counts.has(key) || this.counts.size < MAX_KEYS ? this.add(key, n) : 0;
  }

  /** Limits each address to a multiple of the default, without a limit for all together. */
  takeAlone(what: string, address: string, times: number, n = 1): number {
    return this.take(what, address, { perAddress: this.limits.perAddress * times, perSite: Infinity }, n);
  }

  /** Limits each address to a multiple of the default, and counts nothing else: what visitors send passes it. */
  takeLeast(what: string, address: string, times: number, n: number): number {
    const now = this.enter();
    return this.addAddress(what, address, this.limits, n, times) ? this.secondsFrom(now) : 0;
  }

  /** Seconds to wait, or 0 while fewer than `most` are counted in the day, which begins with its first request. */
  waitOfDay(key: string, most: number): number {
    const now = this.enterDay();
    const isOver = (this.countsOfDay.get(key)?.count ?? 0) >= (this.limits.perDay ?? most);
    return isOver ? Math.max(1, Math.ceil((this.dayEnd - now) / 1000)) : 0;
  }

  /**
   * Counts as `n` in the day. @param owner whom it is about, such as who made a site: where the counts are full, whoever
   * has the most loses the count that was used longest ago
   */
  countOfDay(key: string, owner: string, n = 1): void {
    this.enterDay();
    const known = this.countsOfDay.get(key);
    if (known === undefined) this.countsOfDay.set(key, { count: n, size: 1 }, owner);
    else known.count += n;
  }

  private enterDay(): number {
    const now = this.now();
    if (now >= this.dayEnd) {
      this.countsOfDay.clear();
      this.dayEnd = now + DAY_MS;
    }
    return now;
  }

  /** Like `take`, but without counting: 0 while the limit is not used up. */
  peek(site: string, address: string): number {
    const now = this.enter();
    const count = (key: string): number => this.counts.get(key) ?? 0;
    const { perAddress, perSite } = this.limits;
    const spent = count(`${site} ${networkOf(address)}`) >= perAddress || count(site) >= perSite;
    return spent ? this.secondsFrom(now) : 0;
  }

  /** Begins a new window when it is time. */
  private enter(): number {
    const now = this.now();
    if (now >= this.windowEnd) {
      this.counts.clear();
      this.windowEnd = now - (now % WINDOW) + WINDOW;
    }
    return now;
  }

  private secondsFrom(now: number): number {
    return Math.max(1, Math.ceil((this.windowEnd - now) / 1000));
  }

  /**
   * Counts an address at a site. A flood of new addresses must not exhaust memory: those beyond the bound
   * share one count, which has the site's limit, or that of any site where there is none.
   */
  private addAddress(
    site: string,
    address: string,
    { perAddress, perSite }: Limits,
    n: number,
    times = 1,
  ): boolean {
    const own = `${site} ${networkOf(address)}`;
    if (this.counts.has(own) || this.counts.size < MAX_KEYS) return this.add(own, n) > perAddress * times;
    return this.add(`${site} *`, n) > Math.min(perSite, this.limits.perSite);
  }

  private add(key: string, n: number): number {
    const count = (this.counts.get(key) ?? 0) + n;
    this.counts.set(key, count);
    return count;
  }
}
