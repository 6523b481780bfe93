import { performance } from 'node:perf_hooks';
import { setImmediate as turn } from 'node:timers/promises';

/** How often each size is tried: the least of them says what the work costs. */
const TRIES = 3;
/**
 * What four times the input may cost at the most. Linear work costs 4 times as much, quadratic work 16 times.
 */
export const MAX_GROWTH = 9;

/** Processor time of a piece of work, in milliseconds. */
export async function costOf(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < TRIES; round += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return Math.min(...times);
}

/** How many times as much four times the input costs. */
export async function growthOf(work: (size: number) => unknown, size: number): Promise<number> {
  await work(Math.ceil(size / 4));
  const small = await costOf(() => work(size));
  const large = await costOf(() => work(size * 4));
  // What takes next to nothing is measured too coarsely to be divided by.
  return large / Math.max(small, 2);
}

/** Processor time of the main thread, as far as it can be told apart, in milliseconds. */
const used = (): number => performance.eventLoopUtilization().active;

/** The longest stretch in which nobody else had a turn, and all of them together, by the loop's own clock. */
export async function stretchesOf(work: () => Promise<unknown>): Promise<{ longest: number; all: number }> {
  const begin = used();
  let [longest, before, running] = [0, begin, true];
  const watch = (async () => {
    while (running) {
      await turn();
      const now = used();
      longest = Math.max(longest, now - before);
      before = now;
    }
  })();
  await work();
  running = false;
  await watch;
  return { longest, all: used() - begin };
}
