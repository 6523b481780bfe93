import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Rounds } from './rounds';
import { WAITING } from './waiting-requests';
import { nextTurn } from './yielding';

/** How long is rested at once, at most, in milliseconds. */
const LONGEST = 100;
/** After so long without any of them, the next one rests for none before it. */
const IDLE = 1_000;
/** Below it, no timer rests as short as that. */
const SHORTEST = 1;

/** Files and other long works that rest; their readers' groups take turns. */
const resting = new Rounds<() => void>();
/** Whether one of them is about to go on. */
let goesOn = false;
let since = performance.eventLoopUtilization();
let wentOn = 0;

/**
 * Called between pieces of long work. While any request waits for its answer, one work goes on at a time, and only when
 * the event loop was left to others for as long as it was busy: all works together take half of it, however many they
 * are. While none does, they go on at full speed.
 * @param reader whom the work is for, as a group of accounts: many files of one do not make those of another wait for each
 */
export const rest = (reader = ''): Promise<void> =>
  new Promise((resolve) => {
    // What kept the loop busy before was not a work of this line.
    if (!goesOn && performance.now() - wentOn > IDLE) since = performance.eventLoopUtilization();
    resting.add([reader], resolve);
    if (!goesOn) void goOn();
  });

async function goOn(): Promise<void> {
  goesOn = true;
  while (resting.size > 0) {
    // What went on does its piece first.
    await nextTurn();
    const { active } = performance.eventLoopUtilization(since);
    if (WAITING.count > 0 && active >= SHORTEST) await delay(Math.min(LONGEST, active));
    if (WAITING.count === 0 || active >= SHORTEST) since = performance.eventLoopUtilization();
    wentOn = performance.now();
    resting.next()?.();
  }
  goesOn = false;
}
