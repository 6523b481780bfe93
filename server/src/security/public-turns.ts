import { FairTurns } from '../domain/fair-turns';
import { fromAddress } from './login-turns';

/**
 * What may wait for a connection: of one site, and in all; and how long, in milliseconds, which is less than a
 * visitor waits.
 */
const BOUNDS = { each: 500, all: 1_000, wait: 3_000 };

/**
 * Turns of public requests at the owners' pool, so that they leave connections for owners, and a flood from a
 * few networks, or at one site, keeps nobody else waiting.
 */
export class PublicTurns {
  private readonly turns: FairTurns;

  constructor(most: number) {
    this.turns = new FairTurns(most, BOUNDS);
  }

  /**
   * Sites take turns, then blocks of addresses, then their networks; what is of no site counts as one. Rejects
   * with 429 or 503 when too much waits.
   */
  take<Result>(site: string | undefined, address: string, work: () => Promise<Result>): Promise<Result> {
    return this.turns.take([site ?? '', ...fromAddress(address)], work);
  }
}
