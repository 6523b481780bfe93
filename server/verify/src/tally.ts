import type { Step, StepName } from '@avow/sdk/verify';

/** Counts steps by outcome and kind: of a large file only the first are listed. */
export class Tally {
  private readonly counts = new Map<Step['ok'], Map<StepName, number>>();

  add({ ok, step }: Step): void {
    const kinds = this.counts.get(ok) ?? new Map<StepName, number>();
    kinds.set(step, (kinds.get(step) ?? 0) + 1);
    this.counts.set(ok, kinds);
  }

  of(ok: Step['ok']): number {
    return this.kinds(ok).reduce((sum, [, n]) => sum + n, 0);
  }

  /** In the order in which they were found. */
  kinds(ok: Step['ok']): [StepName, number][] {
    return [...(this.counts.get(ok) ?? [])];
  }
}
