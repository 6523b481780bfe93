import { blockOf } from '../domain/mask';
import { DAY_MS } from '../domain/time';

/** Mails that requests from one block of addresses cause of one site in a day, of the 500 of all strangers. */
export const OF_ONE_BLOCK = 25;
/** Blocks and sites that are counted at once; beyond them those that came first are forgotten. */
const MOST = 100_000;

/**
 * Counts, in one process, the mails that strangers cause by where they come from, so that nobody uses up all that a
 * site sends in a day. Kept in memory alone: whence a request came is stored nowhere.
 */
export class StrangerShare {
  private readonly counts = new Map<string, number>();
  private end = 0;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Counts one mail; false when the block has caused its share. */
  take(site: string, address: string): boolean {
    if (this.now() >= this.end) {
      this.counts.clear();
      this.end = this.now() + DAY_MS;
    }
    const key = `${site} ${blockOf(address)}`;
    const count = (this.counts.get(key) ?? 0) + 1;
    if (count > OF_ONE_BLOCK) return false;
    if (count === 1 && this.counts.size >= MOST)
      this.counts.delete(this.counts.keys().next().value as string);
    this.counts.set(key, count);
    return true;
  }
}
