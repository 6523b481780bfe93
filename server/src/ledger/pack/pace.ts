import { performance } from 'node:perf_hooks';
import { rest } from '../../domain/rests';

/** Milliseconds of work after which others get a turn. */
const TURN_MS = 5;

/** Keeps long work from keeping others waiting. */
export class Pace {
  private since = performance.now();

  /** @param reader the group of accounts that the work is for */
  constructor(private readonly reader: string) {}

  /** Called between pieces of work: lets others go first when it was a while. */
  async rest(): Promise<void> {
    if (performance.now() - this.since < TURN_MS) return;
    await rest(this.reader);
    this.since = performance.now();
  }
}
