import type { KeptFact } from '../../db/ledger/kept';
import { timeOfId } from '../../domain/ids';
import { commitmentOf } from '../../domain/ledger/commitment';
import { CLOCKS_OFF } from '../../domain/ledger/step-order';
import { findLeaf } from '../proofs';
import { RememberingReader } from '../tile-reader';
import type { Audited } from './audited-site';

interface Placed {
  fact: KeptFact;
  /** Undefined before it was looked for, null of one that waits. */
  leaf?: number | null;
}

/**
 * Whether facts of one record were sealed in their order. Looked for where they are so close in time that what they
 * state cannot tell: each may be off by `CLOCKS_OFF`.
 */
export class LeafOrder {
  private readonly log: RememberingReader;
  private last: Placed | undefined;

  constructor({ trx, site }: Audited) {
    this.log = new RememberingReader(trx, site.id);
  }

  /** Whether the leaf of the next fact stands before that of the one before it. */
  async isBehind(fact: KeptFact): Promise<boolean> {
    const [before, next]: [Placed | undefined, Placed] = [this.last, { fact }];
    this.last = next;
    if (before?.fact.subject !== fact.subject) return false;
    const apart = timeOfId(fact.fact_id).getTime() - timeOfId(before.fact.fact_id).getTime();
    if (apart > 2 * CLOCKS_OFF) return false;
    const [earlier, later] = [await this.leafOf(before), await this.leafOf(next)];
    return earlier !== null && later !== null && later < earlier;
  }

  private async leafOf(placed: Placed): Promise<number | null> {
    const { blinding, statement, at } = placed.fact;
    const commitment = Buffer.from(commitmentOf(blinding, statement ?? ''), 'hex');
    placed.leaf ??= (await findLeaf(this.log, commitment, at)) ?? null;
    return placed.leaf;
  }
}
