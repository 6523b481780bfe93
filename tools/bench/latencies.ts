/** Response times, in milliseconds. */
export interface Summary {
  p50: number;
  p99: number;
  max: number;
}

/** Steps per millisecond. */
const STEPS = 100;
const SECONDS = 10;

/** Counts times in steps of 10 µs, up to 10 s. Its memory does not depend on the number of times. */
export class Latencies {
  private readonly counts = new Uint32Array(SECONDS * 1000 * STEPS);
  private total = 0;
  private max = 0;

  add(milliseconds: number): void {
    const step = Math.min(Math.floor(milliseconds * STEPS), this.counts.length - 1);
    this.counts[step] = (this.counts[step] as number) + 1;
    this.total += 1;
    if (milliseconds > this.max) this.max = milliseconds;
  }

  summary(): Summary {
    return { p50: this.quantile(0.5), p99: this.quantile(0.99), max: this.max };
  }

  private quantile(share: number): number {
    let left = Math.ceil(this.total * share);
    const step = this.counts.findIndex((count) => {
      left -= count;
      return left <= 0;
    });
    return (step + 1) / STEPS;
  }
}
