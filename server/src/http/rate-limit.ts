/** Requests in one window, at most. */
export interface Limits {
  /** From one address to one site. */
  perAddress: number;
  /** To one site from everywhere, for each process. */
  perSite: number;
}

/** A minute, in milliseconds. */
const WINDOW = 60_000;
const MAX_KEYS = 200_000;

/**
 * Counts visitor requests by address and by site in fixed windows of a minute, in this process alone: it protects the process and
 * its neighbours, it is no quota. Counting costs one look-up in a map that is emptied with each window.
 */
export class RateLimiter {
  private counts = new Map<string, number>();
  private windowEnd = 0;

  constructor(
    private readonly limits: Limits,
    private readonly now: () => number = Date.now,
  ) {}

  /** Seconds to wait, or 0 when the request may go on; `limits` are other ones than the usual. */
  take(site: string, address: string, limits = this.limits): number {
    const now = this.now();
    if (now >= this.windowEnd) {
      this.counts.clear();
      this.windowEnd = now - (now % WINDOW) + WINDOW;
    }
    const over = this.add(`${site} ${address}`) > limits.perAddress || this.add(site) > limits.perSite;
    return over ? Math.max(1, Math.ceil((this.windowEnd - now) / 1000)) : 0;
  }

  private add(key: string): number {
    const count = (this.counts.get(key) ?? 0) + 1;
    // A flood of new keys must not fill the memory: beyond the bound they are not counted.
    if (count > 1 || this.counts.size < MAX_KEYS) this.counts.set(key, count);
    return count;
  }
}
