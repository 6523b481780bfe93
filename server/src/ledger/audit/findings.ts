/** What an audit can find, the worst first. */
export const DAMAGES = [
  ...(['forked', 'rolled_back', 'altered', 'deleted', 'inserted', 'backdated', 'twice', 'returned'] as const),
  ...(['erasure', 'group', 'tree', 'head', 'key', 'vouched', 'unsigned'] as const),
] as const;
export type Damage = (typeof DAMAGES)[number];

/** One thing that does not fit; names ids, tables and columns, never what is in them. */
export interface Finding {
  damage: Damage;
  text: string;
}

/** Findings of one kind that are kept by name; the others are counted. */
const KEPT = 1_000;

/** What an audit of one site found: a bounded number by name, all of them by number. */
export class Findings {
  readonly counts = new Map<Damage, number>();
  private readonly kept = new Map<Damage, string[]>();
  /** What is no damage, but worth a thought. */
  readonly notes: string[] = [];

  add(damage: Damage, text: string, times = 1): void {
    this.counts.set(damage, this.count(damage) + times);
    const kept = this.kept.get(damage) ?? [];
    this.kept.set(damage, kept);
    if (kept.length < KEPT && times > 0) kept.push(text);
  }

  note(text: string): void {
    this.notes.push(text);
  }

  count(damage: Damage): number {
    return this.counts.get(damage) ?? 0;
  }

  of(damage: Damage): readonly string[] {
    return this.kept.get(damage) ?? [];
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** All that are kept, the worst first. */
  all(): Finding[] {
    return DAMAGES.flatMap((damage) => this.of(damage).map((text) => ({ damage, text })));
  }
}
