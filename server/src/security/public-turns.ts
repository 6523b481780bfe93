import { FairTurns, type Sender, TurnsOfEach } from '../domain/fair-turns';
import { blockOf } from '../domain/mask';
import { fromAddress } from './login-turns';

/**
 * What may wait for a connection: of one maker of sites or one block of addresses, and in all; and how long, in
 * milliseconds, which is less than a visitor waits.
 */
const BOUNDS = { each: 500, all: 1_000, wait: 3_000 };

/**
 * The part of these connections that one block of addresses uses at once, over all sites: others always find one, and
 * a write that waits for a lock does not stop everybody behind the same address.
 */
const OF_ONE_BLOCK = 1 / 2;

/** Where a request of the public belongs. */
type Place = Readonly<{ id: string; maker: string }>;

/**
 * Turns of public requests at the owners' pool, so that they leave connections for owners, and a flood from a
 * few networks, or at the sites of one maker, keeps nobody else waiting.
 */
export class PublicTurns {
  private readonly blocks: TurnsOfEach;
  private readonly turns: FairTurns;

  constructor(most: number) {
    this.blocks = new TurnsOfEach(Math.ceil(most * OF_ONE_BLOCK), BOUNDS, BOUNDS.all);
    this.turns = new FairTurns(most, BOUNDS);
  }

  /**
   * A block of addresses has half of the turns at once, wherever it asks. Then makers of sites take turns, then their sites,
   * then blocks, then their networks; what is of no site counts as one. Rejects with 429 or 503 when too much waits.
   */
  take<Result>(site: Place | undefined, address: string, work: () => Promise<Result>): Promise<Result> {
    const patience = { left: BOUNDS.wait };
    const sender: Sender = [site?.maker ?? '', site?.id ?? '', ...fromAddress(address)];
    const inTurn = (): Promise<Result> => this.turns.take(sender, work, patience);
    return this.blocks.take([blockOf(address), ...sender], inTurn, patience);
  }
}
