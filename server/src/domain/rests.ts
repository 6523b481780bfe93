import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { WAITING } from './waiting-requests';
import { nextTurn } from './yielding';

/** How long is rested at once, at most, in milliseconds. */
const LONGEST = 100;
/** After so long without any of them, the next one rests for none before it. */
const IDLE = 1_000;
/** Below it, no timer rests as short as that. */
const SHORTEST = 1;

/** Files and other long works that rest, in the order in which they go on. */
const resting: (() => void)[] = [];
let since = performance.eventLoopUtilization();
let wentOn = 0;

/**
 * Called between pieces of long work. While any request waits for its answer, one work goes on at a time, and only when
 * the event loop was left to others for as long as it was busy: all works together take half of it, however many they
 * are. While none does, they go on at full speed.
 */
export const rest = (): Promise<void> =>
  new Promise((resolve) => {
    // What kept the loop busy before was not a work of this line.
    if (resting.length === 0 && performance.now() - wentOn > IDLE) since = performance.eventLoopUtilization();
    if (resting.push(resolve) === 1) void goOn();
  });

async function goOn(): Promise<void> {
  while (resting.length > 0) {
    // What went on does its piece first.
    await nextTurn();
    const { active } = performance.eventLoopUtilization(since);
    if (WAITING.count > 0 && active >= SHORTEST) await delay(Math.min(LONGEST, active));
    if (WAITING.count === 0 || active >= SHORTEST) since = performance.eventLoopUtilization();
    wentOn = performance.now();
    resting.shift()?.();
  }
}
