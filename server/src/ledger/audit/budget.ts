import type { SealedSize } from '../../db/ledger/kept';

/** What a sample reads of the statements of a site's requests, of its breaches, and of its erasures, of each so much. */
const MOST: SealedSize = { statements: 400, bytes: 3 * 2 ** 20 };

/** How much a sample may still read: the process that takes it answers visitors. */
export class Budget {
  private left = MOST;

  /** Takes so much of it, if it is there. */
  take({ statements, bytes }: SealedSize): boolean {
    if (statements > this.left.statements || bytes > this.left.bytes) return false;
    this.left = { statements: this.left.statements - statements, bytes: this.left.bytes - bytes };
    return true;
  }

  /** What was taken of it. */
  get taken(): SealedSize {
    return { statements: MOST.statements - this.left.statements, bytes: MOST.bytes - this.left.bytes };
  }
}
