/** The first wait, and the longest, in milliseconds: a lock that is not granted takes five seconds to fail. */
const FIRST = 10_000;
const LONGEST = 60_000;
/** Sites that are remembered. */
const MOST = 10_000;

interface Wait {
  until: number;
  ms: number;
}

/**
 * Sites whose work failed, each of which waits for its next turn, twice as long each time: what fails slowly would take all
 * the time that there is for the others, and come first again.
 */
export class PutOff {
  private readonly waits = new Map<string, Wait>();

  /** @param now in milliseconds, of any clock that only goes on */
  constructor(private readonly now: () => number = () => performance.now()) {}

  has(site: string): boolean {
    const wait = this.waits.get(site);
    return wait !== undefined && this.now() < wait.until;
  }

  add(site: string): void {
    const now = this.now();
    const last = this.waits.get(site);
    // Several parts of a site's work can fail in one round.
    if (last !== undefined && now < last.until) return;
    // What did not fail for as long as it had waited begins anew.
    const ms = last !== undefined && now < last.until + last.ms ? Math.min(last.ms * 2, LONGEST) : FIRST;
    this.waits.delete(site);
    this.waits.set(site, { until: now + ms, ms });
    const [oldest] = this.waits.keys();
    if (this.waits.size > MOST) this.waits.delete(oldest as string);
  }
}
