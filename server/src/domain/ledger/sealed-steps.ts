import type { HistoryEntry } from '../types';
import { changesOf, type SealedStep } from './history-steps';
import { CLOCKS_OFF, fitsItsFact, type PlacedStep, statedAt } from './step-order';
import { alteredAt, alteredSince, STEPPED, type SteppedKind } from './step-rules';

/**
 * What was sealed of one record, as it is read step by step, the oldest first. Only the last step is kept whole, of the
 * others what the history says of them: a statement may have 130 kB, and there may be thousands.
 */
export class SealedSteps {
  /** Without what they say of the record, but when it was made. */
  readonly entries: SealedStep[] = [];
  /** Steps before which the record was changed, by their number, the first is 1: with the names of the fields. */
  readonly altered: [number, string[]][] = [];
  /** Steps that do not stand where their own times say, by their number. */
  readonly misplaced: number[] = [];
  last: SealedStep | undefined;
  /** The fact that sealed it. */
  lastFact: string | undefined;
  private newest = Number.NEGATIVE_INFINITY;

  constructor(private readonly kind: SteppedKind) {}

  /** @param isBehind whether its leaf stands before that of an earlier step */
  add(placed: PlacedStep, isBehind = false): void {
    const { step } = placed;
    const names = alteredAt(this.kind, this.last, step);
    const about = STEPPED[this.kind];
    this.entries.push({ ...step, [about]: { created_at: Object(step[about]).created_at } });
    if (names.length > 0) this.altered.push([this.entries.length, names]);
    this.last = step;
    this.lastFact = placed.fact_id;
    const at = statedAt(step);
    if (isBehind || at < this.newest - CLOCKS_OFF || !fitsItsFact(placed))
      this.misplaced.push(this.entries.length);
    if (at > this.newest) this.newest = at;
  }

  /**
   * What was ever changed of a record beside its steps, and whether its history was: all that is lost when what was
   * sealed of it is erased.
   */
  alteredEver(present: { record: object; history: readonly HistoryEntry[]; began: string }): string[] {
    if (this.last === undefined) return [];
    const names = this.altered.flatMap(([, some]) => some);
    const since = alteredSince(this.kind, this.last, present.record);
    const isOther =
      this.misplaced.length > 0 || changesOf(this.entries, present.history, present.began) !== undefined;
    return [...new Set([...names, ...since, ...(isOther ? ['history'] : [])])].sort();
  }
}
