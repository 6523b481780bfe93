import { DAY_MS, HOUR_MS } from './time';
/**
 * The largest acceptable difference between this machine's wall clock and the database's, in milliseconds;
 * beyond it one of them is wrong.
 */
export const MAX_CLOCK_DIFFERENCE = 60_000;
/** The largest drift between two good clocks, in milliseconds per millisecond. */
const DRIFT = 0.0002;

/**
 * A step back of the database's time, in milliseconds, that decisions notice; and for how long they do: longer than
 * one may wait until it is stored, and another process until it measures the time.
 */
const SET_BACK = 1_000;
const NOTICED = 15_000;

/**
 * The time used for all decisions and records: the database's, which all processes share, carried forward by
 * this process's monotonic clock. Changes to the machine's wall clock have no effect.
 */
export class Clock {
  /** The database's time minus the monotonic time lies between these two, in milliseconds. */
  private low: number;
  private high: number;
  private measuredAt: number | undefined;
  /** By the monotonic clock. */
  private setBackAt = Number.NEGATIVE_INFINITY;

  /** Before the first measurement it is the wall clock. */
  constructor(
    private readonly monotonic: () => number = () => performance.now(),
    private readonly wall: () => number = () => Date.now(),
  ) {
    this.low = this.wall() - this.monotonic();
    this.high = this.low;
  }

  /** Milliseconds since 1970, a whole number. */
  now(): number {
    return Math.floor(this.monotonic() + (this.low + this.high) / 2);
  }

  date(): Date {
    return new Date(this.now());
  }

  /**
   * Adds a measurement: the database's time, and the monotonic time before and after the query. Quick answers
   * are more precise than slow ones, and measurements are intersected; if they contradict each other a clock
   * was set, and the newest is right.
   */
  observe(before: number, database: number, after: number): void {
    const drift = this.measuredAt === undefined ? 0 : (after - this.measuredAt) * DRIFT;
    const [low, high] = [
      Math.max(database - after, this.low - drift),
      Math.min(database - before, this.high + drift),
    ];
    const fits = this.measuredAt !== undefined && low <= high;
    if (this.measuredAt !== undefined && database - before < this.low - SET_BACK) this.setBackAt = after;
    this.low = fits ? low : database - after;
    this.high = fits ? high : database - before;
    this.measuredAt = after;
  }

  /** Whether the database's time was set back a moment ago, so that what was dated before may seem to be from now. */
  wasSetBack(): boolean {
    return this.monotonic() - this.setBackAt < NOTICED;
  }

  /**
   * By how much the machine's wall clock is ahead of the database's time, in milliseconds; negative when it
   * is behind.
   */
  difference(): number {
    return this.wall() - this.now();
  }

  /**
   * Why nothing that depends on the time may be decided now; undefined when the clocks agree to within a
   * minute.
   */
  disagreement(): string | undefined {
    if (this.measuredAt === undefined) return "the database's time is not known yet";
    const difference = this.difference();
    if (Math.abs(difference) <= MAX_CLOCK_DIFFERENCE) return undefined;
    const where = difference > 0 ? 'ahead of' : 'behind';
    return `the clock of this machine is ${spell(Math.abs(difference))} ${where} the database's: correct the wrong one`;
  }
}

const UNITS: [string, number][] = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', 60_000],
];

function spell(milliseconds: number): string {
  const [name, length] = UNITS.find(([, unit]) => milliseconds >= unit) ?? ['millisecond', 1];
  const count = Math.round(milliseconds / length);
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

/** The clock of this process. */
export const clock = new Clock();
