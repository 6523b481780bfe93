import { clock } from '../../server/src/domain/clock';

/**
 * Makes it this instant for a server that runs in the test's process; its timers run on.
 * `jest.useRealTimers()` ends it.
 */
export function itIs(at: number): void {
  const doNotFake = ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'];
  const timers = ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'];
  jest.useFakeTimers({ now: at, doNotFake: [...doNotFake, ...timers] as never });
  // The service does not look at the wall clock: its own follows the test's.
  jest.spyOn(clock, 'now').mockImplementation(() => Date.now());
}
